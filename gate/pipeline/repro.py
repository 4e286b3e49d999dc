"""A minimal reproduction of one group: its representative case shrunk on both builds, then replayed once more in another place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from gate.config.model import Project
from gate.diff.compare import merge
from gate.diff.edits import edit
from gate.diff.findings import Comparison, Delta
from gate.errors import GateError, ReplayError
from gate.pipeline.audit import Trees, sources_of
from gate.pipeline.chosen import Chosen, choose
from gate.pipeline.experiments import Conditions
from gate.pipeline.inputs import Inputs, read_inputs
from gate.pipeline.reduction import Cut, Reduced, reduced
from gate.pipeline.same_inputs import require_same
from gate.pipeline.sides import Sides
from gate.pipeline.stage import stage
from gate.pipeline.variants import both_sides, compared
from gate.replay.build import SideName, Source, build_key

BUDGET = 60
"""Trials by default."""

_OTHER_RUN = "Name the trees of that run, or `gate run` again and take the group's new id."


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """A difference that was shown again."""

    chosen: Chosen
    inputs: Inputs
    whole: Cut
    """The case as it stands in the corpus."""
    found: Reduced
    """What was left of it."""
    delta: Delta
    """What the second replay showed of the step."""
    seen: Comparison
    """What it showed in all: what noise rules took out, and what wavered."""
    runs: int
    """Runs of each side in the second replay."""
    shrunk: bool
    """False where the small case did not show it again, and the whole one did: `found` is then the whole one."""
    sources: Mapping[SideName, Source]
    kept: Mapping[SideName, Path]
    """Builds that were made by a command, and are kept. Empty where a tree is its own build."""


def reproduce(
    project: Project, trees: Trees, group: str, *, run: Path | None, budget: int, conditions: Conditions
) -> Reproduction:
    """Shrink the representative of the group while the same difference stays, and show it again.

    The same is: the same fields of the step, each of the same kind and by the same edit, steady on both sides. Each trial replays both
    builds; most that fail cost one run of each. What is left is replayed once more, in a slot, builds and workers of its own, as often
    as a run confirms. Raises ReplayError where the difference does not show again, or where trees, corpus, fixtures or noise rules are not
    those of the run.
    """
    chosen = choose(project, run, group)
    inputs = read_inputs(project)
    sources = sources_of(trees)
    trees_now = {side: source.digest for side, source in sources.items()}
    require_same(chosen.card.digests, inputs, trees_now, properties=False, next_step=_OTHER_RUN)
    whole = _whole(inputs, chosen)
    with _staged(inputs, sources, conditions) as sides:
        bench = _Bench(inputs, sides, chosen)
        bench.learn(whole)
        found = reduced(whole, bench.holds, budget=budget)
    with _staged(inputs, sources, conditions) as sides:
        again = _Bench(inputs, sides, chosen, wanted=bench.wanted)
        delta = again.shown(found.cut)
        shrunk = delta is not None
        if delta is None:
            found = Reduced(cut=whole, trials=found.trials, spent=found.spent)
            delta = again.shown(whole)
        kept = _kept(inputs, sides)
    if delta is None:
        raise _not_reproduced(chosen, "seen again while shrinking, and not seen in a second process")
    return Reproduction(
        chosen=chosen,
        inputs=inputs,
        whole=whole,
        found=found,
        delta=delta,
        seen=again.last,
        runs=again.many,
        shrunk=shrunk,
        sources=sources,
        kept=kept,
    )


@contextmanager
def _staged(inputs: Inputs, sources: Mapping[SideName, Source], conditions: Conditions) -> Iterator[Sides]:
    """A stage whose folder does not stay among the runs unless a build wrote its log there."""
    with stage(
        inputs, sources, workers=conditions.workers, sandbox=conditions.sandbox, listen=conditions.listen
    ) as sides:
        try:
            yield sides
        finally:
            with suppress(OSError):
                sides.run_folder.rmdir()


def _whole(inputs: Inputs, chosen: Chosen) -> Cut:
    case = next((held for held in inputs.cases if held.id == chosen.delta.case), None)
    if case is None or not 0 <= chosen.delta.step <= len(case.steps):
        raise ReplayError(
            f"group {chosen.group.id}: its step {chosen.delta.step} is none of the corpus, so that nothing can be replayed for it",
            next_step=f"Look at what was recorded: gate show {chosen.group.id}",
        )
    return Cut(case=case, target=chosen.delta.step)


def _not_reproduced(chosen: Chosen, how: str) -> ReplayError:
    delta = chosen.delta
    return ReplayError(
        f"group {chosen.group.id} (case {delta.case} step {delta.step}) was not reproduced: {how}",
        next_step="It may depend on chance, or on other cases. Run `gate run` again, and look whether the step is unstable.",
    )


def _kept(inputs: Inputs, sides: Sides) -> dict[SideName, Path]:
    build = inputs.project.config.build
    if not build.command:
        return {}
    keys = {
        side: build_key(source, build, at=sides.slot.build, sandbox=sides.sandbox)
        for side, source in sides.sources.items()
    }
    return {side: place for side, key in keys.items() if (place := sides.store.kept_build(key)) is not None}


_Exact = tuple[tuple[object, ...], ...]


class _Bench:
    """Replays cuts and says whether the difference is there."""

    def __init__(self, inputs: Inputs, sides: Sides, chosen: Chosen, *, wanted: _Exact = ()) -> None:
        replay = inputs.project.config.replay
        self.wanted = wanted
        self.many = replay.repeats + replay.confirm
        self._few = replay.repeats
        self._inputs = inputs
        self._sides = sides
        self._chosen = chosen
        self._trials = 0
        self.last = merge(())
        """The latest comparison."""

    def learn(self, whole: Cut) -> None:
        """What the whole case shows now is what is looked for: the recorded fields and kinds, and the edits as this case alone shows them.

        Raises ReplayError where it does not show them.
        """
        found = self._compared(whole, self.many)
        delta = _steady(found, whole.target)
        recorded = [(change.field, change.kind) for change in self._chosen.delta.changes]
        if delta is None or [(change.field, change.kind) for change in delta.changes] != recorded:
            raise _not_reproduced(self._chosen, "its whole case was replayed, and the step did not differ as recorded")
        self.wanted = _exact(delta)

    def holds(self, cut: Cut) -> bool:
        """Whether the difference is there, and steady."""
        self._trials += 1
        fields = {row[0] for row in self.wanted}
        try:
            first = next((delta for delta in self._compared(cut, 1).deltas if delta.step == cut.target), None)
            if first is None or not fields <= {row[0] for row in _exact(first)}:
                return False  # further runs can only take differences away
            return self.shown(cut, runs=self._few) is not None
        except GateError:  # what is left is replayed on builds of its own before it is shown
            return False

    def shown(self, cut: Cut, *, runs: int | None = None) -> Delta | None:
        """The step as it differs, where it does so as wanted in `runs` runs of each side, by default as many as confirm a difference."""
        delta = _steady(self._compared(cut, runs or self.many), cut.target)
        return delta if delta is not None and _exact(delta) == self.wanted else None

    def _compared(self, cut: Cut, runs: int) -> Comparison:
        old, new = both_sides(self._sides, (cut.case,), range(runs), purpose=f"trial {self._trials}")
        self.last = compared(self._inputs, [run[0] for run in old], [run[0] for run in new])
        return self.last


def _steady(found: Comparison, target: int) -> Delta | None:
    """The step as it differs. A check that wavers is none of its changes; that others of the step are steady still counts, as in a run."""
    return next((delta for delta in found.deltas if delta.step == target), None)


def _exact(delta: Delta) -> _Exact:
    return tuple(edit(change).exact for change in delta.changes)
