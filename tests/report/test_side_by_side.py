"""One step before and after, as it looks on a terminal and in a pipe."""

import re

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from gate.diff.findings import Canonical, Change, Delta, Detail, Placeholder
from gate.domain import CaseId
from gate.report.marked_lines import Look
from gate.report.side_by_side import side_by_side

PIPE = Look(width=80, colour=False, split=False)
TERMINAL = Look(width=80, colour=False, split=True)
COLOUR = Look(width=80, colour=True, split=True)


def held(text, **words):
    return Canonical(tokens=(text,) if text else (), **words)


def step(*changes, note=""):
    return Delta(case=CaseId("A"), step=1, command="tool", changes=changes, note=note)


def change(old, new, field="stdout", kind="value", **words):
    old, new = (held(text) if isinstance(text, bytes) else text for text in (old, new))
    return Change(field=field, old=old, new=new, kind=kind, **words)


def table(*numbers):
    return b"".join(b"row %d\n" % number for number in numbers)


LONG = change(
    b"took 12 ms in all, with no error\n" + table(1, 2, 3, 4, 5, 6, 7, 8, 9) + b"gone\n",
    b"took 15 ms in all, with no error\n" + table(1, 2, 3, 4, 5, 6, 7, 8, 9),
)


def test_a_pipe_gets_the_sides_one_under_the_other():
    assert (
        side_by_side(step(LONG), PIPE)
        == """\
stdout: value (11 lines → 10 lines)
 1    - took [-12-] ms in all, with no error
    1 + took {+15+} ms in all, with no error
 2  2   row 1
 3  3   row 2
 4  4   row 3
        … 3 equal lines
 8  8   row 7
 9  9   row 8
10 10   row 9
11    - gone"""
    )


def test_a_terminal_gets_them_beside_each_other():
    assert (
        side_by_side(step(LONG), TERMINAL)
        == """\
stdout: value (11 lines → 10 lines)
 1 took [-12-] ms in all, with no     |  1 took {+15+} ms in all, with no
   error                                   error
 2 row 1                                 2 row 1
 3 row 2                                 3 row 2
 4 row 3                                 4 row 3
   … 3 equal lines
 8 row 7                                 8 row 7
 9 row 8                                 9 row 8
10 row 9                                10 row 9
11 gone                               <"""
    )


def test_a_narrow_terminal_gets_them_one_under_the_other():
    narrow = Look(width=79, colour=False, split=True)
    assert side_by_side(step(LONG), narrow) == side_by_side(step(LONG), PIPE)


def test_colour_takes_the_place_of_marks():
    told = side_by_side(step(LONG), COLOUR)
    assert "[-" not in re.sub("\x1b\\[[0-9;]*m", "", told)
    assert "\x1b[1;31m12\x1b[0m" in told
    assert "\x1b[1;32m15\x1b[0m" in told


def test_short_values_take_one_line_each_and_every_check_is_shown():
    delta = step(change(b"0", b"4", "status", "exit code"), change(b"did two\n", b"went two\n"), note="it ended there")
    assert side_by_side(delta, TERMINAL) == (
        'status: "0" → "4"\n\nstdout: "did two\\n" → "went two\\n"\nnote: it ended there'
    )


def test_a_side_that_was_not_observed_is_said_to_be_so():
    assert side_by_side(step(change(None, b"x\ny\n", "files:a")), PIPE) == (
        "files:a: value ((not observed) → 2 lines)\n  1 + x\n  2 + y"
    )


def test_what_a_program_prints_cannot_steer_the_terminal():
    told = side_by_side(step(change(b"[red]a\x1b[31m\nb\n", b"[red]a\x1b[32m\r\nb\n")), PIPE)
    assert "\x1b" not in told
    assert "[red]a\\x1b" in told


