"""Builders for the tests of the diff room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import settings

from gate.diff.compare import compare_case
from gate.diff.evidence import NO_EVIDENCE, Evidence
from gate.diff.findings import Canonical, Comparison
from gate.diff.noise import Noise
from gate.diff.rules import NoiseRule
from gate.domain import CaseId, Record, Value, value

BUILT_IN = Noise.compile(())
CASE = CaseId("a")

UNHURRIED = settings(deadline=None)
"""For laws: how long an example takes is no part of them (fault 106)."""

Fields = Mapping[str, str | bytes | Value]


def held(data: str | bytes | Value) -> Value:
    return data if isinstance(data, Value) else value(data.encode() if isinstance(data, str) else data)


def record(step: int, /, _command: str = "run", **fields: str | bytes | Value) -> Record:
    return Record(case=CASE, step=step, command=_command, fields={name: held(data) for name, data in fields.items()})


def listed(step: int, fields: Fields, command: str = "run") -> Record:
    return Record(case=CASE, step=step, command=command, fields={name: held(data) for name, data in fields.items()})


def run(*steps: str | bytes | Fields) -> list[Record]:
    """A run with one record a step, numbered from 1; a bare text is its stdout."""
    return [
        listed(number, fields if isinstance(fields, Mapping) else {"stdout": fields})
        for number, fields in enumerate(steps, 1)
    ]


def rules(*given: NoiseRule) -> Noise:
    return Noise.compile(given)


def compare(
    baseline: Sequence[Sequence[Record]],
    candidate: Sequence[Sequence[Record]],
    noise: Noise = BUILT_IN,
    evidence: Evidence = NO_EVIDENCE,
) -> Comparison:
    return compare_case(baseline, candidate, noise, evidence)


def literal(data: bytes) -> Canonical:
    return Canonical(tokens=(data,) if data else ())


def texts(canonical: Canonical | None) -> bytes | None:
    return None if canonical is None else canonical.text


def changed(comparison: Comparison) -> list[tuple[int, str, bytes | None, bytes | None]]:
    """Step, field, old text, new text of every change."""
    return [
        (delta.step, change.field, texts(change.old), texts(change.new))
        for delta in comparison.deltas
        for change in delta.changes
    ]


def wavering(comparison: Comparison) -> list[tuple[int, str, str]]:
    """Step, field, side of every abstention."""
    return [(row.step, row.field, row.side) for row in comparison.unstable]
