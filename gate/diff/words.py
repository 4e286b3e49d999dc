"""Two lines as words: which stretches are equal, and which became which. Exact and bounded; for people, never part of a verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

MAX_WORDS = 300
"""Words of either line, after equal ends are cut off, that are aligned. Beyond it what lies between is one change."""

_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+|[ \t]+|[^A-Za-z0-9_\x80-\xff \t]", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of two lines. Equal where `old` is `new`; one of them may be empty, never both."""

    old: bytes
    new: bytes

    @property
    def equal(self) -> bool:
        """Whether both lines have it."""
        return self.old == self.new


def word_pieces(old: bytes, new: bytes) -> tuple[Piece, ...]:
    """Both lines in pieces, from left to right; none for two empty lines.

    The old sides put together are `old`, the new sides `new`. Equal and changed pieces take turns. A word is never cut, so that a
    character of several bytes is not either. Takes time linear in the lines beyond `MAX_WORDS`.
    """
    left, right = words(old), words(new)
    head = common_start(left, right)
    tail = common_start(left[head:][::-1], right[head:][::-1])
    middle = left[head : len(left) - tail], right[head : len(right) - tail]
    ends = _equal(left[:head]), _equal(left[len(left) - tail :])
    return tuple(_joined([*ends[0], *_changed(*middle), *ends[1]]))


def words(line: bytes) -> list[bytes]:
    """The words of a line: letters, digits and all bytes that are no ASCII together, blanks together, any other byte by itself."""
    return _WORD.findall(line)


def common_start(left: Sequence[bytes], right: Sequence[bytes]) -> int:
    """How many of the first words (or lines) both have."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (old, new) in pairs if old != new), min(len(left), len(right)))


def _equal(held: Sequence[bytes]) -> list[Piece]:
    text = b"".join(held)
    return [Piece(old=text, new=text)] if text else []


def _changed(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Piece]:
    if not old and not new:
        return
    if not old or not new or max(len(old), len(new)) > MAX_WORDS:
        yield Piece(old=b"".join(old), new=b"".join(new))
        return
    for _, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield Piece(old=b"".join(old[a:b]), new=b"".join(new[c:d]))


def _joined(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces with a blank between two changes taken into them, and neighbours of one sort put together: fewer, longer marks."""
    held: Piece | None = None
    for index, piece in enumerate(pieces):
        inside = piece.equal and not piece.old.strip(b" \t") and 0 < index < len(pieces) - 1
        sort = piece.equal and not inside
        if held is not None and sort == held.equal:
            held = Piece(old=held.old + piece.old, new=held.new + piece.new)
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held
