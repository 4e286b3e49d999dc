"""The pins file: stable to write, strict to read."""

import json

import msgspec
import pytest
from hypothesis import given
from packs import file, folder, link, pack, packs

from gate.errors import FixtureError, GateError, PinsError
from gate.hashing.pack import Pack, require_portable
from gate.hashing.pins import Pins, make_pins, parse_pins, read_pins, render_pins, write_pins

SUM = "sha256:" + "0123456789abcdef" * 4
JUDGE = {"config": SUM, "noise": f"gate-noise-1:{SUM}", "corpus": SUM}
PACK = pack(
    file("é.txt".encode(), b"x"),
    file(b"\xff", b"y", executable=True),
    link(b"l", b"\xfe"),
    folder(b"inbox"),
    file(b"a\nb"),
)
PINS = make_pins(PACK, JUDGE, canonical=3)
TEXT = render_pins(PINS)
EMPTY = render_pins(make_pins(Pack(), {}, canonical=1))


def fault(text: str | bytes) -> PinsError:
    with pytest.raises(PinsError) as caught:
        parse_pins(text.encode() if isinstance(text, str) else text)
    return caught.value


def test_pins_are_one_entry_a_line_in_ascii():
    assert (
        "{\n"
        '  "version": 1,\n'
        '  "canonical": 3,\n'
        '  "judge": {\n'
        f'    "config": "{SUM}",\n'
        f'    "corpus": "{SUM}",\n'
        f'    "noise": "gate-noise-1:{SUM}"\n'
        "  },\n"
        '  "fixtures": {\n'
        f'    "digest": "{PACK.digest}",\n'
        '    "entries": [\n'
        '      {"kind": "file", "path": "a\\nb", "executable": false, "size": 0, "sha256": '
        '"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},\n'
        '      {"kind": "directory", "path": "inbox"},\n'
        '      {"kind": "link", "path": "l", "target": {"b64": "/g=="}},\n'
        '      {"kind": "file", "path": "\\u00e9.txt", "executable": false, "size": 1, "sha256": '
        '"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"},\n'
        '      {"kind": "file", "path": {"b64": "/w=="}, "executable": true, "size": 1, "sha256": '
        '"a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa"}\n'
        "    ]\n"
        "  }\n"
        "}\n"
    ) == TEXT


def test_pins_of_nothing_are_written_and_read():
    assert (
        '{\n  "version": 1,\n  "canonical": 1,\n  "judge": {\n  },\n  "fixtures": {\n'
        f'    "digest": "{Pack().digest}",\n    "entries": [\n    ]\n  }}\n}}\n'
    ) == EMPTY
    assert parse_pins(EMPTY.encode()).pack == Pack()


def test_a_written_file_is_read_back(tmp_path):
    write_pins(tmp_path / "gate" / "pins.json", PINS)
    assert read_pins(tmp_path / "gate" / "pins.json") == PINS
    assert (tmp_path / "gate" / "pins.json").read_text() == TEXT


@given(packs)
def test_what_is_rendered_is_what_was_pinned(drawn):
    """Only packs that are the same everywhere can be pinned."""
    pins = make_pins(drawn, JUDGE, canonical=1)
    try:
        require_portable(drawn)
    except FixtureError:
        with pytest.raises(FixtureError):
            parse_pins(render_pins(pins).encode())
    else:
        assert parse_pins(render_pins(pins).encode()) == pins
        assert pins.pack == drawn


def test_the_order_in_which_the_judge_was_given_does_not_show():
    backwards = dict(reversed(PINS.judge.items()))
    assert render_pins(msgspec.structs.replace(PINS, judge=backwards)) == TEXT


def test_a_missing_file_says_how_to_pin(tmp_path):
    with pytest.raises(PinsError) as caught:
        read_pins(tmp_path / "pins.json")
    expected = f"{tmp_path}/pins.json: expected the pins of the judge, found no file\nPin them: gate pin"
    assert caught.value.diagnostics() == expected


def test_a_stray_carriage_return_is_named_by_its_line():
    """Fault 35."""
    assert fault(TEXT.replace("\n", "\r\n")).diagnostics() == (
        "pins.json:1: expected line feeds alone, got a carriage return\n"
        "Line endings were rewritten on checkout: add 'pins.json -text' to .gitattributes and check it out again."
    )
    assert fault(TEXT.replace('"judge": {\n', '"judge": {\r\n')).what.startswith(
        "pins.json:4: expected line feeds alone"
    )


