import re

import pytest
from diff_cases import UNHURRIED, compare, literal, run
from hypothesis import given
from hypothesis import strategies as st

from gate.diff.escape import escaped
from gate.diff.findings import Canonical, Change, Placeholder
from gate.diff.kinds import classify
from gate.diff.render import render_change, render_value


def change(old: bytes | None, new: bytes | None) -> Change:
    sides = [None if text is None else literal(text) for text in (old, new)]
    return Change(field="stdout", old=sides[0], new=sides[1], kind=classify("stdout", *sides))


def shown(old: bytes | None, new: bytes | None, **limits: int) -> list[str]:
    return list(render_change(change(old, new), **limits))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"ok \xff\xfe\n", r"ok \xff\xfe\n"),
        ("a\u00a0b".encode(), r"a\u00a0b"),
        ("\ufeffa\u200b\u202e".encode(), r"\ufeffa\u200b\u202e"),
        (b"\x1b[31mred\r\x00\x7f", r"\x1b[31mred\r\x00\x7f"),
        ("\x9b\u2028\u3164\ufe0f\U000e0100".encode(), r"\u009b\u2028\u3164\ufe0f\U000e0100"),
        (b"C:\\x \\xff", r"C:\\x \\xff"),
        ("äö→✓漢".encode(), "äö→✓漢"),
        (b"\xed\xa0\x80", r"\xed\xa0\x80"),
        (b"", ""),
    ],
)
def test_bytes_are_escaped_so_that_a_terminal_obeys_nothing(data, expected):
    """Faults 10, 11 and 77."""
    assert escaped(data) == expected


@UNHURRIED
@given(st.binary(max_size=30), st.binary(max_size=30))
def test_no_two_values_look_alike(left, right):
    assert (escaped(left) == escaped(right)) == (left == right)


@UNHURRIED
@given(st.one_of(st.binary(max_size=30), st.text(max_size=30).map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_escaped_text_is_printable(data):
    assert escaped(data).isprintable()


def test_a_value_in_one_line():
    cut = Canonical(tokens=(b"abc",), size=9, sha256="ab" * 32)
    stopped = Canonical(tokens=(b"abc",), size=3, sha256="ab" * 32, overflow=True)
    token = Canonical(tokens=(b"in ", Placeholder(rule="duration"), b"\n"))
    assert [
        render_value(None),
        render_value(literal(b"")),
        render_value(token),
        render_value(literal(b"x" * 300), 3),
        render_value(cut),
        render_value(stopped),
    ] == [
        "(not observed)",
        '""',
        '"in <duration>\\n"',
        '"xxx"… (300 bytes)',
        '"abc"… (9 bytes)',
        '"abc"… (3 bytes, stopped at the limit)',
    ]


def test_small_values_are_shown_side_by_side():
    """Fault 11."""
    assert shown(b"\xff", b"\xfe") == [r'"\xff" → "\xfe"']
    assert shown(None, b"x\n") == [r'(not observed) → "x\n"']


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a b", "a\u00a0b", r'"a b" → "a\u00a0b"'),
        ("a", "a ", '"a" → "a "'),
        ("ab", "\ufeffab", r'"ab" → "\ufeffab"'),
        ("a\n", "a", r'"a\n" → "a"'),
    ],
)
def test_invisible_differences_are_visible(old, new, expected):
    """Fault 77."""
    assert shown(old.encode(), new.encode()) == [expected]


def test_a_missing_final_newline_of_a_long_text_is_named():
    """Fault 77."""
    assert shown(b"a\nb\n", b"a\nb") == ["only the final newline differs: a newline → none"]


def test_a_trailing_space_deep_in_a_long_line_is_shown_with_its_offset():
    """Fault 77."""
    line = b"x" * 500
    assert shown(line + b" y", line + "\u00a0y".encode()) == [
        "first difference at byte 500 of 502 and 503",
        "- …" + "x" * 40 + " y",
        "+ …" + "x" * 40 + r"\u00a0y",
    ]


def test_a_reordering_is_one_sentence_and_a_diff():
    """Fault 76."""
    rows = shown(b"a\nb\nc\nd\n", b"d\nc\nb\na\n")
    assert rows[0] == "reordered (4 lines, same multiset)"


def test_line_endings_are_one_sentence():
    """Fault 12: one finding, not one a line."""
    assert shown(b"a\r\nb\r\n", b"a\nb\n")[0] == "line endings: 2 CRLF → 2 LF"


