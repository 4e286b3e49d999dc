"""What changed of the blanks and line ends between the words of a text. For people and for groups; no verdict rests on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Sort = Literal[
    "blank lines fewer", "blank lines more", "blank lines moved", "indentation", "line end", "spacing", "line breaks"
]
"""`line end`: blanks before it; `spacing`: between the words of a line; `line breaks`: words moved between lines."""


@dataclass(frozen=True, slots=True)
class Blanks:
    """One sort of change, and on how many lines."""

    sort: Sort
    lines: int

    @property
    def words(self) -> str:
        """`3 blank lines fewer`, `indentation of 1 line`."""
        count = f"{self.lines} {'line' if self.lines == 1 else 'lines'}"
        match self.sort:
            case "blank lines fewer" | "blank lines more":
                name, more = self.sort.rsplit(" ", 1)
                return f"{self.lines} {name if self.lines != 1 else 'blank line'} {more}"
            case "blank lines moved":
                return self.sort
            case "line breaks":
                return f"line breaks, of {count}"
            case _:
                return f"{self.sort} of {count}"


def blanks(old: bytes, new: bytes) -> tuple[Blanks, ...]:
    """What changed, in a fixed order; at least one sort where the texts differ in blanks alone, none for equal texts. Linear."""
    return tuple(_found(old, new)) if old != new else ()


def _found(old: bytes, new: bytes) -> Iterator[Blanks]:
    left, right = old.split(b"\n"), new.split(b"\n")
    before, after = ([line for line in lines if line.strip()] for lines in (left, right))
    if [b"".join(line.split()) for line in before] != [b"".join(line.split()) for line in after]:
        yield Blanks("line breaks", max(len(before), len(after)))
        return
    empty = (len(left) - len(before)) - (len(right) - len(after))
    if empty:
        yield Blanks("blank lines fewer" if empty > 0 else "blank lines more", abs(empty))
    elif [not line.strip() for line in left] != [not line.strip() for line in right]:
        yield Blanks("blank lines moved", 0)
    pairs = list(zip(before, after, strict=True))
    starts = sum(_indent(a) != _indent(b) for a, b in pairs)
    inside = sum(a.strip() != b.strip() for a, b in pairs)
    ends = sum(_end(a) != _end(b) for a, b in pairs)
    ends += sum(a != b for a, b in zip(_only_blank(left), _only_blank(right), strict=False))
    for sort, count in (("indentation", starts), ("spacing", inside), ("line end", ends)):
        if count:
            yield Blanks(sort, count)  # type: ignore[arg-type]


def _only_blank(lines: list[bytes]) -> list[bytes]:
    return [line for line in lines if not line.strip()]


def _indent(line: bytes) -> bytes:
    return line[: len(line) - len(line.lstrip())]


def _end(line: bytes) -> bytes:
    return line[len(line.rstrip()) :]
