"""Every span that a noise rule takes out of recorded runs, with the text around it, and whether the baseline licences it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gate.diff.canonical import KEEPS_ALL, form
from gate.diff.layout import moving_lines, relaxed
from gate.diff.matching import Hit
from gate.diff.noise import Noise
from gate.domain import CaseId, Record, Value

AROUND = 256
"""Bytes of a line that are looked at beside a span."""

_FEW = 16

Runs = Sequence[Sequence[Record]]
"""The runs of one case, each its records in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One span in one run."""

    case: CaseId
    run: int
    """From 0."""
    record: int
    """Which record of its run, from 0."""
    step: int
    command: str
    field: str
    rule: str
    number: int
    """Which of the spans of its value, from 0."""
    start: int
    end: int
    text: bytes
    """The whole value."""
    licensed: bool
    """Whether the baseline's own runs differ at this place and nothing but spans tells them apart: what stands here is erased."""

    @property
    def raw(self) -> bytes:
        """The span."""
        return self.text[self.start : self.end]

    @property
    def before(self) -> bytes:
        """What stands before it on its line: at most `AROUND` bytes."""
        return self.text[max(0, self.start - AROUND) : self.start].rpartition(b"\n")[2]

    @property
    def after(self) -> bytes:
        """What stands behind it on its line: at most `AROUND` bytes."""
        return self.text[self.end : self.end + AROUND].partition(b"\n")[0]

    @property
    def whole(self) -> bool:
        """Whether its value holds nothing else, a few blanks and line ends aside."""
        outside = len(self.text) - (self.end - self.start)
        return outside <= _FEW and not (self.text[: self.start] + self.text[self.end :]).strip()


def find_sites(runs: Runs, noise: Noise) -> Iterator[Site]:
    """The spans of one case, run by run. Of a value that was cut nothing is taken out; escape sequences are never erased and left out."""
    licensed = _licensed(runs, noise)
    for run, records in enumerate(runs):
        for index, record in enumerate(records):
            for name, observed in record.fields.items():
                for number, (rule, start, end) in enumerate(spans_of(observed, name, record.command, noise)):
                    yield Site(
                        case=record.case,
                        run=run,
                        record=index,
                        step=record.step,
                        command=record.command,
                        field=name,
                        rule=rule,
                        number=number,
                        start=start,
                        end=end,
                        text=observed.data,
                        licensed=number in licensed.get((index, name), ()),
                    )


def spans_of(observed: Value, field: str, command: str, noise: Noise) -> list[tuple[str, int, int]]:
    """Rule, start and end of each span of one value, escape sequences left out; none of a value that was cut."""
    if observed.cut or observed.overflow:
        return []
    found: list[tuple[str, int, int]] = []
    at = 0
    for piece in noise.scope(field, command).split(observed.data):
        held = piece.raw if isinstance(piece, Hit) else piece
        if isinstance(piece, Hit) and piece.matcher.name != KEEPS_ALL:
            found.append((piece.matcher.name, at, at + len(held)))
        at += len(held)
    return found


def _licensed(runs: Runs, noise: Noise) -> dict[tuple[int, str], frozenset[int]]:
    """By record and field the spans at which the runs differ; only where all runs have the record, and it looks alike in all."""
    found: dict[tuple[int, str], frozenset[int]] = {}
    for index, rows in enumerate(zip(*runs, strict=False)):
        if len({(row.step, row.command) for row in rows}) > 1:
            continue
        for name in rows[0].fields:
            values = [row.fields[name] for row in rows if name in row.fields]
            if len(values) == len(rows) and len(set(values)) > 1:
                found[index, name] = _varying(values, name, rows[0].command, noise)
    return found


def _varying(values: Sequence[Value], field: str, command: str, noise: Noise) -> frozenset[int]:
    forms = [form(each, field_name=field, command=command, noise=noise) for each in values]
    moving = moving_lines(forms)
    if len({relaxed(each, moving) for each in forms}) > 1:
        return frozenset()
    rows = zip(*(each.spans for each in forms), strict=True)
    return frozenset(number for number, spans in enumerate(rows) if len({span.raw for span in spans}) > 1)
