import re
from pathlib import Path

import pytest
from diff_cases import BUILT_IN, held

from gate.diff.builtin_rules import BUILTIN
from gate.diff.canonical import canonicalise

U1 = "550e8400-e29b-41d4-a716-446655440000"
U2 = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"


def canon(text: str | bytes, field: str = "stdout") -> str:
    return canonicalise([("run", {field: held(text)})], BUILT_IN)[0][field].text.decode()


def test_the_built_in_rules_stand_in_the_documented_order():
    names = ["ansi", "timestamp", "uuid", "address", "tmp-path", "tmp-name", "pid", "pid", "duration"]
    assert [matcher.name for matcher in BUILTIN] == names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-01T00:00:00Z", "<timestamp+Z>"),
        ("2026-01-01T00:00:00.123Z", "<timestamp+frac3+Z>"),
        ("2026-01-01T00:00:00+02:00", "<timestamp+offset+02.00>"),
        ("2026-01-01T00:00:00.5+0530", "<timestamp+frac1+offset+0530>"),
        ("2026-11-01T01:30:00-04:00", "<timestamp+offset-04.00>"),
        ("2026-11-01T01:30:00-05:00", "<timestamp+offset-05.00>"),
        ("2026-01-01T00:00:00", "<timestamp>"),
        ("2026-01-01 10:00:01,123", "<timestamp+nn-nn-nn nn.nn.nn+comma3>"),
        ("2026-01-01 10:00", "<timestamp+nn-nn-nn nn.nn>"),
        ("2026/01/02 03:04:05", "<timestamp+nn/nn/nn nn.nn.nn>"),
        ("20260101T000000Z", "<timestamp+nnTnn+Z>"),
        ("Thu, 01 Jan 2026 00:00:00 +0000", "<timestamp+ddd, nn mmm nn nn.nn.nn+offset +0000>"),
        ("Thu Jan  1 00:00:00 2026", "<timestamp+ddd mmm nn nn.nn.nn nn>"),
        ("Thu Jan 12 00:00:00 2026", "<timestamp+ddd mmm nn nn.nn.nn nn>"),
        ("[01/Jan/2026:00:00:00 +0000]", "[<timestamp+nn/mmm/nn.nn.nn.nn+offset +0000>]"),
        ("12:34:56.7 start", "<timestamp+nn.nn.nn+frac1> start"),
    ],
)
def test_a_timestamp_keeps_its_precision_its_zone_and_its_form(text, expected):
    """Fault 53: dropping the fraction or the offset gives another form."""
    assert canon(text) == expected


@pytest.mark.parametrize(
    "text", ["2026-01-02", "12:34:56:78", "1.2026-01-01T00:00:00Z", "x2026-01-01T00:00:00Z", "12:34"]
)
def test_what_is_no_whole_timestamp_stays(text):
    assert canon(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "12ms",
        "1.1s",
        "999µs",
        "999μs",
        "1m 2s",
        "1m2s",
        "1h30m",
        "3 hours, 2 minutes and 1 second",
        "0.00s",
        "1,500 ms",
        "5min",
    ],
)
def test_every_unit_of_a_duration_has_the_same_placeholder(text):
    """Fault 54."""
    assert canon(f"done in {text}\n") == "done in <duration>\n"


def test_two_durations_side_by_side_stay_two():
    assert canon("10ms 20ms") == "<duration> <duration>"


@pytest.mark.parametrize("text", ["v1.2s", "x12ms", "12msx", "12", "exit 0, 3 rows", "3 sheep", "1.5"])
def test_what_is_no_duration_stays(text):
    assert canon(text) == text


def test_ids_are_numbered_by_first_appearance_across_fields_and_records():
    """Fault 55."""
    records = [("run", {"stdout": held(U1), "stderr": held(f"{U2} {U1}")}), ("run", {"stdout": held(U2)})]
    shown = [[value.text for value in row.values()] for row in canonicalise(records, BUILT_IN)]
    assert shown == [[b"<uuid:1>", b"<uuid:2> <uuid:1>"], [b"<uuid:2>"]]


def test_a_uuid_of_any_version_matches_and_the_nil_uuid_stays():
    """Fault 57."""
    text = f"550e8400-e29b-01d4-0716-446655440000 {'00000000-0000-0000-0000-000000000000'} {U1.upper()} {U1}"
    assert canon(text) == "<uuid:1> 00000000-0000-0000-0000-000000000000 <uuid+upper:2> <uuid:2>"


