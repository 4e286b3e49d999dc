"""The vote alone: every property on one side, without a corpus being replayed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from gate.config.model import Project
from gate.errors import NothingComparedError
from gate.exit_codes import ExitCode, combine
from gate.pipeline.audit import Trees, sources_of
from gate.pipeline.events import Listener
from gate.pipeline.freezing import remember
from gate.pipeline.inputs import read_inputs
from gate.pipeline.refs import Commits, examined_commits
from gate.pipeline.stage import stage
from gate.pipeline.votes import Booth
from gate.replay.sandbox import SandboxMode
from gate.report.shown_votes import Votes
from gate.report.votes import shown_votes, vote_codes


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """What the properties said, and what that makes of the exit code."""

    votes: Votes
    exit_code: ExitCode


def vote(
    project: Project,
    trees: Trees,
    *,
    workers: int | None,
    sandbox: SandboxMode,
    today: date,
    listen: Listener,
    repaired: Collection[str] = (),
) -> Vote:
    """Let the properties vote on the candidate, or without one on the baseline. Newly mixed ones are written to the freeze set.

    Raises NothingComparedError where there is no property: an empty vote is no consent (reported fault 114).
    """
    inputs = read_inputs(project)
    with stage(inputs, sources_of(trees), workers=workers, sandbox=sandbox, listen=listen) as sides:
        poll = Booth(inputs, sides).poll(repaired=repaired)
    votes = shown_votes(poll.ballots, poll.baseline)
    if votes is None:
        raise NothingComparedError(
            f"nothing voted: {project.config.properties} holds no property file",
            next_step=f"Write one, {project.config.properties}/test_NAME.py (docs/properties.md), and pin it: gate pin",
        )
    remember(project, poll, today=today, listen=listen)
    return Vote(votes=votes, exit_code=combine(vote_codes(votes, None)))


def vote_on_commits(
    root: Path, commits: Commits, *, workers: int | None, sandbox: SandboxMode, today: date, listen: Listener
) -> Vote:
    """As `vote`, for the trees of two commits; the properties are the base's. See `gate.pipeline.refs.examined_commits`."""
    with examined_commits(root, commits, listen=listen) as found:
        repaired = () if found.patch is None else found.patch.repaired
        return vote(
            found.project,
            found.trees,
            workers=workers,
            sandbox=sandbox,
            today=today,
            listen=listen,
            repaired=repaired,
        )
