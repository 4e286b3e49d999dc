"""Comparing trace files of any length in bounded memory.

What is byte-identical is counted and never turned into objects; only cases that differ are. In memory at one time: a few
MiB of each file, the largest case that differs, and one row for each delta.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from gate.diff.compare import compare_case
from gate.diff.evidence import NO_EVIDENCE, Evidence, gather
from gate.diff.findings import Comparison, Delta, Unstable
from gate.diff.noise import Noise
from gate.diff.stream_apart import compare_apart
from gate.diff.stream_blocks import Source
from gate.diff.stream_open import opened
from gate.diff.stream_rows import Alike, Row, ScatteredError, lockstep, sorted_rows
from gate.domain import Record
from gate.errors import NothingComparedError, TraceError

MAX_ROWS = 100_000
"""Deltas and abstentions that one comparison holds. More are counted to the end and then refused: rows that are not kept could not be
held against a policy."""

_Order = tuple[int, int]


def diff_files(golden: Path, patched: Path, *, repeats: Sequence[Path] = (), noise: Noise) -> Comparison:
    """Compare the trace of a baseline with that of a candidate; `repeats` are further runs of the baseline.

    Without repeats nothing is known to vary, so no noise rule erases anything (reported fault 52). Deltas come case by case, in the order
    of first appearance in golden, then of what only patched has. Raises TraceError with file and line: a trace that cannot be
    read, traces of different corpora, more than `MAX_ROWS` rows; NothingComparedError where no file has a record.
    """
    with ExitStack() as stack:
        sources = opened((golden, patched, *repeats), stack)
        evidence = _evidence([sources[0], *sources[2:]], noise)
        try:
            total = _compared(lockstep(sources), sources, noise, evidence)
        except ScatteredError:
            total = _compared(sorted_rows(sources), sources, noise, evidence)
    if total.checks == 0:
        raise NothingComparedError(
            f"expected records in {golden} or {patched}, got none",
            next_step="Record both traces again: nothing was compared.",
        )
    return total.comparison()


def _evidence(baseline: Sequence[Source], noise: Noise) -> Evidence:
    if len(baseline) == 1:
        return NO_EVIDENCE
    try:
        return gather(_samples(lockstep(baseline), baseline), noise)
    except ScatteredError:
        return gather(_samples(sorted_rows(baseline), baseline), noise)


def _samples(items: Iterator[Alike | Row], sources: Sequence[Source]) -> Iterator[list[tuple[Record, ...]]]:
    return (_parsed(row, sources) for row in items if not isinstance(row, Alike) and not _same(row))


def _compared(items: Iterator[Alike | Row], sources: Sequence[Source], noise: Noise, evidence: Evidence) -> _Total:
    total = _Total()
    for item in items:
        if isinstance(item, Alike):
            total.add_alike(item)
            continue
        block = item[0]
        checks = sources[0].lines.count(block.data) if block is not None and _same(item) else None
        if block is not None and checks is not None:
            total.add_alike(Alike(cases=1, steps=block.data.count(b"\n"), checks=checks))
            continue
        total.add(_case(item, sources, noise, evidence), _order(item))
    total.refuse_too_many()
    return total


def _case(row: Row, sources: Sequence[Source], noise: Noise, evidence: Evidence) -> Comparison:
    old, new, *more = row
    if old is not None and new is not None and not more:
        found = compare_apart((old, new), sources, noise)
        if found is not None:
            return found
    baseline, candidate, *repeats = _parsed(row, sources)
    return compare_case([baseline, *repeats], [candidate], noise, evidence)


def _parsed(row: Row, sources: Sequence[Source]) -> list[tuple[Record, ...]]:
    known: dict[bytes, Record] = {}
    return [() if block is None else source.parse(block, known) for block, source in zip(row, sources, strict=True)]


def _same(row: Row) -> bool:
    """Whether every source has the case, byte for byte the same."""
    first = row[0]
    return first is not None and all(block is not None and block.data == first.data for block in row)


def _order(row: Row) -> _Order:
    """The first source that has the case, and where in it."""
    return next((index, block.spans[0][0]) for index, block in enumerate(row) if block is not None)


@dataclass(slots=True)
class _Total:
    """What was found so far."""

    verified: int = 0
    cases: int = 0
    steps: int = 0
    rows: int = 0
    deltas: list[tuple[_Order, tuple[Delta, ...]]] = field(default_factory=list)
    unstable: list[tuple[_Order, tuple[Unstable, ...]]] = field(default_factory=list)
    substitutions: Counter[str] = field(default_factory=Counter)

    @property
    def checks(self) -> int:
        return self.verified + self.rows

    def add_alike(self, found: Alike) -> None:
        self.cases += found.cases
        self.steps += found.steps
        self.verified += found.checks

    def add(self, found: Comparison, order: _Order) -> None:
        self.verified += found.verified
        self.cases += found.cases
        self.steps += found.steps
        self.rows += len(found.deltas) + len(found.unstable)
        self.substitutions.update(dict(found.substitutions))
        if self.rows > MAX_ROWS:
            self.deltas.clear()
            self.unstable.clear()
            return
        self.deltas += [(order, found.deltas)] if found.deltas else []
        self.unstable += [(order, found.unstable)] if found.unstable else []

    def refuse_too_many(self) -> None:
        if self.rows > MAX_ROWS:
            raise TraceError(
                f"expected at most {MAX_ROWS} steps that differ or waver, got {self.rows} in {self.steps} steps of {self.cases} cases",
                next_step="Make sure that both traces are of one corpus; then compare a part of it, e.g. its first cases.",
            )

    def comparison(self) -> Comparison:
        return Comparison(
            deltas=tuple(delta for _, deltas in sorted(self.deltas, key=_first) for delta in deltas),
            unstable=tuple(row for _, rows in sorted(self.unstable, key=_first) for row in rows),
            verified=self.verified,
            cases=self.cases,
            steps=self.steps,
            substitutions=tuple(sorted(self.substitutions.items())),
        )


def _first(pair: tuple[_Order, object]) -> _Order:
    return pair[0]
