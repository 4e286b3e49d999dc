"""Lines beside each other: nothing is lost, nothing is out of order, and what was inserted stands alone."""

from hypothesis import given
from hypothesis import strategies as st

from gate.diff.line_pairs import Fold, Pair, Unaligned, line_pairs

LINES = st.lists(st.sampled_from([b"a b c", b"a b d", b"x", b"", b"y z", b"y"]), max_size=40)


def shown(old, new):
    return [(row.old, row.new) if isinstance(row, Pair) else row for row in line_pairs(old, new)]


@given(LINES, LINES)
def test_the_rows_hold_every_line_that_is_not_folded_in_order(old, new):
    left, right = [], []
    for row in line_pairs(old, new):
        if isinstance(row, Fold):
            left += old[len(left) : len(left) + row.lines]
            right += new[len(right) : len(right) + row.lines]
        elif isinstance(row, Pair):
            if row.old is not None:
                left.append(row.old)
                assert row.old_number == len(left)
            if row.new is not None:
                right.append(row.new)
                assert row.new_number == len(right)
    assert (left, right) == ((old, new) if old != new else ([], []))


def test_a_line_that_was_put_in_stands_alone_and_the_changed_line_beside_its_like():
    assert shown([b"took 12 ms"], [b"a note", b"took 15 ms"]) == [(None, b"a note"), (b"took 12 ms", b"took 15 ms")]


def test_equal_stretches_are_folded_and_keep_three_lines_around_a_difference():
    same = [b"%d" % number for number in range(10)]
    assert shown([*same, b"old", *same], [*same, b"new", *same]) == [
        Fold(lines=7),
        *((line, line) for line in same[-3:]),
        (b"old", b"new"),
        *((line, line) for line in same[:3]),
        Fold(lines=7),
    ]


def test_one_equal_line_is_shown_and_not_folded():
    same = [b"1", b"2", b"3", b"4"]
    assert shown([*same, b"old"], [*same, b"new"]) == [*((line, line) for line in same), (b"old", b"new")]


def test_a_million_lines_are_laid_out_line_by_line(no_hang):
    old, new = ([b"%s %d" % (word, number) for number in range(1_000_000)] for word in (b"old", b"new"))
    rows = line_pairs(old, new)
    assert next(rows) == Unaligned(old=1_000_000, new=1_000_000)
    assert sum(isinstance(row, Pair) for row in rows) == 1_000_000
