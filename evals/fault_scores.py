"""How hypotheses of seeded faults are scored: as of any log, and whether the experiment that each chose tells what is true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from auditor.drafting.foretold import moves
from evals.cause_scores import figures as figures_of_causes
from evals.cause_scores import row_of
from evals.drafters import Cause, Drafter
from evals.fault_samples import FaultSample
from evals.foretold import borne_out
from evals.shares import share_of
from evals.values import Figure, Row

_RIGHT, _WRONG, _APART = "experiment of a right one", "experiment of a wrong one", "experiment apart"
_NAMES = {
    "experiment discriminates": (_RIGHT, _WRONG),
    "right one borne out": (_RIGHT,),
    "wrong one spoken against": (_WRONG,),
    "foretells another outcome": (_APART,),
}
FIRST = "first experiment discriminates"


def rows_of(task: str, samples: Sequence[FaultSample], drafter: Drafter) -> tuple[Row, ...]:
    """One row for each fault. A drafter that drafts no hypotheses gives none."""
    if drafter.causes is None:
        return ()
    return tuple(_row(task, sample, drafter.causes(sample.cause.question)) for sample in samples)


def figures(rows: Sequence[Row]) -> dict[str, Figure]:
    """The metrics of the rows, by name, in the order in which they are told."""
    found = figures_of_causes(rows)
    told = {name: _over(rows, kinds, (1, 2, 3)) for name, kinds in _NAMES.items()}
    told[FIRST] = _over(rows, (_RIGHT, _WRONG), (1,))
    return {**found, **{name: figure for name, figure in told.items() if figure.n}}


def _over(rows: Sequence[Row], kinds: Sequence[str], places: Sequence[int]) -> Figure:
    """Of the hypotheses at these places, those that have such a score."""
    keys = {f"{kind}, {place}" for kind in kinds for place in places}
    told = [value for row in rows for key, value in row.scores.items() if key in keys]
    return share_of(sum(told), len(told))


def _row(task: str, sample: FaultSample, causes: Sequence[Cause]) -> Row:
    row = row_of(task, sample.cause, causes)
    return msgspec.structs.replace(row, variant="recorded", scores=row.scores | dict(_experiments(sample, causes)))


def _experiments(sample: FaultSample, causes: Sequence[Cause]) -> Iterator[tuple[str, bool]]:
    """Of each hypothesis that chose an offered experiment: does its outcome speak for it just where it is right?

    And would it be another if one of the other two were the cause? An experiment under which the property could not vote has no outcome.
    """
    for place, cause in enumerate(causes[:3], start=1):
        if cause.experiment not in sample.shown:
            continue
        experiment, seen = sample.shown[cause.experiment]
        is_right = cause.mechanism in sample.cause.right
        others = [other.mechanism for other in causes[:3] if other is not cause]
        foretold = moves(cause.mechanism, experiment)
        yield f"{_APART}, {place}", all(moves(other, experiment) != foretold for other in others)
        if seen.voted:
            kind = _RIGHT if is_right else _WRONG
            yield f"{kind}, {place}", borne_out(cause.mechanism, experiment, seen) == is_right
