"""Comparing what two builds did on the same cases. Exact: the verdict is on bytes, after the noise that the baseline itself shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gate.diff.case import Case
from gate.diff.checks import Forms, number_runs, see, settle_layout, wavers
from gate.diff.evidence import Evidence, Licence, of_readings
from gate.diff.findings import Comparison
from gate.diff.noise import LAYOUT, Noise
from gate.diff.reading import read_runs, with_places
from gate.diff.tell import counted, tell
from gate.domain import CaseId, Record
from gate.errors import NothingComparedError, TraceError

Runs = Sequence[Sequence[Record]]
"""The runs of one side on one case, each its records in order. At least one; a run without records is a case that did nothing."""


def compare_cases(cases: Iterable[tuple[Runs, Runs]], noise: Noise, evidence: Evidence) -> Comparison:
    """Baseline and candidate over many cases. Raises NothingComparedError when not one check was observed on either side."""
    total = merge(compare_case(baseline, candidate, noise, evidence) for baseline, candidate in cases)
    if total.checks == 0:
        raise NothingComparedError(
            f"expected at least one check, got none in {total.cases} cases",
            next_step="Look at the corpus and at the traces: neither side recorded a step.",
        )
    return total


def merge(parts: Iterable[Comparison]) -> Comparison:
    """The comparisons of disjoint cases as one, in order. Of none: nothing was compared, all counts 0."""
    held = list(parts)
    return Comparison(
        deltas=tuple(delta for part in held for delta in part.deltas),
        unstable=tuple(row for part in held for row in part.unstable),
        verified=sum(part.verified for part in held),
        cases=sum(part.cases for part in held),
        steps=sum(part.steps for part in held),
        substitutions=counted(row for part in held for row in part.substitutions),
    )


def compare_case(baseline: Runs, candidate: Runs, noise: Noise, evidence: Evidence) -> Comparison:
    """One case. `evidence` is what the baseline's runs show elsewhere; what these runs show is added here.

    A side that disagrees with itself makes a check unstable, the baseline first. The order of the runs of a side changes nothing but
    the order of the values in `Unstable`. Raises TraceError where both sides were stopped at the limit after the same bytes: what
    came after was never seen, so nobody can say that they agree. Raises ValueError without runs, or for records of two cases.
    """
    if not baseline or not candidate:
        raise ValueError("expected at least one run of each side")
    runs = [list(run) for run in (*baseline, *candidate)]
    if len({record.case for run in runs for record in run}) > 1:
        raise ValueError("expected the records of one case")
    if all(run == runs[0] for run in runs[1:]):
        return _identical(runs[0])
    return _differing(runs, len(baseline), noise, evidence)


def _identical(run: list[Record]) -> Comparison:
    for record in run:
        for name, observed in record.fields.items():
            if observed.overflow:
                raise _unseen(record.case, record.step, name, observed.size)
    return Comparison(
        deltas=(), unstable=(), verified=sum(len(record.fields) or 1 for record in run), cases=1, steps=len(run)
    )


def _differing(runs: list[list[Record]], split: int, noise: Noise, evidence: Evidence) -> Comparison:
    readings = read_runs(runs, noise)
    licence = Licence(evidence, of_readings(readings[:split]))
    case = Case(id=next(run[0].case for run in runs if run), readings=tuple(with_places(readings)), split=split)
    rows, relaxations = [], 0
    for check in case.checks:
        forms = case.forms(check)
        _refuse_unseen(forms, split, case.id, check.step, check.field)
        forms, used = settle_layout(forms, split)
        relaxations += used
        rows.append((forms, wavers(forms, split)))
    numbered = zip(case.checks, rows, number_runs(rows), strict=True)
    seen = {check: see(forms, numbers, split, licence) for check, (forms, _), numbers in numbered}
    return tell(case, seen, relaxations=((LAYOUT, relaxations),) if relaxations else ())


def _refuse_unseen(forms: Forms, split: int, case: CaseId, step: int, field: str) -> None:
    """Two stopped streams that agree as far as they were seen are no agreement, and no difference either."""
    stopped = [[held for held in side if held and held.overflow] for side in (forms[:split], forms[split:])]
    for old in stopped[0]:
        for new in stopped[1]:
            if old.parts == new.parts and (old.size != new.size or old.sha256 == new.sha256):
                raise _unseen(case, step, field, min(old.size or 0, new.size or 0))


def _unseen(case: CaseId, step: int, field: str, seen: int) -> TraceError:
    return TraceError(
        f"case {case!r} step {step}, {field}: expected a whole value, got two that were stopped at the limit "
        f"after {seen} equal bytes",
        next_step="Raise `replay.limit_bytes`, or take the step out of the corpus: what came after the limit was never seen.",
    )
