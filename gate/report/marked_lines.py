"""Two lines that stand beside each other as cells of a table: escaped, cut around their first difference, changed words marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from gate.diff.escape import escaped
from gate.diff.line_diff import LEAD, first_difference
from gate.diff.line_pairs import Pair
from gate.diff.words import Piece, word_pieces

LEAST_SPLIT = 80
"""Columns below which the sides stand one under the other."""

MAX_LINE = 240
"""Bytes shown of one line, around its first difference."""

OLD, NEW = "red", "green"
"""Colours of the sides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How it is to look."""

    width: int
    """Columns."""
    colour: bool
    """Changed words in colour; else in `[-…-]` and `{+…+}`."""
    split: bool
    """Both sides beside each other; only from `LEAST_SPLIT` columns on."""

    @property
    def beside(self) -> bool:
        """Whether the sides stand beside each other."""
        return self.split and self.width >= LEAST_SPLIT


def marked(row: Pair, look: Look) -> tuple[Text, Text]:
    """Both cells of a row, changed words marked where the lines have any in common."""
    if row.equal:
        text = Text(_cut(row.old or b"", 0))
        return text, text
    if row.old is None or row.new is None:
        return _alone(row.old, OLD), _alone(row.new, NEW)
    start = 0
    if max(len(row.old), len(row.new)) > MAX_LINE:
        start = _boundary(row.old, max(0, first_difference(row.old, row.new) - LEAD))
    pieces = word_pieces(row.old[start : start + MAX_LINE], row.new[start : start + MAX_LINE])
    if not any(piece.equal for piece in pieces):
        return _alone(row.old, OLD, start), _alone(row.new, NEW, start)
    return (
        _in_pieces(pieces, row.old, start, look, ("[-", "-]", OLD)),
        _in_pieces(pieces, row.new, start, look, ("{+", "+}", NEW)),
    )


def _alone(line: bytes | None, style: str, start: int = 0) -> Text:
    return Text("" if line is None else _cut(line, start), style=style)


def _in_pieces(pieces: Sequence[Piece], line: bytes, start: int, look: Look, marks: tuple[str, str, str]) -> Text:
    opening, closing, style = marks
    text = Text("…" if start else "")
    for piece in pieces:
        held = piece.old if style == OLD else piece.new
        if piece.equal:
            text.append(escaped(held))
        elif held:
            shown = escaped(held)
            text.append(shown if look.colour else f"{opening}{shown}{closing}", style=f"bold {style}")
    return text.append(_rest(line, start))


def _cut(line: bytes, start: int) -> str:
    return f"{'…' if start else ''}{escaped(line[start : start + MAX_LINE])}{_rest(line, start)}"


def _rest(line: bytes, start: int) -> str:
    return f"… ({len(line)} bytes)" if start + MAX_LINE < len(line) else ""


def _boundary(line: bytes, start: int) -> int:
    """The start of the character that the byte at `start` belongs to, as far as it is UTF-8."""
    back = start
    while back and start - back < 3 and line[back : back + 1] and 0x80 <= line[back] < 0xC0:
        back -= 1
    return back
