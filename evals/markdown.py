"""A document as Markdown of the CommonMark kind with tables. No text in it can become a link, a picture, markup or a line of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from auditor.drafting.fence import visible_line
from evals.document import Block, Bullets, Heading, Picture, Span, Table, Words

_SPECIAL = re.compile(r"[\\`*\[\]<>&|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?=//)|(?<=www)\.")
_START = re.compile(r"([#+=-])|(\d+)([.)])")
_TICKS = re.compile(r"`+")


def markdown(blocks: Sequence[Block]) -> str:
    """The document, with one line feed at its end."""
    return "\n\n".join("\n".join(_lines(block)) for block in blocks) + "\n"


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"{'#' * block.level} {_words(block.words)}"
    elif isinstance(block, Bullets):
        yield from (f"- {_at_start(_words(item))}" for item in block.items)
    elif isinstance(block, Table):
        yield _row(block.head)
        yield f"|{' --- |' * len(block.head)}"
        yield from map(_row, block.rows)
    elif isinstance(block, Picture):
        yield f"![{_plain(block.about)}]({block.file})"
    else:
        words = _at_start(_words(block.words))
        yield f"> {words}" if block.alarm else words


def _row(cells: Sequence[Words]) -> str:
    return f"| {' | '.join(_words(cell, in_table=True) for cell in cells)} |"


def _words(words: Words, *, in_table: bool = False) -> str:
    return "".join(_plain(part) if isinstance(part, str) else _span(part, in_table=in_table) for part in words)


def _span(span: Span, *, in_table: bool) -> str:
    if not span.text:
        return ""
    if span.style == "code":
        return _code(span.text).replace("|", "\\|") if in_table else _code(span.text)
    mark = "**" if span.style == "strong" else "*"
    return f"{mark}{_plain(span.text)}{mark}"


def _plain(text: str) -> str:
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", visible_line(text))


def _code(text: str) -> str:
    """As code, whatever backticks it holds: between more of them than it has in a row."""
    shown = visible_line(text)
    ticks = "`" * (1 + max((len(found) for found in _TICKS.findall(shown)), default=0))
    blank = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{ticks}{blank}{shown}{blank}{ticks}"


def _at_start(text: str) -> str:
    """`text` so that its beginning makes no heading, list, rule or block of code."""
    text = text.lstrip(" ")
    found = _START.match(text)
    if found is None:
        return text
    return f"\\{text}" if found[1] else f"{found[2]}\\{text[len(found[2]) :]}"
