"""Two texts as lines side by side: each old line beside the new line that it became. Bounded; for people, never part of a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from gate.diff.line_diff import MAX_ALIGNED
from gate.diff.words import common_start, words

CONTEXT = 3
"""Equal lines shown on either side of a difference."""

MAX_MATCHED = 20
"""Lines of either side of one difference whose likeness is measured; longer ones stand side by side as they come."""

_WORDS_READ = 2000
"""Bytes at the start of a line whose words tell how alike two lines are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One row: an old line, the new line beside it, or one of them alone; each with its number from 1."""

    old: bytes | None = None
    new: bytes | None = None
    old_number: int = 0
    """0 where there is no old line."""
    new_number: int = 0
    """0 where there is no new line."""

    @property
    def equal(self) -> bool:
        """Whether both sides have this very line."""
        return self.old == self.new


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Equal lines that are not shown."""

    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unaligned:
    """A remark: what follows is too large to align, and stands side by side line by line."""

    old: int
    new: int


Row = Pair | Fold | Unaligned


def line_pairs(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Row]:
    """The rows, folded where more than `CONTEXT` lines on either side of a difference are equal; none for equal texts.

    Without folds and remarks the old sides are the old lines in order, the new sides the new lines. Time grows with the lines alone,
    beyond `MAX_ALIGNED` of them.
    """
    head = common_start(old, new)
    tail = common_start(old[head:][::-1], new[head:][::-1])
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    if not left and not right:
        return
    yield from _equal(old[:head], 0, 0, before=False)
    if left and right and max(len(left), len(right)) > MAX_ALIGNED:
        yield Unaligned(old=len(left), new=len(right))
        yield from _beside(left, right, head, head)
    else:
        for tag, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
            if tag == "equal":
                yield from _equal(left[a:b], head + a, head + c)
            else:
                yield from _changed(left[a:b], right[c:d], head + a, head + c)
    yield from _equal(old[len(old) - tail :], len(old) - tail, len(new) - tail, after=False)


def _equal(lines: Sequence[bytes], old: int, new: int, *, before: bool = True, after: bool = True) -> Iterator[Row]:
    """Lines that both have, behind `old` and `new` others. `before`, `after`: whether a difference stands there."""
    first, last = CONTEXT * before, CONTEXT * after
    left_out = len(lines) - first - last
    if left_out <= 1:  # a remark would take the place of the line
        first, last, left_out = len(lines), 0, 0
    for index in range(first):
        yield Pair(old=lines[index], new=lines[index], old_number=old + index + 1, new_number=new + index + 1)
    if left_out:
        yield Fold(lines=left_out)
    for index in range(len(lines) - last, len(lines)):
        yield Pair(old=lines[index], new=lines[index], old_number=old + index + 1, new_number=new + index + 1)


def _changed(left: Sequence[bytes], right: Sequence[bytes], old: int, new: int) -> Iterator[Pair]:
    if not left or not right or len(left) == len(right) or max(len(left), len(right)) > MAX_MATCHED:
        yield from _beside(left, right, old, new)
        return
    a = b = 0
    for x, y in [*_matches(left, right), (len(left), len(right))]:
        yield from _beside(left[a:x], right[b:y], old + a, new + b, paired=False)
        if x < len(left):
            yield Pair(old=left[x], new=right[y], old_number=old + x + 1, new_number=new + y + 1)
        a, b = x + 1, y + 1


def _beside(
    left: Sequence[bytes], right: Sequence[bytes], old: int, new: int, *, paired: bool = True
) -> Iterator[Pair]:
    """Line by line, in pairs as far as both go; not `paired`: the old ones, then the new ones."""
    both = min(len(left), len(right)) if paired else 0
    for index in range(both):
        yield Pair(old=left[index], new=right[index], old_number=old + index + 1, new_number=new + index + 1)
    for index in range(both, len(left)):
        yield Pair(old=left[index], old_number=old + index + 1)
    for index in range(both, len(right)):
        yield Pair(new=right[index], new_number=new + index + 1)


def _matches(left: Sequence[bytes], right: Sequence[bytes]) -> list[tuple[int, int]]:
    """Which lines stand beside each other: in order, so that the likeness is the greatest in all; unlike ones do not."""
    old, new = ([Counter(words(line[:_WORDS_READ])) for line in side] for side in (left, right))
    best: dict[tuple[int, int], tuple[float, tuple[tuple[int, int], ...]]] = {}
    for x in range(len(left) - 1, -1, -1):
        for y in range(len(right) - 1, -1, -1):
            found = max(best.get((x + 1, y), _NONE), best.get((x, y + 1), _NONE), key=lambda held: held[0])
            likeness = _likeness(old[x], new[y])
            further, pairs = best.get((x + 1, y + 1), _NONE)
            if likeness > 0 and likeness + further >= found[0]:
                found = (likeness + further, ((x, y), *pairs))
            best[x, y] = found
    return list(best[0, 0][1])


_NONE: tuple[float, tuple[tuple[int, int], ...]] = (0.0, ())
_ALIKE = 0.5


def _likeness(old: Counter[bytes], new: Counter[bytes]) -> float:
    """The share of words that both have; 0 where it is below one half."""
    all_of_them = max(old.total(), new.total())
    share = (old & new).total() / all_of_them if all_of_them else 1.0
    return share if share >= _ALIKE else 0.0
