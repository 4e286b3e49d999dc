"""How hypotheses are scored: is the right mechanism the first, is it among the three, and is what was quoted there."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.drafting.fence import visible_line
from evals.drafters import Cause, Drafter
from evals.shares import scored
from evals.values import CauseSample, Figure, Row
from evals.verbatim import stands_in

TOP_1, TOP_3 = "right", "among three"
DISTINCT, EVIDENCE = "three distinct", "evidence valid"


def rows_of(task: str, samples: Sequence[CauseSample], drafter: Drafter) -> tuple[Row, ...]:
    """One row for each sample. A drafter that drafts no hypotheses gives none."""
    if drafter.causes is None:
        return ()
    return tuple(row_of(task, sample, drafter.causes(sample.question)) for sample in samples)


def figures(rows: Sequence[Row]) -> dict[str, Figure]:
    """The metrics of the rows, by name, in the order in which they are told."""
    found = {
        "top-1 hit": scored(rows, TOP_1),
        "top-3 hit": scored(rows, TOP_3),
        "three distinct": scored(rows, DISTINCT),
    }
    evidence = scored(rows, EVIDENCE)
    return {**found, "evidence valid": evidence} if evidence.n else found


def row_of(task: str, sample: CauseSample, causes: Sequence[Cause]) -> Row:
    """The row of one sample and of what was said of it."""
    named = [cause.mechanism for cause in causes]
    scores = {
        TOP_1: named[:1] != [] and named[0] in sample.right,
        TOP_3: any(one in sample.right for one in named[:3]),
        DISTINCT: len(named) == len(set(named)) == 3,
    }
    quoted = [cause.evidence for cause in causes if cause.evidence]
    if quoted:
        scores[EVIDENCE] = all(stands_in(evidence, sample.question.failure.log) for evidence in quoted)
    return Row(
        task=task,
        variant="logs",
        sample=sample.id,
        cluster=sample.cluster,
        label="/".join(sample.right),
        answer=named[0] if named else "missing",
        scores=scores,
        shown=f"{sample.category}; said {', '.join(named) or 'nothing'}; {visible_line(quoted[0])[:90] if quoted else ''}",
    )