@pytest.mark.parametrize(
    ("old", "new", "got"),
    [
        ('"version": 1', '"version": 0', "expected version 1, got 0"),
        ('"version": 1', '"version": 2, "later": {}', "expected version 1, got 2"),
        ("gate-pack-1:", "gate-pack-0:", "expected a digest of gate-pack-1, got 'gate-pack-0:sha256:"),
        ("gate-pack-1:", "", "expected a digest of gate-pack-1, got 'sha256:"),
    ],
)
def test_pins_of_another_version_are_recognised_and_refused(old, new, got):
    """Fault 37."""
    error = fault(TEXT.replace(old, new))
    assert error.what.startswith(f"pins.json: {got}")
    assert error.next_step == "Look at what changed and re-pin with review, in a commit of its own: gate pin"


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (
            '  "canonical": 3,',
            '  "canonical": 3,\n  "canonical": 4,',
            "4: duplicate key 'canonical': line 3 has it already",
        ),
        ('  "canonical": 3,', '  "canonical": 3,\n  "waiver": 1,', "4: waiver: unknown key"),
        ('"path": "inbox"', '"path": "inbox", "mode": 1', "13: fixtures.entries[1].mode: unknown key"),
        ('  "canonical": 3,\n', "", "1: top level: Object missing required field `canonical`"),
        ('"canonical": 3', '"canonical": "3"', "3: canonical: Expected `int`, got `str`"),
        ('"version": 1', '"version": true', "2: version: Expected `int`, got `bool`"),
        ('"size": 0', '"size": "0"', "12: fixtures.entries[0].size: Expected `int`, got `str`"),
        ('"kind": "directory"', '"kind": "door"', "13: fixtures.entries[1].kind: Invalid value 'door'"),
        ('"size": 0', '"size": -1', "12: fields do not fit a file: 'a\\nb'"),
        ('"path": "inbox"', '"path": "../x"', "13: not a path inside a folder: '../x'"),
        ('"path": "inbox"', '"path": "z"', "11: entries are not sorted or not unique at 'l'"),
        ('"/g=="', '"/g"', "14: not base64: '/g'"),
        (
            f'"corpus": "{SUM}"',
            '"corpus": "sha256:00"',
            "6: judge.'corpus': expected 'sha256:' and 64 hex digits, got 'sha256:00'",
        ),
        ('"size": 1', '"size": 2', f"11: expected entries with the digest '{PACK.digest}', got gate-pack-1:sha256:"),
    ],
)
def test_every_fault_is_told_with_its_line(old, new, what):
    error = fault(TEXT.replace(old, new, 1))
    assert error.what.startswith(f"pins.json:{what}")
    assert "gate pin" in error.next_step


@pytest.mark.parametrize("data", [b"", b"\xff", b"[" * 100_000, b"[]", b"1", b"\xef\xbb\xbf{}", b'{"version": NaN}'])
def test_what_is_no_pins_file_is_refused(data):
    assert fault(data).what.startswith("pins.json:1: ")


def test_pinned_entries_are_held_to_what_can_be_unpacked_safely():
    """Fault 26: the sandbox is built from the pins."""
    with pytest.raises(FixtureError, match="'/etc' is absolute"):
        parse_pins(render_pins(make_pins(pack(link(b"l", b"/etc")), {}, canonical=1)).encode())


def test_every_cut_of_a_pins_file_is_refused():
    for end in range(len(TEXT) - 1):
        with pytest.raises(GateError):
            parse_pins(TEXT[:end].encode())


def test_what_is_no_digest_cannot_be_pinned():
    with pytest.raises(ValueError, match="no digest to pin 'noise' with: '0123'"):
        make_pins(Pack(), {"noise": "0123"}, canonical=1)


def test_a_judge_name_that_looks_like_json_is_only_a_name():
    pins = make_pins(Pack(), {'a": 1,\n': SUM}, canonical=1)
    assert parse_pins(render_pins(pins).encode()) == pins
    assert isinstance(json.loads(render_pins(pins)), dict)
    assert isinstance(pins, Pins)
