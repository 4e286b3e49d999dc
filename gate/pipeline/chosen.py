"""One group of a recorded run, looked up by its id."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from gate.config.model import Project
from gate.corpus.format import parse_corpus
from gate.counted import counted
from gate.diff.findings import Delta
from gate.domain import Case
from gate.errors import GateError, ReplayError
from gate.pipeline.kept import read_run
from gate.report.counted import step_number
from gate.report.scorecard import Scorecard, ShownDelta
from gate.report.shown_groups import ShownGroup
from gate.report.votes_text import plain

_LISTED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A group, and the run that it is of."""

    folder: Path
    card: Scorecard
    group: ShownGroup
    delta: Delta
    """Its representative, with whole values as far as they were kept."""
    places: tuple[ShownDelta, ...]
    """Every step of the group in report order, those that only follow it included."""
    deltas: tuple[Delta, ...]
    """The same steps with their whole values."""


def choose(project: Project, run: Path | None, name: str) -> Chosen:
    """The group `name` of a run, by default the latest. Raises ReplayError without a run or such a group, with those there are."""
    folder, card, deltas = read_run(project, run)
    if card.deltas and not card.groups:
        raise ReplayError(
            f"{folder}: the run was made before differences were put in groups", next_step="Run `gate run` again."
        )
    group = next((held for held in card.groups if held.id == name), None)
    if group is None:
        raise _unknown(card, name)
    shown = group.representative
    delta = next(
        held for held in deltas if (held.case, held.step, held.occurrence) == (shown.case, shown.step, shown.occurrence)
    )
    rows = [(row, held) for row, held in zip(card.deltas, deltas, strict=True) if row.group == name]
    places, whole = (tuple(side) for side in zip(*rows, strict=True))
    return Chosen(folder=folder, card=card, group=group, delta=delta, places=places, deltas=whole)


def recorded_case(project: Project, chosen: Chosen) -> Case | None:
    """The case of the group's representative, as the run had it; None where the corpus is another one now, or cannot be read."""
    with suppress(GateError, OSError):
        data = project.corpus_file.read_bytes()
        if chosen.card.digests.corpus == f"sha256:{sha256(data).hexdigest()}":
            cases = parse_corpus(data, name=project.corpus_file.name).cases
            return next((case for case in cases if case.id == chosen.delta.case), None)
    return None


def _unknown(card: Scorecard, name: str) -> ReplayError:
    if not card.groups:
        return ReplayError(
            f"group {name!a}: nothing differs in this run", next_step="Name the folder of another run with --run."
        )
    return ReplayError(
        f"group {name[:60]!a}: expected one of the run's {len(card.groups)} groups", next_step="\n".join(_list(card))
    )


def _list(card: Scorecard) -> Iterator[str]:
    yield "They are:"
    for group in card.groups[:_LISTED]:
        shown = group.representative
        place = f"case {plain(shown.case)} step {step_number(shown.step, shown.occurrence)}"
        steps = counted(group.steps, "step")
        yield f"  {group.id}  {place}, {plain(group.command)}: {group.kind}, {steps}, {group.verdict}"
    if len(card.groups) > _LISTED:
        yield f"  … {len(card.groups) - _LISTED} more"
