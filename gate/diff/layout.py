"""Padding that follows the width of what a noise rule takes out: table cells, rulers, borders. Line by line, and only where it moves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.diff.canonical import Form, Span

_PADDING = re.compile(rb"(?P<blank>[ \t]+)|(?P<ruler>-{2,}|={2,}|_{2,}|\+{2,}|(?:\xe2[\x94\x95][\x80-\xbf]){2,})")

Line = tuple[bytes | Span, ...]


def moving_lines(runs: Sequence[Form | None]) -> frozenset[int]:
    """The lines, from 0, on which the runs differ in nothing but runs of blanks and of border characters.

    None where a run did not observe the value, took nothing out of it, or has another number of lines: nothing else moves padding.
    """
    if any(held is None or not held.spans for held in runs):
        return frozenset()
    rows = [_lines(held) for held in runs if held is not None]
    if len({len(lines) for lines in rows}) > 1:
        return frozenset()
    columns = enumerate(zip(*rows, strict=True))
    return frozenset(
        number for number, lines in columns if len(set(lines)) > 1 and len({_relaxed(line) for line in lines}) == 1
    )


def relaxed(held: Form, moving: frozenset[int]) -> Form:
    """`held` with every run of blanks on the moving lines as one space, and every run of border characters as one of them."""
    parts: list[bytes | Span] = []
    for number, line in enumerate(_lines(held)):
        _add(parts, b"\n" if number else b"")
        for part in _relaxed(line) if number in moving else line:
            _add(parts, part)
    return Form(parts=tuple(parts), size=held.size, sha256=held.sha256, overflow=held.overflow)


def _add(parts: list[bytes | Span], part: bytes | Span) -> None:
    """Add a part so that no literal is empty, and no two stand side by side."""
    if isinstance(part, bytes) and parts and isinstance(parts[-1], bytes):
        parts[-1] += part
    elif part != b"":
        parts.append(part)


def _lines(held: Form) -> list[Line]:
    lines: list[list[bytes | Span]] = [[]]
    for part in held.parts:
        if isinstance(part, Span):
            lines[-1].append(part)
            continue
        first, *rest = part.split(b"\n")
        lines[-1] += [first] if first else []
        lines += [[text] if text else [] for text in rest]
    return [tuple(line) for line in lines]


def _relaxed(line: Line) -> Line:
    return tuple(_PADDING.sub(_one, part) if isinstance(part, bytes) else part for part in line)


def _one(match: re.Match[bytes]) -> bytes:
    if match.group("blank"):
        return b" "
    ruler = match.group()
    return ruler[:3] if ruler[0] == 0xE2 else ruler[:1]
