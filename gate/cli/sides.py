"""From what was asked for on the command line to a verdict, with its progress shown."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import assert_never

from gate.cli.progress import progress
from gate.config.load import load_project
from gate.pipeline import asked as pipeline
from gate.pipeline.asked import asked
from gate.pipeline.audit import Audit, Trees
from gate.pipeline.refs import Commits
from gate.pipeline.vote import Vote, vote, vote_on_commits
from gate.replay.sandbox import SandboxMode

__all__ = ["asked", "judged", "voted"]


def judged(root: Path, sides: Trees | Commits, *, workers: int | None, sandbox: SandboxMode) -> Audit:
    """Run the audit of the project in `root`, with its progress shown and today's date. Raises GateError."""
    today = datetime.now(UTC).date()
    with progress() as listen:
        return pipeline.judged(root, sides, workers=workers, sandbox=sandbox, today=today, listen=listen)


def voted(root: Path, sides: Trees | Commits, *, workers: int | None, sandbox: SandboxMode) -> Vote:
    """Let the properties of the project in `root` vote, as `judged`. Raises GateError."""
    today = datetime.now(UTC).date()
    with progress() as listen:
        match sides:
            case Trees():
                return vote(load_project(root), sides, workers=workers, sandbox=sandbox, today=today, listen=listen)
            case Commits():
                return vote_on_commits(root, sides, workers=workers, sandbox=sandbox, today=today, listen=listen)
            case _:
                assert_never(sides)