@pytest.mark.parametrize(
    "text",
    [
        f"org-{U1}",
        f"node-{U1}",
        f"tenant_{U1}",
        f"deadbeef0-{U1}",
        f"{U1}-deadbeef0",
        f"{U1}_0123456789abcdef",
        f"x{U1}",
        f"{U1}0",
        f"0x7f3a2c0012-{U1}",
        "tenant_account_abcdefghijklmnopqrstuv",
        "0x7f3a2c00120000000000000000000000",
        f"{U1}{U2}",
    ],
)
def test_no_hex_run_over_eight_characters_remains_next_to_a_placeholder(text):
    """Fault 56."""
    assert not re.search(r"[0-9a-fA-F]{9,}[-_]?<|>[-_]?[0-9a-fA-F]{9,}", canon(text))


def test_a_prefixed_uuid_is_taken_out_whole():
    """Fault 56."""
    assert [canon(f"org-{U1}"), canon("tenant_account_abcdefghijklmnopqrstuv")] == [
        "org-<uuid:1>",
        "tenant_account_abcdefghijklmnopqrstuv",
    ]


def test_small_hex_numbers_are_no_addresses():
    """Fault 52."""
    assert canon("flags=0x0 mode=0x2 mask=0xffff at 0x7f3a2c0010") == "flags=0x0 mode=0x2 mask=0xffff at <address:1>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/tmp/a1b2 /tmp/c3d4 /tmp/a1b2", "<tmp-path:1> <tmp-path:2> <tmp-path:1>"),
        ("open /tmp/tmpab12cd_8/out.txt: no", "open <tmp-path:1>/out.txt: no"),
        ("/tmp/x.json", "<tmp-path:1>.json"),
        ("/var/folders/zz/abc_1/T/k9/f", "<tmp-path:1>/f"),
        ("/private/var/tmp/q", "<tmp-path:1>"),
        ("file:///tmp/q", "file://<tmp-path:1>"),
        ("/tmp/pytest-of-me/pytest-12/t0", "<tmp-path:1>/t0"),
        ("/home/tmp/foo", "/home/tmp/foo"),
        ("/w/case/tmpab12cd_8/x", "/w/case/<tmp-name:1>/x"),
        ("created file 644 .tmpAb12Cd", "created file 644 <tmp-name:1>"),
        ("/tmp", "/tmp"),
    ],
)
def test_temporary_paths(text, expected):
    """Faults 59 and 60: all of them, wherever they stand."""
    assert canon(text) == expected


def test_only_exact_roots_are_rewritten_and_no_backslash():
    r"""Fault 62: `\d` and `/d` stay apart."""
    assert [canon("use \\d+ in C:\\work\\x"), canon("use /d+ in C:\\work\\x")] == [
        "use \\d+ in C:\\work\\x",
        "use /d+ in C:\\work\\x",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pid 123 pid=44 PID: 123.", "pid <pid:1> pid=<pid:2> PID: <pid:1>."),
        ('{"pid": 55}', '{"pid": <pid:1>}'),
        ("server_pid=9", "server_pid=<pid:1>"),
        ("process id 7", "process id <pid:1>"),
        ("pids 12 pidgin 4 process 3 of 10 [123]", "pids 12 pidgin 4 process 3 of 10 [123]"),
    ],
)
def test_process_ids_need_their_word(text, expected):
    assert canon(text) == expected


def test_a_payload_field_named_pid_is_one():
    assert [canon("4711", "pid"), canon("4711", "rows"), canon("x4711", "pid")] == ["<pid:1>", "4711", "x4711"]


def test_colour_is_kept_in_full_and_hides_no_token_beside_it():
    """Fault 13: a build that starts to emit colour differs; and `[32m12ms` still holds a duration."""
    assert canon("\x1b[32m12ms\x1b[0m") == "<ansi+ESC[32m><duration><ansi+ESC[0m>"
    assert canon("\x1b[38:5:1mx") == "<ansi+ESC[38\\x3a5\\x3a1m>x"


def test_ansi_shapes_tell_every_two_sequences_apart():
    shapes = {canon(text) for text in ("\x1b[1m", "\x1b[01m", "\x1b[m", "\x1b[1;1m", "\x1b[1:1m", "\x1bM", "\x1b(B")}
    assert len(shapes) == 7


@pytest.mark.parametrize("field", ["stdout", "stderr", "files", "files:out.txt", "message"])
def test_one_function_covers_every_channel(field):
    """Fault 60."""
    assert canon("at /tmp/abc123", field) == "at <tmp-path:1>"


@pytest.mark.parametrize("field", ["status", "exit", "exit_code", "returncode", "leftovers"])
def test_how_a_step_ended_is_never_touched(field):
    """Fault 52."""
    assert canon("pid 12 died after 3s", field) == "pid 12 died after 3s"


def test_the_documentation_lists_the_rules_in_order():
    page = (Path(__file__).parents[2] / "docs" / "noise.md").read_text("utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \|", page, flags=re.MULTILINE)
    assert listed == list(dict.fromkeys(matcher.name for matcher in BUILTIN))
