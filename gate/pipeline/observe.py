"""Replaying both sides, and running again on both whatever differs before it is believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gate.diff.compare import compare_cases
from gate.diff.evidence import gather
from gate.diff.findings import Comparison
from gate.diff.noise import Noise
from gate.domain import Case, CaseId, Record
from gate.pipeline.environments import require_alike
from gate.pipeline.golden import by_case, golden, refuse_stale
from gate.pipeline.inputs import Inputs
from gate.pipeline.sides import Sides
from gate.replay.store import Run, write_run

RARE = 3
"""How many times `replay.confirm` further runs of the baseline are worth where only noise is in doubt."""

CaseRuns = tuple[tuple[Record, ...], ...]
"""The runs of one side on one case, each its records in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What both sides did, by case, in corpus order."""

    baseline: tuple[CaseRuns, ...]
    candidate: tuple[CaseRuns, ...]
    confirmed: tuple[CaseId, ...] = ()
    """The cases that were run again."""

    def compare(self, noise: Noise) -> Comparison:
        """Both sides, with everything the baseline showed of itself as the measure of noise."""
        pairs = tuple(zip(self.baseline, self.candidate, strict=True))
        return compare_cases(pairs, noise, gather(self.baseline, noise))


def observe(inputs: Inputs, sides: Sides) -> Observed:
    """Replay both sides; then every case that differs again on both, in turn. Both first runs are kept as traces of the run.

    Runs of the baseline stand before and between those of the candidate: what moves with the clock, or with a cache that warms, moves
    on the baseline, too. Raises BuildError where the two sides do not run on the same environment.
    """
    replay = inputs.project.config.replay
    sides.prepare("candidate", inputs.cases)
    old, kept = golden(inputs, sides)
    environment = require_alike(inputs, sides)
    new = sides.replay("candidate", inputs.cases, range(replay.repeats), purpose="replaying")
    write_run(sides.run_folder / "golden.jsonl", inputs.header(sides.sources["baseline"]), old[0])
    write_run(sides.run_folder / "patched.jsonl", inputs.header(sides.sources["candidate"]), new[0])
    first = Observed(baseline=by_case(old), candidate=by_case(new))
    again = _worth_another_look(first.compare(inputs.noise), inputs.cases)
    if not again:
        return first
    if kept:
        sides.prepare("baseline", inputs.cases)
        require_alike(inputs, sides, known=environment)  # what is built or fetched now need not be what the golden was made with
    more_old, more_new = _in_turn(sides, again, range(replay.repeats, replay.repeats + replay.confirm))
    if kept:
        refuse_stale([_of(again, inputs.cases, run) for run in old], more_old, inputs.noise)
    second = Observed(
        baseline=_extended(first.baseline, inputs.cases, again, more_old),
        candidate=_extended(first.candidate, inputs.cases, again, more_new),
        confirmed=tuple(case.id for case in again),
    )
    return _with_rare_noise(inputs, sides, second)


def _in_turn(sides: Sides, cases: Sequence[Case], seeds: Sequence[int]) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Further runs of both sides, one of each for every seed, the baseline first."""
    old: list[Run] = []
    new: list[Run] = []
    for seed in seeds:
        old += sides.replay("baseline", cases, (seed,), purpose="confirming")
        new += sides.replay("candidate", cases, (seed,), purpose="confirming")
    return tuple(old), tuple(new)


def _with_rare_noise(inputs: Inputs, sides: Sides, observed: Observed) -> Observed:
    """More runs of the baseline for cases in which nothing differs but what a noise rule matches: it may vary rarely there.

    A duration in hundredths of a second is the same in five runs, and another in the sixth. Only the baseline's own runs can tell.
    """
    replay = inputs.project.config.replay
    comparison = observed.compare(inputs.noise)
    masked, real = set[CaseId](), set[CaseId]()
    for case, rule in _differences(comparison):
        (masked if rule else real).add(case)
    doubtful = tuple(case for case in inputs.cases if case.id in masked - real)
    if not doubtful:
        return observed
    done = replay.repeats + replay.confirm
    more = sides.replay("baseline", doubtful, range(done, done + RARE * replay.confirm), purpose="looking for noise")
    return replace(observed, baseline=_extended(observed.baseline, inputs.cases, doubtful, more))


def _differences(comparison: Comparison) -> Iterator[tuple[CaseId, str | None]]:
    """The case of every change and of every check on which only the candidate wavers, with the rule that would mask it."""
    for delta in comparison.deltas:
        yield from ((delta.case, change.masked_by) for change in delta.changes)
    for check in comparison.unstable:
        if check.side == "candidate":
            yield check.case, check.masked_by


def _worth_another_look(comparison: Comparison, cases: Sequence[Case]) -> tuple[Case, ...]:
    """What differs, and what wavers on the candidate alone: more runs of the baseline may show the same."""
    named = {case for case, _ in _differences(comparison)}
    return tuple(case for case in cases if case.id in named)


def _of(wanted: Sequence[Case], cases: Sequence[Case], run: Run) -> Run:
    names = {case.id for case in wanted}
    return tuple(records for case, records in zip(cases, run, strict=True) if case.id in names)


def _extended(
    observed: tuple[CaseRuns, ...], cases: Sequence[Case], again: Sequence[Case], runs: Sequence[Run]
) -> tuple[CaseRuns, ...]:
    """The runs of each case with its further runs behind them; cases that were not run again as they were."""
    further = dict(zip((case.id for case in again), by_case(runs), strict=True))
    return tuple(held + further.get(case.id, ()) for case, held in zip(cases, observed, strict=True))
