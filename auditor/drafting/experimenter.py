"""Running what the hypotheses of one suggestion ask for, and keeping what was seen beside them. Nothing here is judged."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from auditor.drafting.experiments import asked, step_of
from auditor.drafting.redact import Redactor
from auditor.drafting.showing import told
from auditor.drafting.values import Experiment
from auditor.errors import AuditorError
from auditor.review.gate_door import GateDoor
from auditor.suggestions.model import AnyItem, AnySuggestion, Ran
from auditor.suggestions.plain import plain
from auditor.suggestions.stale import changed_inputs
from auditor.suggestions.store import add_experiment, read_suggestion
from gate import api

NEEDED = ("scorecard", "deltas")
"""The inputs that a suggestion has to name, so that its run is known again."""
_SHOW = "Look at it: auditor suggestions show {}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """One item, the experiment that it chose, and what that showed."""

    item: AnyItem
    experiment: Experiment
    ran: Ran
    already: bool
    """It was kept before, and nothing was run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Experimenter:
    """One project, one run, its two builds."""

    root: Path
    run: Path | None
    """None: the latest."""
    sides: api.Trees | api.Commits
    """Those of the run."""
    workers: int | None
    sandbox: Literal["auto", "require", "off"]
    progress: Callable[[], AbstractContextManager[Callable[[object], None]]]
    """Gives a listener for as long as one experiment runs; over when its outcome is given, so that the two do not mix on a screen."""
    redactor: Callable[[], Redactor]
    now: Callable[[], str]

    def run_for(self, suggestion_id: str, item_id: str | None = None, *, again: bool = False) -> Iterator[Done]:
        """Run the experiment of one item, by default of each, and give what was kept, in the order of the items.

        What was run before is given as it was kept, unless `again`. Items with the same experiment share one run. Each outcome is written
        before the next experiment begins. Raises AuditorError for a suggestion that is none of hypotheses, that is stale, or that names no
        offered experiment; GateError where the gate refuses the experiment or its builds.
        """
        held = read_suggestion(self.root, suggestion_id).suggestion
        chosen = [(item, _chosen(held, item)) for item in items_of(held, item_id)]
        self._require_fresh(held)
        fresh: set[str] = set()
        for item, experiment in chosen:
            if experiment.id not in fresh and (again or _kept(held, item) is None):
                earlier = None if again else _kept_beside_another(held, experiment)
                held = self._keep(held, experiment, earlier or self._ran(held, item, experiment))
                fresh.add(experiment.id)
            ran = _kept(held, item)
            assert ran is not None, "it was kept before, or just now"
            yield Done(item=item, experiment=experiment, ran=ran, already=experiment.id not in fresh)

    def _ran(self, held: AnySuggestion, item: AnyItem, experiment: Experiment) -> Ran:
        left = api.recorded(self.root, self.run)
        wanted = asked(experiment, about=step_of(held.offered, experiment, left))
        shown = self._shown(wanted)
        words = told(wanted, shown, self.redactor())
        return Ran(item=item.id, experiment=experiment.id, when=self.now(), outcome=shown.finding, words=words)

    def _shown(self, wanted: api.Experiment) -> api.Experimented:
        with self.progress() as listen:
            return api.experiment(
                self.root,
                self.sides,
                wanted,
                run=self.run,
                workers=self.workers,
                sandbox=self.sandbox,
                listen=listen,
            )

    def _keep(self, held: AnySuggestion, experiment: Experiment, ran: Ran) -> AnySuggestion:
        """Beside each item that chose the experiment. The file is read anew: a review may have gone on meanwhile."""
        for item in held.items:
            mine = msgspec.structs.replace(ran, item=item.id)
            stored = read_suggestion(self.root, held.id)
            if item.draft.experiment == experiment.id and mine not in stored.suggestion.experiments:
                add_experiment(stored, mine)
        return read_suggestion(self.root, held.id).suggestion

    def _require_fresh(self, held: AnySuggestion) -> None:
        named = {given.name for given in held.provenance.inputs}
        stale = [f"{name}: not among the inputs of the draft" for name in NEEDED if name not in named]
        stale += changed_inputs(held, GateDoor(project_root=self.root, run=self.run).standing(), self.root)
        if stale:
            raise AuditorError(
                f"{held.id} is stale: {stale[0]}",
                next_step="Name the run that it was drafted from with --run, or draft anew: "
                f"auditor draft hypotheses {plain(shlex.quote(held.subject))}",
            )


def items_of(held: AnySuggestion, item_id: str | None) -> tuple[AnyItem, ...]:
    """One hypothesis, by default all of them. Raises AuditorError where there is none, and for a suggestion of another kind."""
    if held.kind != "hypotheses":
        raise AuditorError(
            f"{held.id}: expected hypotheses, got {held.kind}: only a hypothesis has an experiment",
            next_step="Draft some: auditor draft hypotheses",
        )
    found = tuple(item for item in held.items if item_id in (None, item.id))
    if not found:
        names = ", ".join(plain(item.id) for item in held.items) or "none"
        wanted = "a hypothesis" if item_id is None else f"the hypothesis {plain(item_id)}"
        raise AuditorError(f"{held.id}: expected {wanted}, it holds: {names}", next_step=_SHOW.format(held.id))
    return found


def _chosen(held: AnySuggestion, item: AnyItem) -> Experiment:
    """The one experiment of that id that was offered."""
    offered = [one for one in held.offered if one.id == item.draft.experiment]
    if len(offered) != 1:
        got = "none of that id" if not offered else f"{len(offered)} of that id"
        raise AuditorError(
            f"{held.id} {plain(item.id)}: expected the offered experiment {plain(item.draft.experiment)}, got {got}",
            next_step=_SHOW.format(held.id),
        )
    return offered[0]


def _kept(held: AnySuggestion, item: AnyItem) -> Ran | None:
    """The last outcome that is kept beside the item, of the experiment that it chose."""
    mine = [ran for ran in held.experiments if (ran.item, ran.experiment) == (item.id, item.draft.experiment)]
    return mine[-1] if mine else None


def _kept_beside_another(held: AnySuggestion, experiment: Experiment) -> Ran | None:
    """Where a run was interrupted between two items of one experiment."""
    same = [ran for ran in held.experiments if ran.experiment == experiment.id]
    return same[-1] if same else None