def test_binary_values_are_a_window_of_bytes():
    old = bytes(range(64)) + b"\0" * 200
    assert (
        side_by_side(step(change(old, old[:40] + b"X" + old[41:])), TERMINAL)
        == """\
stdout: value (264 bytes, binary → 264 bytes, binary)
    … 16 equal bytes
    00000010  10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f  ................
  - 00000020  20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 2e 2f   !"#$%&'()*+,-./
  + 00000020  20 21 22 23 24 25 26 27 58 29 2a 2b 2c 2d 2e 2f   !"#$%&'X)*+,-./
    00000030  30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f  0123456789:;<=>?
    00000040  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
    00000050  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
    00000060  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
    … 152 and 152 further bytes"""
    )


def test_a_value_that_was_cut_says_what_was_kept():
    old, new = (held(b"head\n", size=9000, sha256=letter * 64) for letter in "ab")
    assert side_by_side(step(change(old, new)), Look(width=200, colour=False, split=True)) == (
        "stdout: value (9000 bytes → 9000 bytes)\n"
        f"  before: cut; the first 5 of 9000 bytes were kept, sha256:{'a' * 64}\n"
        f"  after: cut; the first 5 of 9000 bytes were kept, sha256:{'b' * 64}\n"
        "  the difference is in what was not kept (replay.keep_bytes)"
    )


def test_a_binary_value_that_differs_beyond_what_was_kept_has_no_window_without_a_change():
    old, new = (held(bytes(256), size=9000, sha256=letter * 64) for letter in "ab")
    assert side_by_side(step(change(old, new)), Look(width=200, colour=False, split=True)) == (
        "stdout: value (9000 bytes → 9000 bytes)\n"
        f"  before: cut; the first 256 of 9000 bytes were kept, sha256:{'a' * 64}\n"
        f"  after: cut; the first 256 of 9000 bytes were kept, sha256:{'b' * 64}\n"
        "  the difference is in what was not kept (replay.keep_bytes)"
    )


def test_the_final_newline_alone_is_told():
    assert side_by_side(step(change(b"a\nb\n", b"a\nb", kind="whitespace")), PIPE) == (
        "stdout: whitespace (2 lines → 2 lines)\n  only the final newline differs: a newline → none"
    )


def test_a_literal_that_looks_like_a_placeholder_is_told_apart():
    old = Canonical(tokens=(b"took ", Placeholder(rule="duration")))
    assert side_by_side(step(change(old, b"took <duration>")), PIPE) == (
        'stdout: "took <duration>" → "took <duration>"  (one side prints literally what a\n'
        "noise rule took out of the other)\n  what was kept of both sides reads the same"
    )


def test_differences_by_path_come_first():
    told = side_by_side(
        step(change(b'{"a":1}\n' * 2, b'{"a":2}\n' * 2, details=(Detail(path="a", old="1", new="2"),))), PIPE
    )
    assert told.splitlines()[1] == "  a: 1 → 2"


def test_huge_outputs_are_bounded(no_hang):
    lines = side_by_side(step(change(b"old x\n" * 1_000_000, b"new x\n" * 1_000_000)), TERMINAL).splitlines()
    assert len(lines) == 84
    assert lines[1].strip().startswith("… 1000000 and 1000000 lines")
    assert lines[-1] == "  … 1000 or more further rows"


def test_a_huge_line_is_shown_around_its_first_difference(no_hang):
    head, tail = b"a" * 500_000 + b" ", b" z" * 250_000
    told = side_by_side(
        step(change(head + b"old" + tail, head + b"new" + tail)), Look(width=200, colour=False, split=False)
    )
    assert "[-old-]" in told
    assert "{+new+}" in told
    assert len(told) < 1500


@given(st.binary(max_size=60), st.binary(max_size=60), st.integers(80, 200), st.booleans())
def test_no_line_is_wider_than_asked_for_and_none_holds_a_control_character(old, new, width, split):
    if old == new:
        return
    told = side_by_side(step(change(old * 3, new * 3)), Look(width=width, colour=False, split=split))
    assert all(cell_len(line) <= width for line in told.splitlines())
    assert all(letter.isprintable() for letter in told.replace("\n", ""))
