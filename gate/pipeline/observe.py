"""Replaying both sides, and running again on both whatever differs before it is believed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gate.diff.compare import compare_cases
from gate.diff.evidence import gather
from gate.diff.findings import Comparison
from gate.diff.noise import Noise
from gate.domain import Case, CaseId
from gate.pipeline.environments import require_alike
from gate.pipeline.golden import by_case, golden
from gate.pipeline.inputs import Inputs
from gate.pipeline.sides import Sides
from gate.pipeline.stale import CaseRuns, look_at_golden
from gate.replay.store import Run, write_run

RARE = 3
"""How many times `replay.confirm` further runs of the baseline are worth where only noise is in doubt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What both sides did, by case, in corpus order."""

    baseline: tuple[CaseRuns, ...]
    candidate: tuple[CaseRuns, ...]
    confirmed: tuple[CaseId, ...] = ()
    """The cases that were run again."""
    doubted: tuple[CaseId, ...] = ()
    """Those of them that were run once more as often, since the program was seen to waver."""

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
    before = first.compare(inputs.noise)
    again = _worth_another_look(before, inputs.cases)
    if not again:
        return first
    if kept:
        sides.prepare("baseline", inputs.cases)
        # What is built or fetched now need not be what the golden was made with.
        require_alike(inputs, sides, known=environment)
    more_old, more_new = _in_turn(sides, again, range(replay.repeats, replay.repeats + replay.confirm))
    second = Observed(
        baseline=_extended(first.baseline, inputs.cases, again, more_old),
        candidate=_extended(first.candidate, inputs.cases, again, more_new),
        confirmed=tuple(case.id for case in again),
    )
    if kept:
        fresh = dict(zip(second.confirmed, by_case(more_old), strict=True))
        then = {case.id: runs for case, runs in zip(inputs.cases, first.baseline, strict=True) if case.id in fresh}
        looked = look_at_golden(inputs, sides, before, kept=then, fresh=fresh)
        second = replace(second, baseline=_with(second.baseline, inputs.cases, looked))
    return _with_rare_noise(inputs, sides, _with_doubt(inputs, sides, second))


def _with_doubt(inputs: Inputs, sides: Sides, observed: Observed) -> Observed:
    """More runs of both sides, in turn, for cases that still differ, where any check of the run wavers: then the program is random.

    Of a hundred steps that each flip in one run of five, five runs a side leave one that looks steadily changed in two runs of a hundred.
    """
    replay = inputs.project.config.replay
    comparison = observed.compare(inputs.noise)
    if not (comparison.unstable and comparison.deltas):
        return observed
    named = {delta.case for delta in comparison.deltas}
    again = tuple(case for case in inputs.cases if case.id in named)
    done = replay.repeats + replay.confirm
    old, new = _in_turn(sides, again, range(done, done + replay.confirm))
    return replace(
        observed,
        baseline=_extended(observed.baseline, inputs.cases, again, old),
        candidate=_extended(observed.candidate, inputs.cases, again, new),
        doubted=tuple(case.id for case in again),
    )


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
    done = replay.repeats + (2 if observed.doubted else 1) * replay.confirm
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


def _extended(
    observed: tuple[CaseRuns, ...], cases: Sequence[Case], again: Sequence[Case], runs: Sequence[Run]
) -> tuple[CaseRuns, ...]:
    """The runs of each case with its further runs behind them; cases that were not run again as they were."""
    return _with(observed, cases, dict(zip((case.id for case in again), by_case(runs), strict=True)))


def _with(
    observed: tuple[CaseRuns, ...], cases: Sequence[Case], further: Mapping[CaseId, CaseRuns]
) -> tuple[CaseRuns, ...]:
    return tuple(held + further.get(case.id, ()) for case, held in zip(cases, observed, strict=True))
