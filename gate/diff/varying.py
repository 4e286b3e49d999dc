"""Where the runs of one check differ: the smallest spans that vary, or that it is no span at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gate.diff.findings import Canonical, Placeholder

MAX_SPAN = 200
"""Bytes of the longest span; what is longer is no span but a text of its own."""

Token = bytes | Placeholder

_TOKEN = re.compile(rb"[A-Za-z0-9_]+|[ \t]+|[^A-Za-z0-9_ \t]", re.DOTALL)
_WORD = re.compile(rb"[A-Za-z0-9_]+")
_BLANK = re.compile(rb"[ \t]+")
_DIGITS = re.compile(rb"[0-9]+")
_ONE_NUMBER = re.compile(rb"([A-Za-z_]*)([0-9]+)([A-Za-z_]*)")
_JOINS = frozenset((b".", b":", b","))  # between digits: parts of one number
_GLUE = frozenset((b"-", b".", b":", b"+"))  # between two parts that both vary: parts of one id


@dataclass(frozen=True, slots=True, kw_only=True)
class Varied:
    """One span that is not the same in every run. It holds no blank and no line end, and is empty in no run."""

    before: bytes
    """Fixed text before it on its line: back to the line's start, or to what is not fixed (another span, a placeholder)."""
    after: bytes
    """Fixed text behind it, as `before`."""
    starts: bool
    """Whether `before` reaches back to the line's start."""
    ends: bool
    """Whether `after` reaches to the line's end."""
    held: tuple[bytes, ...]
    """What each run shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """How the runs of one check differ."""

    kind: Literal["none", "spans", "order", "whole"]
    """`none`: they agree; `order`: the same lines in another order; `whole`: no span tells the difference."""
    spans: tuple[Varied, ...] = ()
    """For `spans`: in order, at least one. With them taken out, and runs of blanks aside, the runs agree."""


def find_varying(values: Sequence[Canonical | None]) -> Variation:
    """How the values of one check, one a run, differ. Placeholders count by rule and shape, not by number.

    A value that a run did not observe, or that was cut, leaves no span to be found.
    """
    if len(set(values)) < 2:
        return Variation(kind="none")
    held = [each for each in values if each is not None and each.size is None and not each.overflow]
    if len(held) < len(values):
        return Variation(kind="whole")
    runs = [_lines(each) for each in held]
    if len({tuple(sorted(map(_comparable, lines))) for lines in runs}) == 1:
        same = (
            len({tuple(map(tuple, lines)) for lines in runs}) == 1
        )  # then only numbers differ: ids that changed places
        return Variation(kind="whole" if same else "order")
    if len({len(lines) for lines in runs}) > 1:
        return Variation(kind="whole")
    spans: list[Varied] = []
    for lines in zip(*runs, strict=True):
        found = _of_line(lines)
        if found is None:
            return Variation(kind="whole")
        spans += found
    return Variation(kind="spans" if spans else "whole", spans=tuple(spans))


_Line = list[Token]
_Column = tuple[Token, ...]
"""One place of a line over the runs."""


def _of_line(lines: Sequence[_Line]) -> list[Varied] | None:
    """The spans of one line; None where there is no telling them."""
    if all(line == lines[0] for line in lines[1:]):
        return []
    chunks = [_chunks(line) for line in lines]
    if len({len(each) for each in chunks}) > 1:
        return None
    columns: list[_Column] = []
    for parts in zip(*chunks, strict=True):
        aligned = _aligned(parts)
        if aligned is None:
            return None
        columns += aligned
    return [_varied(columns, start, end, len(lines)) for start, end in _ranges(columns)]


def _aligned(parts: Sequence[_Line]) -> list[_Column] | None:
    """A chunk as columns in which words may vary, and nothing else; blanks may vary whole."""
    if len({len(part) for part in parts}) == 1:
        columns = list(zip(*parts, strict=True))
        if all(len(set(column)) == 1 or _is(column, _WORD) or _is(column, _BLANK) for column in columns):
            return [narrow for column in columns for narrow in _narrowed(column)]
    return _around_the_middle(parts)


def _around_the_middle(parts: Sequence[_Line]) -> list[_Column] | None:
    """What all parts begin and end with, and one column for what is between; None where that is no span."""
    shortest = min(map(len, parts))
    head = next((at for at in range(shortest) if len({part[at] for part in parts}) > 1), shortest)
    tail = next((at for at in range(shortest - head) if len({part[-1 - at] for part in parts}) > 1), shortest - head)
    if any(len(part) == head + tail for part in parts):  # empty in one of them: take a word in that stands beside
        if tail:
            tail -= 1
        elif head:
            head -= 1
        else:
            return None
    middles = [part[head : len(part) - tail] for part in parts]
    if any(not isinstance(token, bytes) or _BLANK.fullmatch(token) for middle in middles for token in middle):
        return None
    column = tuple(b"".join(token for token in middle if isinstance(token, bytes)) for middle in middles)
    if max(map(len, column)) > MAX_SPAN or min(map(len, column)) == 0:
        return None
    first = parts[0]
    around = len(parts)
    return [
        *((token,) * around for token in first[:head]),
        column,
        *((token,) * around for token in first[len(first) - tail :]),
    ]


def _narrowed(column: _Column) -> list[_Column]:
    """A word that is the same but for its one number: the number alone varies."""
    if len(set(column)) == 1 or not _is(column, _ONE_NUMBER):
        return [column]
    matches = [_ONE_NUMBER.fullmatch(token) for token in column if isinstance(token, bytes)]
    rows = [match.groups() for match in matches if match]
    (head, *heads), _, (tail, *tails) = zip(*rows, strict=True)
    if {head, *heads} != {head} or {tail, *tails} != {tail}:
        return [column]
    parts: list[_Column] = [(head,) * len(rows)] if head else []
    parts.append(tuple(row[1] for row in rows))
    return parts + ([(tail,) * len(rows)] if tail else [])


def _ranges(columns: Sequence[_Column]) -> list[tuple[int, int]]:
    """The columns of each span: digits with the digits that belong to the same number, and ids of several parts whole."""
    found: list[tuple[int, int]] = []
    for at, column in enumerate(columns):
        if len(set(column)) == 1 or _is(column, _BLANK):
            continue
        start, end = _number(columns, at) if _is(column, _DIGITS) else (at, at + 1)
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif found and start == found[-1][1] + 1 and columns[start - 1][0] in _GLUE:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _number(columns: Sequence[_Column], at: int) -> tuple[int, int]:
    start, end = at, at + 1
    while start >= 2 and _joined(columns, start - 1) and _is(columns[start - 2], _DIGITS):
        start -= 2
    while end + 1 < len(columns) and _joined(columns, end) and _is(columns[end + 1], _DIGITS):
        end += 2
    return start, end


def _joined(columns: Sequence[_Column], at: int) -> bool:
    return len(set(columns[at])) == 1 and columns[at][0] in _JOINS


def _varied(columns: Sequence[_Column], start: int, end: int, runs: int) -> Varied:
    before, after = _fixed(columns[:start][::-1]), _fixed(columns[end:])
    return Varied(
        before=b"".join(before[::-1]),
        after=b"".join(after),
        starts=len(before) == start,
        ends=len(after) == len(columns) - end,
        held=tuple(_joined_bytes(column[run] for column in columns[start:end]) for run in range(runs)),
    )


def _joined_bytes(tokens: Iterable[Token]) -> bytes:
    return b"".join(token for token in tokens if isinstance(token, bytes))


def _fixed(columns: Sequence[_Column]) -> list[bytes]:
    """The columns that hold the same literal in every run, up to the first that does not."""
    fixed: list[bytes] = []
    for column in columns:
        token = column[0]
        if not isinstance(token, bytes) or len(set(column)) > 1:
            break
        fixed.append(token)
    return fixed


def _is(column: _Column, pattern: re.Pattern[bytes]) -> bool:
    return all(isinstance(token, bytes) and pattern.fullmatch(token) for token in column)


def _chunks(line: _Line) -> list[_Line]:
    """Blanks, and what stands between them, in turn; the first and the last are no blanks but may be empty."""
    chunks: list[_Line] = [[]]
    for token in line:
        if isinstance(token, bytes) and _BLANK.fullmatch(token):
            chunks += [[token], []]
        else:
            chunks[-1].append(token)
    return chunks


def _lines(held: Canonical) -> list[_Line]:
    lines: list[_Line] = [[]]
    for token in held.tokens:
        if not isinstance(token, bytes):
            lines[-1].append(replace(token, number=None))
            continue
        first, *rest = token.split(b"\n")
        lines[-1] += _TOKEN.findall(first)
        lines += [_TOKEN.findall(text) for text in rest]
    return lines


def _comparable(line: _Line) -> tuple[tuple[str, bytes], ...]:
    return tuple(("literal", token) if isinstance(token, bytes) else ("rule", str(token).encode()) for token in line)
