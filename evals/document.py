"""What a report says, before it is Markdown or HTML. A text in it is text, whatever it holds: only a renderer decides how it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec


class Span(msgspec.Struct, frozen=True):
    """A piece of text that stands out."""

    text: str
    style: Literal["strong", "small", "code"]


Words = tuple[str | Span, ...]
"""One run of text. A `str` is plain."""


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """A title; `level` 1 is the document's."""

    level: int
    words: Words


class Paragraph(msgspec.Struct, frozen=True, kw_only=True):
    """A paragraph. `alarm`: nobody may overlook it."""

    words: Words
    alarm: bool = False


class Bullets(msgspec.Struct, frozen=True, kw_only=True):
    """A list. At least one item."""

    items: tuple[Words, ...]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Every row is as long as the head."""

    head: tuple[Words, ...]
    rows: tuple[tuple[Words, ...], ...]


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture: SVG of our own making, which stands in the HTML and beside the Markdown."""

    file: str
    """The name beside the Markdown."""
    about: str
    svg: str


Block = Heading | Paragraph | Bullets | Table | Picture


def strong(text: str) -> Span:
    """Text that stands out."""
    return Span(text, "strong")


def small(text: str) -> Span:
    """An aside."""
    return Span(text, "small")


def code(text: str) -> Span:
    """Text as it was typed, read or printed."""
    return Span(text, "code")


def heading(level: int, *words: str | Span) -> Heading:
    """A title of that level."""
    return Heading(level=level, words=words)


def say(*words: str | Span) -> Paragraph:
    """A paragraph."""
    return Paragraph(words=words)


def alarm(*words: str | Span) -> Paragraph:
    """A paragraph that nobody may overlook."""
    return Paragraph(words=words, alarm=True)


def bullets(items: Sequence[Words]) -> list[Bullets]:
    """A list of these items; nothing for none."""
    return [Bullets(items=tuple(items))] if items else []


def table(head: Sequence[str | Words], rows: Sequence[Sequence[str | Words]]) -> Table:
    """A table; a cell that is a `str` is plain. Raises ValueError where a row is not as long as the head."""
    if any(len(row) != len(head) for row in rows):
        raise ValueError("expected rows as long as the head")
    return Table(head=_cells(head), rows=tuple(map(_cells, rows)))


def own(text: str) -> Words:
    """A sentence of this program's own, where what stands between backticks is code. Never for a text from elsewhere."""
    parts = re.split(r"`([^`]*)`", text)
    return tuple(code(part) if number % 2 else part for number, part in enumerate(parts) if part)


def _cells(cells: Sequence[str | Words]) -> tuple[Words, ...]:
    return tuple((cell,) if isinstance(cell, str) else cell for cell in cells)
