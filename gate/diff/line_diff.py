"""A bounded line diff: equal ends are cut off by comparing, the rest is aligned only while it is small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

MAX_ALIGNED = 400
"""Lines of either side, after equal ends are cut off, that are aligned. Beyond it time would grow with the square."""

LEAD = 40
"""Bytes shown before the first difference of a long line."""

CONTEXT = 2
"""Equal lines shown around a difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One line of a diff."""

    sign: str
    """`-`, `+`, a space for an equal line, `@` for the place of what follows, `~` for a remark."""
    text: bytes
    start: int = 0
    """Bytes at the start of the line that need not be shown: its counterpart begins with the same."""


def line_edits(old: Sequence[bytes], new: Sequence[bytes], *, limit: int) -> Iterator[Edit]:
    """How `old` becomes `new`. Where both are too large to align: the first `limit` lines of either side, after a remark.

    Nothing for equal sides. Takes time linear in the lines beyond `MAX_ALIGNED`.
    """
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1]) if head < min(len(old), len(new)) else 0
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    if not left and not right:
        return
    if min(len(left), len(right)) and max(len(left), len(right)) > MAX_ALIGNED:
        yield from _unaligned(left, right, head, limit)
        return
    around = slice(max(0, head - CONTEXT), head), slice(len(old) - tail, len(old) - tail + CONTEXT)
    yield Edit(sign="@", text=b"line %d" % (head + 1))
    yield from (Edit(sign=" ", text=line) for line in old[around[0]])
    yield from _aligned(left, right, head)
    yield from (Edit(sign=" ", text=line) for line in old[around[1]])


def _common(left: Sequence[bytes], right: Sequence[bytes]) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (old, new) in pairs if old != new), min(len(left), len(right)))


def _aligned(old: Sequence[bytes], new: Sequence[bytes], offset: int) -> Iterator[Edit]:
    for tag, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        if tag != "equal":
            yield from _replaced(old[a:b], new[c:d])
        elif b - a <= 2 * CONTEXT + 1:
            yield from (Edit(sign=" ", text=line) for line in old[a:b])
        else:
            yield from (Edit(sign=" ", text=line) for line in old[a : a + CONTEXT])
            yield Edit(sign="@", text=b"line %d" % (offset + b - CONTEXT + 1))
            yield from (Edit(sign=" ", text=line) for line in old[b - CONTEXT : b])


def _unaligned(old: Sequence[bytes], new: Sequence[bytes], head: int, limit: int) -> Iterator[Edit]:
    counts = b"%d old and %d new lines from line %d on" % (len(old), len(new), head + 1)
    yield Edit(sign="~", text=b"too large to align (%s), showing the first %d of each" % (counts, limit))
    yield from _replaced(old[:limit], new[:limit])


def _replaced(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Edit]:
    starts = [max(0, first_difference(*pair) - LEAD) for pair in zip(old, new, strict=False)]
    for sign, side in (("-", old), ("+", new)):
        for index, line in enumerate(side):
            yield Edit(sign=sign, text=line, start=starts[index] if index < len(starts) else 0)


def first_difference(left: bytes, right: bytes) -> int:
    """The offset of the first byte that differs; the shorter length where one begins the other."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
