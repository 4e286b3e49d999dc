"""Kinds that only the whole step tells: what left one stream and is on the other."""

import pytest
from diff_cases import compare, literal, run

from gate.diff.findings import Change
from gate.diff.kinds import in_step


def kinds(*sides: tuple[str, str, str]) -> list[str]:
    changes = [
        Change(field=field, old=literal(old.encode()), new=literal(new.encode()), kind="value")
        for field, old, new in sides
    ]
    return [change.kind for change in in_step(changes)]


def test_lines_that_went_from_one_stream_to_the_other_moved():
    assert kinds(("stdout", "warn\ndone\n", "done\n"), ("stderr", "", "warn\n")) == ["stream moved"] * 2
    assert kinds(("stdout", "", "warn\n"), ("stderr", "warn\n", "")) == ["stream moved"] * 2


@pytest.mark.parametrize(
    ("out", "err", "expected"),
    [
        (("a\n", ""), ("", "a\nb\n"), ["stream moved", "value"]),
        (("a\nb\n", ""), ("", "a\n"), ["value", "stream moved"]),
        (("a\n", "c\n"), ("", "a\n"), ["value", "stream moved"]),
        (("a\n", ""), ("", "b\n"), ["value", "value"]),
        (("a\na\n", ""), ("", "a\n"), ["value", "stream moved"]),
    ],
)
def test_a_stream_that_changed_otherwise_too_keeps_its_kind(out, err, expected):
    assert kinds(("stdout", *out), ("stderr", *err)) == expected


def test_one_stream_alone_moves_nothing():
    assert kinds(("stdout", "a\n", "")) == ["value"]
    assert kinds(("stdout", "a\n", ""), ("rows", "", "a\n")) == ["value", "value"]


def test_a_comparison_tells_what_moved():
    found = compare([run({"stdout": "warn\n", "stderr": ""})], [run({"stdout": "", "stderr": "warn\n"})])
    assert [change.kind for change in found.deltas[0].changes] == ["stream moved"] * 2
