"""Values in canonical form: literal bytes, and placeholders for what noise rules take out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gate.diff.findings import Canonical, Placeholder
from gate.diff.matching import Hit, Matcher, Piece
from gate.diff.noise import Noise
from gate.domain import Value

BEFORE = 24
"""Bytes of the line before a placeholder that tell its slot."""

KEEPS_ALL = "ansi"
"""The rule whose shape is the whole span: it erases nothing and needs no evidence."""


class Slot(NamedTuple):
    """A place where a rule may find noise; what evidence speaks of."""

    command: str
    field: str
    rule: str
    before: bytes
    """Up to `BEFORE` bytes of literal text before it on its line, runs of blanks as one space."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A span that was taken out, not yet numbered. Equal spans look alike; what they held is not compared."""

    rule: str
    shape: str
    identity: bool
    raw: bytes = field(compare=False)
    key: bytes = field(compare=False)
    slot: Slot = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One value of one run, cut into literals and spans. Equality is equality of canonical forms but for the numbers."""

    parts: tuple[bytes | Span, ...]
    size: int | None = None
    sha256: str | None = None
    overflow: bool = False
    spans: tuple[Span, ...] = field(init=False, compare=False, repr=False)
    """The spans that erase something, in order."""

    def __post_init__(self) -> None:
        spans = tuple(part for part in self.parts if isinstance(part, Span) and part.rule != KEEPS_ALL)
        object.__setattr__(self, "spans", spans)


def form(observed: Value, *, field_name: str, command: str, noise: Noise, alias: str | None = None) -> Form:
    """One value. `alias` names the field in slots, where that is not its own name.

    Of a value that was cut or stopped nothing is taken out: its size and digest speak for all of it."""
    if observed.cut or observed.overflow:
        head = (observed.data,) if observed.data else ()
        return Form(parts=head, size=observed.size, sha256=observed.digest, overflow=observed.overflow)
    pieces = noise.scope(field_name, command).split(observed.data)
    return Form(parts=tuple(_parts(pieces, field_name=alias or field_name, command=command)))


Numbers = dict[str, dict[bytes, int]]
"""The numbers given so far in a case: by rule, then by what the spans of one thing have in common."""


def number(spans: Iterable[Span], numbers: Numbers) -> tuple[int | None, ...]:
    """The number of each span, by first appearance; None for rules without identity. Adds to `numbers`."""
    return tuple(_number(span, numbers) if span.identity else None for span in spans)


def canonical(held: Form, numbers: Sequence[int | None], literal: frozenset[int] = frozenset()) -> Canonical:
    """The canonical form of one value.

    `numbers`: one for each of `held.spans`. `literal`: positions of spans that stand as they were printed, for want of evidence.
    """
    tokens: list[bytes | Placeholder] = []
    printed: list[bytes] = []
    given = iter(enumerate(numbers))
    for part in held.parts:
        if isinstance(part, bytes):
            printed.append(part)
            continue
        position, number_ = (-1, None) if part.rule == KEEPS_ALL else next(given)
        if position in literal:
            printed.append(part.raw)
            continue
        if printed:
            tokens.append(b"".join(printed))
            printed.clear()
        tokens.append(Placeholder(rule=part.rule, shape=part.shape, number=number_))
    if printed:
        tokens.append(b"".join(printed))
    return Canonical(tokens=tuple(tokens), size=held.size, sha256=held.sha256, overflow=held.overflow)


def canonicalise(values: Iterable[tuple[str, Mapping[str, Value]]], noise: Noise) -> list[dict[str, Canonical]]:
    """Command and fields of each record of one case, in order, in canonical form, every rule applied without asking for evidence.

    What a person sees of one run alone. Numbers run through all records. An empty case gives an empty list.
    """
    numbers: Numbers = {}
    shown = []
    for command, fields in values:
        row = {}
        for name, observed in fields.items():
            held = form(observed, field_name=name, command=command, noise=noise)
            row[name] = canonical(held, number(held.spans, numbers))
        shown.append(row)
    return shown


def _number(span: Span, numbers: Numbers) -> int:
    given = numbers.setdefault(span.rule, {})
    return given.setdefault(span.key, len(given) + 1)


def _parts(pieces: list[Piece], *, field_name: str, command: str) -> Iterable[bytes | Span]:
    line = b""
    for piece in pieces:
        if isinstance(piece, Hit):
            before = b" ".join(line.split())[-BEFORE:]
            yield _span(piece, piece.matcher, Slot(command, field_name, piece.matcher.name, before))
            line = line if piece.matcher.name == KEEPS_ALL else b""
        else:
            yield piece
            start = piece.rfind(b"\n") + 1
            line = (b"" if start else line) + piece[max(start, len(piece) - 8 * BEFORE) :]


def _span(hit: Hit, matcher: Matcher, slot: Slot) -> Span:
    return Span(
        rule=matcher.name,
        shape=matcher.shape(hit.raw),
        identity=matcher.identity,
        raw=hit.raw,
        key=matcher.key(hit.raw),
        slot=slot,
    )
