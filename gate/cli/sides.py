"""From what was asked for on the command line to a verdict."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar, assert_never

from gate.cli.progress import progress
from gate.config.load import load_project
from gate.errors import ConfigError
from gate.pipeline.audit import Audit, Trees, audit
from gate.pipeline.made_from import remember_sides
from gate.pipeline.refs import Commits, audit_commits
from gate.pipeline.vote import Vote, vote, vote_on_commits
from gate.replay.sandbox import SandboxMode

_NEXT_STEP = "Name --baseline and --candidate, or --base and --head; --against-itself needs only the first of either."
_COUNTED = ("none", "one", "two")

_Side = TypeVar("_Side", Path, str)


def asked(
    *, folders: tuple[Path | None, Path | None], commits: tuple[str | None, str | None], against_itself: bool
) -> Trees | Commits:
    """The two sides that were named: folders, or commits. Raises ConfigError for a combination that means nothing."""
    if any(side is not None for side in folders) and any(side is not None for side in commits):
        raise ConfigError("expected two folders or two commits, got some of both", next_step=_NEXT_STEP)
    if any(side is not None for side in commits):
        base, head = _pair(commits, against_itself=against_itself)
        return Commits(base=base, head=head)
    baseline, candidate = _pair(folders, against_itself=against_itself)
    return Trees(baseline=baseline, candidate=candidate)


def judged(root: Path, sides: Trees | Commits, *, workers: int | None, sandbox: SandboxMode) -> Audit:
    """Run the audit of the project in `root`, with its progress shown and today's date. Raises GateError."""
    today = datetime.now(UTC).date()
    with progress() as listen:
        match sides:
            case Trees():
                done = audit(load_project(root), sides, workers=workers, sandbox=sandbox, today=today, listen=listen)
            case Commits():
                done = audit_commits(root, sides, workers=workers, sandbox=sandbox, today=today, listen=listen)
            case _:
                assert_never(sides)
    remember_sides(done.folder, sides)
    return done


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


def _pair(named: tuple[_Side | None, _Side | None], *, against_itself: bool) -> tuple[_Side, _Side | None]:
    first, second = named
    if first is not None and (second is None) == against_itself:
        return first, second
    expected = "two sides"
    got = _COUNTED[sum(side is not None for side in named)]
    if against_itself:
        expected, got = "the first side alone", f"{got} and --against-itself"
    raise ConfigError(f"expected {expected}, got {got}", next_step=_NEXT_STEP)
