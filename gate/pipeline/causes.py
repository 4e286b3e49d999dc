"""Which differing steps of a case only inherit an earlier one: found by leaving the earlier one out on both builds.

It orders what is shown. No verdict, count or exit code depends on it: a step that follows another keeps its row, its verdict and
its place in the scorecard.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gate.diff.findings import Comparison, Delta
from gate.diff.groups import Spot
from gate.diff.noise import PROTECTED
from gate.diff.reading import CONTENT, LISTING
from gate.domain import Case, CaseId, Record
from gate.errors import GateError
from gate.pipeline.events import Remark
from gate.pipeline.inputs import Inputs
from gate.pipeline.sides import Sides
from gate.pipeline.variants import both_sides, compared, original, without
from gate.replay.store import Run
from gate.trace.open import open_trace

ROUNDS = 3
"""Causes of one case that are left out, one more each round."""

SHARE = 10
"""At most as many steps are replayed for this as one in so many of those that the run replays, a kept golden counted as replayed."""

LEAST = 40
"""Or so many, where that is more. What does not fit, in corpus order, is not looked at, and follows nothing."""


def causes(
    inputs: Inputs, sides: Sides, comparison: Comparison, *, confirmed: Collection[CaseId] = ()
) -> Mapping[Spot, int]:
    """For a later differing step the earlier step of its case that it follows. Steps that are not in it stand for themselves.

    Each case with several differing steps is replayed on both builds without the first of them (with one process a step: the first
    whose file effects differ, since nothing else reaches a later step). A later one *follows* it where

    * without it the builds agree on every check of the later step, in all runs, and no check of that step wavers;
    * the later step still ends (`status` and its like) as it did on one of the sides in the run, so that it did not merely fail for
      want of the step before; and
    * either what had differed is now just what one of the sides had shown in the run, or the step that was left out differs in its
      file effects: then it left something else behind.

    Of the later steps that still differ, changed or not, the first is the next cause; both are then left out; at most `ROUNDS` times.
    Nothing follows where leaving a step out makes a check waver that did not, or makes a step differ that had agreed. Step 0, the
    process itself, neither follows nor is left out. Where a replay fails, nothing more is found out, which is told in a remark.
    `confirmed`: the cases that the run replayed again. At most one step in `SHARE` of the run's is replayed for all this, or `LEAST`.
    """
    found: dict[Spot, int] = {}
    looked = list(_looks(inputs.cases, comparison))
    separate = inputs.project.config.program.runner == "exec"
    try:
        evidence = _Evidence.read(sides, comparison) if looked else None
        budget = _Budget.of(inputs, confirmed)
        for _ in range(ROUNDS):
            looked = [look for look in looked if look.next_cause(separate=separate) and budget.covers(look)]
            if not looked or evidence is None:
                break
            looked = list(_round(inputs, sides, evidence, looked, found=found, budget=budget))
    except GateError as error:
        sides.listen(Remark(text=f"note: which differences only follow from others was not found out: {error.what}"))
    return found


@dataclass(slots=True, kw_only=True)
class _Look:
    """One case under examination."""

    case: Case
    waiting: list[Delta]
    """Later differing steps that follow nothing yet, in order."""
    left_out: list[Delta] = field(default_factory=list)

    def next_cause(self, *, separate: bool) -> bool:
        """Leave out the first that waits and may be a cause; False when none is left with another behind it.

        `separate`: a process runs each step, and only what it left in files can reach a later one.
        """
        while len(self.waiting) > 1:
            delta = self.waiting.pop(0)
            if not separate or _left_behind(delta):
                self.left_out.append(delta)
                return True
        return False

    @property
    def numbers(self) -> set[int]:
        return {delta.step for delta in self.left_out}


@dataclass(slots=True, kw_only=True)
class _Budget:
    """Steps that may still be replayed."""

    left: int
    repeats: int

    @classmethod
    def of(cls, inputs: Inputs, confirmed: Collection[CaseId]) -> _Budget:
        """By what the run replays: each case on both sides, and those again that it confirms."""
        replay = inputs.project.config.replay
        again = set(confirmed)
        done = sum(
            2 * len(case.steps) * (replay.repeats + replay.confirm * (case.id in again)) for case in inputs.cases
        )
        return cls(left=max(LEAST, done // SHARE), repeats=replay.repeats)

    def covers(self, look: _Look) -> bool:
        """Set the steps of a trial aside, if so many are left."""
        fits = self._of(look, self.repeats) <= self.left
        self.left -= self._of(look, self.repeats) if fits else 0
        return fits

    def spared(self, look: _Look) -> int:
        """The steps of a trial that ends after one run of each side."""
        return self._of(look, self.repeats - 1)

    @staticmethod
    def _of(look: _Look, runs: int) -> int:
        return 2 * runs * (len(look.case.steps) - len(look.left_out))


def _looks(cases: Sequence[Case], comparison: Comparison) -> Iterator[_Look]:
    deltas: dict[CaseId, list[Delta]] = {}
    for delta in comparison.deltas:
        deltas.setdefault(delta.case, []).append(delta)
    for case in cases:
        waiting = [delta for delta in deltas.get(case.id, ()) if 1 <= delta.step <= len(case.steps)]
        if len(waiting) > 1:
            yield _Look(case=case, waiting=sorted(waiting, key=lambda delta: delta.step))


def _round(
    inputs: Inputs,
    sides: Sides,
    evidence: _Evidence,
    looked: Sequence[_Look],
    *,
    found: dict[Spot, int],
    budget: _Budget,
) -> Iterator[_Look]:
    """Replay each case without its causes; yields those that may be looked at again."""
    cases = [without(look.case, look.numbers) for look in looked]
    seeds = range(inputs.project.config.replay.repeats)
    old, new = both_sides(sides, cases, seeds[:1], purpose="finding causes")
    firsts = [(_of(old, index), _of(new, index)) for index in range(len(cases))]
    hopeful = [index for index, pair in enumerate(firsts) if _may_follow(looked[index], compared(inputs, *pair))]
    budget.left += sum(budget.spared(look) for index, look in enumerate(looked) if index not in hopeful)
    if hopeful:
        old, new = both_sides(sides, [cases[index] for index in hopeful], seeds[1:], purpose="finding causes")
    for at, index in enumerate(hopeful):
        mine, theirs = firsts[index][0] + _of(old, at), firsts[index][1] + _of(new, at)
        if not _settle(looked[index], compared(inputs, mine, theirs), mine[0], evidence, found):
            looked[index].waiting.clear()
    yield from looked


def _may_follow(look: _Look, trial: Comparison) -> bool:
    """Whether one run of each side leaves a waiting step without a difference: further runs are worth while."""
    return bool({delta.step for delta in look.waiting} - {original(delta.step, look.numbers) for delta in trial.deltas})


def _of(runs: Sequence[Run], index: int) -> tuple[tuple[Record, ...], ...]:
    return tuple(run[index] for run in runs)


def _settle(
    look: _Look, trial: Comparison, shown: Sequence[Record], evidence: _Evidence, found: dict[Spot, int]
) -> bool:
    """Note which waiting steps follow the last cause. `shown`: what the baseline did in the trial. False: the trial says nothing."""
    numbers, case = look.numbers, look.case.id
    differing = {original(delta.step, numbers) for delta in trial.deltas} - {0}
    wavering = {(case, original(row.step, numbers), row.field) for row in trial.unstable}
    if wavering - evidence.wavering or differing - evidence.differing[case]:
        return False
    differing |= {step for _, step, _ in wavering}
    records = {original(record.step, numbers): record for record in shown}
    cause, still = look.left_out[-1], []
    for delta in look.waiting:
        if delta.step not in differing and evidence.supports(delta, cause, records.get(delta.step)):
            found[case, delta.step, delta.occurrence] = cause.step
        else:
            still.append(delta)
    look.waiting = still
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evidence:
    """What the run showed."""

    differing: Mapping[CaseId, set[int]]
    wavering: frozenset[tuple[CaseId, int, str]]
    records: Mapping[tuple[CaseId, int], tuple[Record, ...]]
    """What each side did first, of the steps that differ; a side without that step is left out."""

    @classmethod
    def read(cls, sides: Sides, comparison: Comparison) -> _Evidence:
        """From the comparison and the traces in the run's folder."""
        differing: dict[CaseId, set[int]] = {}
        for delta in comparison.deltas:
            differing.setdefault(delta.case, set()).add(delta.step)
        records: dict[tuple[CaseId, int], tuple[Record, ...]] = {}
        for name in ("golden.jsonl", "patched.jsonl"):
            for record in open_trace(sides.run_folder / name).records():
                if record.step in differing.get(record.case, ()):
                    place = (record.case, record.step)
                    records[place] = (*records.get(place, ()), record)
        wavering = frozenset((row.case, row.step, row.field) for row in comparison.unstable)
        return cls(differing=differing, wavering=wavering, records=records)

    def supports(self, delta: Delta, cause: Delta, now: Record | None) -> bool:
        """Whether the step that agrees now may be said to have inherited the cause; `now` is what it does without it."""
        if now is None:
            return False
        sides = [side for side in self.records.get((delta.case, delta.step), ()) if _same(now, side, PROTECTED)]
        changed = {change.field for change in delta.changes}
        return any(_same(now, side, changed) for side in sides) or (bool(sides) and _left_behind(cause))


def _same(one: Record, other: Record, names: set[str] | frozenset[str]) -> bool:
    return all(one.fields.get(name) == other.fields.get(name) for name in names)


def _left_behind(delta: Delta) -> bool:
    return any(change.field == LISTING.field or change.field.startswith(CONTENT) for change in delta.changes)
