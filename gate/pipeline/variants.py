"""A case with some of its parts left out, replayed on both builds and compared."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from gate.diff.compare import Runs, compare_case
from gate.diff.evidence import gather
from gate.diff.findings import Comparison
from gate.domain import Case
from gate.pipeline.inputs import Inputs
from gate.pipeline.sides import Sides
from gate.replay.store import Run


def without(case: Case, left_out: Collection[int]) -> Case:
    """The case without the steps of these numbers (from 1); those behind them move up."""
    return replace(case, steps=tuple(step for number, step in enumerate(case.steps, 1) if number not in left_out))


def original(step: int, left_out: Collection[int]) -> int:
    """The number that a step of such a case has in the whole case; 0, the process itself, stays 0."""
    number = step
    for gone in sorted(left_out):
        number += number >= gone and step > 0
    return number


def both_sides(
    sides: Sides, cases: Sequence[Case], seeds: Sequence[int], *, purpose: str
) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """The runs of baseline and candidate on these cases, one a seed; at least one seed.

    The baseline runs before and after the candidate, so that what moves with the clock is seen to move on the baseline, too.
    """
    half = max(1, len(seeds) // 2)
    sides.prepare("candidate", cases)
    old = sides.replay("baseline", cases, seeds[:half], purpose=purpose)
    new = sides.replay("candidate", cases, seeds, purpose=purpose)
    if seeds[half:]:
        old += sides.replay("baseline", cases, seeds[half:], purpose=purpose)
    return old, new


def compared(inputs: Inputs, old: Runs, new: Runs) -> Comparison:
    """The runs of one case, with what the baseline's own show as the measure of noise."""
    return compare_case(old, new, inputs.noise, gather([tuple(map(tuple, old))], inputs.noise))
