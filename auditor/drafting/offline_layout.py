"""Where the sentences of a stated intent stand, and under which headings, lead-ins and bullet points."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """Where one sentence, bullet point or heading stands."""

    start: int
    end: int
    box: str
    """Its tick box, `[x] `; empty where it has none."""
    over: tuple[str, ...]
    """What stands over it: its headings, the bullet points it is nested in, a line that ends in a colon."""
    block: int
    """Sentences with no empty line, and no bullet point of the same depth, between them have the same number."""


class _Paragraph(NamedTuple):
    """One paragraph, heading, bullet point or unwrapped line, without its bullet."""

    start: int
    end: int
    box: str
    indent: int
    level: int
    """Of a heading, from 1; 0 for anything else."""
    bullet: bool
    apart: bool
    """Whether an empty line, or one without words, stands before it."""


_HIDDEN_BLOCK = re.compile(
    r"<!--.*?(?:-->|\Z)|^(```|~~~).*?(?:^\1|\Z)|~~(?!~).+?~~|<(?P<tag>del|s|strike|details|blockquote|pre)>.*?(?:</(?P=tag)>|\Z)",
    re.DOTALL | re.MULTILINE,
)
_SKIPPED = re.compile(r"\s*(?:>|\||[A-Z][\w-]*-by: |Change-Id: |Fixes: [0-9a-f]{7})")
_LEAD = re.compile(r"(?P<indent>\s*)(?:(?P<head>#{1,6}) |[-*+\u2022] |\d{1,3}[.)] )?(?P<box>\[[ xX]\] )?")
_UNDERLINE = re.compile(r"\s{0,3}(?:=+|-{2,})\s*")
_END = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)[.!?](?=\s|$)")
_WRAPPED = 50


def spans(intent: str) -> Iterator[Span]:
    """The sentences of a text in order, headings among them.

    Comments in HTML, what is struck out, fenced code, tables, quoted paragraphs (`>`) and trailers hold none. A wrapped line goes on
    in the next one.
    """
    blanked = _HIDDEN_BLOCK.sub(lambda match: re.sub(r"[^\n]", "\0", match[0]), intent)
    for paragraph, over, block in _outlined(tuple(_paragraphs(blanked)), blanked):
        at = paragraph.start
        stops = (match.start() for match in _END.finditer(blanked, paragraph.start, paragraph.end))
        for stop in [*stops, paragraph.end]:
            first, last = at, stop
            while first < last and blanked[first] in " \t\n.!?":
                first += 1
            while last > first and blanked[last - 1].isspace():
                last -= 1
            if first < last:
                yield Span(first, last, paragraph.box, over, block)
            at = stop


def _paragraphs(text: str) -> Iterator[_Paragraph]:
    held: _Paragraph | None = None
    at, wrapped, quoted, apart = 0, False, False, True
    for line in text.split("\n"):
        start, end = at, at + len(line.rstrip())
        at += len(line) + 1
        lead = _LEAD.match(line)
        marked = bool(lead and lead[0].strip())
        quoted = bool(line.strip()) and (line.lstrip().startswith(">") or (quoted and not marked))
        if held and _UNDERLINE.fullmatch(line):
            yield held._replace(level=1 if "=" in line else 2)
            held, apart = None, True
        elif quoted or "\0" in line or not line.strip() or _SKIPPED.match(line):
            if held:
                yield held
            held, apart = None, True
        elif held and not marked and (line.startswith("  ") or wrapped):
            held = held._replace(end=end)
        elif lead:
            if held:
                yield held
            level = len(lead["head"] or "")
            held = _Paragraph(
                start + lead.end(), end, lead["box"] or "", len(lead["indent"]), level, marked and not level, apart
            )
            apart = False
        wrapped = len(line.rstrip()) >= _WRAPPED and line.rstrip()[-1] not in ".!?:;"
    if held:
        yield held


def _outlined(paragraphs: Sequence[_Paragraph], text: str) -> Iterator[tuple[_Paragraph, tuple[str, ...], int]]:
    """Each paragraph with what stands over it and the number of its block.

    A paragraph that ends in a colon stands over the list or the block that follows, as one does that is as short as a title
    over a list; another one stands over a list that follows at once.
    """
    headings: list[_Paragraph] = []
    points: list[_Paragraph] = []
    lead: _Paragraph | None = None
    block = begun = 0
    for one in paragraphs:
        deeper = bool(points) and one.indent > points[-1].indent
        block += one.apart or bool(one.level) or (one.bullet and not deeper)
        points = [] if one.level else [point for point in points if point.indent < one.indent]
        if one.level:
            headings, lead = [head for head in headings if head.level < one.level], None
        elif one.bullet:
            lead = lead if lead and (lead.bullet or not one.apart or _titles(lead, text)) else None
        elif lead and not (_colon(lead, text) and (begun in (0, block)) and not lead.bullet):
            lead = None
        over = [*headings, *([lead] if lead else []), *points]
        yield one, tuple(text[each.start : each.end] for each in over), block
        if one.level:
            headings.append(one)
        elif one.bullet:
            points.append(one)
            lead = lead._replace(bullet=True) if lead else None
        elif lead:
            begun = block
        else:
            lead, begun = one, 0


def _titles(paragraph: _Paragraph, text: str) -> bool:
    """Whether a paragraph stands over a list that an empty line parts from it: by its colon, or short and without a full stop."""
    return _colon(paragraph, text) or (
        paragraph.end - paragraph.start <= _WRAPPED and text[paragraph.end - 1] not in ".!?"
    )


def _colon(paragraph: _Paragraph, text: str) -> bool:
    return text[paragraph.start : paragraph.end].rstrip(" *_").endswith(":")