def test_a_line_diff_has_context_and_leaves_out_what_is_equal():
    old = b"".join(b"line %d\n" % number for number in range(1, 31))
    new = old.replace(b"line 10\n", b"line ten\n").replace(b"line 25\n", b"")
    assert shown(old, new) == [
        "@ line 10",
        "  line 8",
        "  line 9",
        "- line 10",
        "+ line ten",
        "  line 11",
        "  line 12",
        "@ line 23",
        "  line 23",
        "  line 24",
        "- line 25",
        "  line 26",
        "  line 27",
    ]


def test_added_lines_at_either_end():
    assert shown(b"a\nb\n", b"z\na\nb\n") == ["@ line 1", "+ z", "  a", "  b"]
    assert shown(b"a\nb\n", b"a\nb\nc\n") == ["@ line 3", "  a", "  b", "+ c"]


def test_output_is_bounded_and_says_so():
    old, new = (b"".join(b"%s %d\n" % (word, number) for number in range(100)) for word in (b"old", b"new"))
    rows = shown(old, new, lines=10)
    assert (len(rows), rows[0], rows[-1]) == (11, "@ line 1", "… 191 further lines")


def test_long_lines_are_shown_where_they_differ():
    old, new = (b"head\n" + b"x" * 1000 + last + b"\n" for last in (b"1", b"2"))
    assert shown(old, new, width=80) == [
        "@ line 2",
        "  head",
        "- …" + "x" * 40 + "1",
        "+ …" + "x" * 40 + "2",
    ]


def test_details_are_shown_by_path():
    ((only,),) = [delta.changes for delta in compare([run('{"a": 1}')], [run('{"a": 2, "\\u001b": 3}')]).deltas]
    assert render_change(only) == ("$.a: 1 → 2", r'$["\\u001b"]: (not observed) → 3')


def test_a_masked_change_says_why_it_counts():
    """Fault 52."""
    old, new = run("flags 0x0000000"), run("flags 0x0000001")
    ((only,),) = [delta.changes for delta in compare([old, old], [new, new]).deltas]
    assert render_change(only) == (
        "noise rule address matches here, but the baseline never varied at this place",
        '"flags 0x0000000" → "flags 0x0000001"',
    )


def test_a_difference_after_the_cut_is_told_by_size_and_digest():
    """Fault 8."""
    sides = [Canonical(tokens=(b"abc",), size=size, sha256=digit * 64) for size, digit in ((9, "a"), (8, "b"))]
    assert render_change(Change(field="stdout", old=sides[0], new=sides[1], kind="value")) == (
        "differs after byte 3; only the sizes and digests are known of the rest",
        f'- "abc"… (9 bytes) sha256:{"a" * 64}',
        f'+ "abc"… (8 bytes) sha256:{"b" * 64}',
    )


def test_a_literal_that_spells_a_placeholder_is_told_apart_by_digest():
    old, new = literal(b"<n>"), Canonical(tokens=(Placeholder(rule="n"),))
    rows = render_change(Change(field="stdout", old=old, new=new, kind="value"))
    assert rows == (f'- "<n>" sha256:{old.digest}', f'+ "<n>" sha256:{new.digest}')


def _slightly(count: int, word: str) -> bytes:
    return "".join(f"{number:05d} {'lorem ipsum ' * 5}{word} {number % 7}\n" for number in range(count)).encode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (_slightly(200, "old"), _slightly(200, "new")),
        (_slightly(900, "old"), _slightly(900, "new")),
        (b"x" * 500_000 + b"1" + b"y" * 500_000, b"x" * 500_000 + b"2" + b"y" * 500_000),
        (b"a\nb\n" * 200 + b"old\n" + b"b\na\n" * 200, b"b\na\n" * 200 + b"new\n" + b"a\nb\n" * 200),
        (b"%d\n" * 2_000_000 % tuple(range(2_000_000)), b"%d\n" * 2_000_000 % tuple(reversed(range(2_000_000)))),
        (b"[" + b"1," * 400_000 + b"1]", b"[" + b"1," * 400_000 + b"2]"),
    ],
    ids=["200 lines", "900 lines", "one line", "two words", "2M reversed", "json"],
)
def test_a_large_difference_is_found_and_shown_without_hanging(old, new, no_hang):
    """Fault 69."""
    found = compare([run(old)], [run(new)])
    ((only,),) = [delta.changes for delta in found.deltas]
    rows = render_change(only)
    assert 1 < len(rows) <= 51
    assert all(len(row) < 1000 and row.isprintable() for row in rows)


def test_a_diff_that_is_too_large_to_align_says_what_it_shows():
    """Fault 69."""
    rows = shown(_slightly(900, "old"), _slightly(900, "new"))
    assert rows[0] == "~ too large to align (900 old and 900 new lines from line 1 on), showing the first 24 of each"
    assert [len([row for row in rows if re.match(sign, row)]) for sign in (r"- 0", r"\+ 0")] == [24, 24]
