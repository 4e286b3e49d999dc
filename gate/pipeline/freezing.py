"""What a run remembers of wavering properties: the freeze set of the work tree, which a person commits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from gate.config.model import Project
from gate.files import only_writer
from gate.hashing.properties import read_properties
from gate.pipeline.events import Listener, Remark
from gate.pipeline.votes import Poll
from gate.voting.ballots import Ballot
from gate.voting.freeze_set import Frozen, freeze, read_freeze_set, write_freeze_set
from gate.voting.repairs import file_digest


def remember(project: Project, poll: Poll, *, today: date, listen: Listener) -> None:
    """Freeze what wavered, and say so: the freeze set is a file that a person commits."""
    if fresh := record_freezes(project, poll.ballots, today=today):
        listen(Remark(text=f"frozen from now on: {', '.join(fresh)}; commit {project.config.folder}/freeze_set.json"))
    if poll.stale:
        listen(Remark(text=f"warning: frozen, and the property's file is gone: {', '.join(poll.stale)}"))


def record_freezes(project: Project, ballots: Sequence[Ballot], *, today: date) -> tuple[str, ...]:
    """Write every newly mixed property into the work tree's freeze set; their names. Nothing is written where there is none."""
    fresh = tuple(ballot for ballot in ballots if ballot.kind == "freeze")
    if not fresh:
        return ()
    file = written(project).freeze_file
    files = {each.name: each.file for each in read_properties(project.properties)}
    with only_writer(project.judge_lock):  # two runs at a time may freeze two properties
        held = read_freeze_set(file)
        for ballot in fresh:
            held = freeze(held, _entry(ballot, file_digest(project.properties / files[ballot.property]), today))
        write_freeze_set(file, held)
    return tuple(ballot.property for ballot in fresh)


def _entry(ballot: Ballot, digest: str, today: date) -> Frozen:
    seeds = () if ballot.facts is None else (ballot.facts.seed,) * len(ballot.runs)
    return Frozen(
        name=ballot.property,
        since=today,
        ballots=tuple(run.outcome for run in ballot.runs),
        seeds=seeds,
        property=digest,
    )


def written(project: Project) -> Project:
    """The project whose files this run may write: the work tree's, where the judge is read from a commit."""
    return project if project.home is None else replace(project, root=project.home)
