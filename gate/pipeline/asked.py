"""From the two sides that somebody named to a verdict: two folders, or two commits."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TypeVar, assert_never

from gate.config.load import load_project
from gate.errors import ConfigError
from gate.pipeline.audit import Audit, Trees, audit
from gate.pipeline.events import Listener
from gate.pipeline.refs import Commits, audit_commits
from gate.replay.sandbox import SandboxMode

_NEXT_STEP = "Name --baseline and --candidate, or --base and --head; --against-itself needs only the first of either."
_TWO = "Name --baseline and --candidate, or --base and --head: those of the run."
_COUNTED = ("none", "one", "two")

_Side = TypeVar("_Side", Path, str)


def asked(
    *, folders: tuple[Path | None, Path | None], commits: tuple[str | None, str | None], against_itself: bool | None
) -> Trees | Commits:
    """The two sides that were named: folders, or commits. Raises ConfigError for a combination that means nothing.

    `against_itself` None: the command looks at a run that was made, and there is no patch without a second side.
    """
    if any(side is not None for side in folders) and any(side is not None for side in commits):
        raise ConfigError("expected two folders or two commits, got some of both", next_step=_next_step(against_itself))
    if any(side is not None for side in commits):
        base, head = _pair(commits, against_itself)
        return Commits(base=base, head=head)
    baseline, candidate = _pair(folders, against_itself)
    return Trees(baseline=baseline, candidate=candidate)


def judged(
    root: Path, sides: Trees | Commits, *, workers: int | None, sandbox: SandboxMode, today: date, listen: Listener
) -> Audit:
    """Run the audit of the project in `root`, which notes beside its scorecard what it was made from. Raises GateError."""
    match sides:
        case Trees():
            return audit(load_project(root), sides, workers=workers, sandbox=sandbox, today=today, listen=listen)
        case Commits():
            return audit_commits(root, sides, workers=workers, sandbox=sandbox, today=today, listen=listen)
        case _:
            assert_never(sides)


def _pair(named: tuple[_Side | None, _Side | None], against_itself: bool | None) -> tuple[_Side, _Side | None]:
    first, second = named
    if first is not None and (second is None) == bool(against_itself):
        return first, second
    expected = "two sides"
    got = _COUNTED[sum(side is not None for side in named)]
    if against_itself:
        expected, got = "the first side alone", f"{got} and --against-itself"
    raise ConfigError(f"expected {expected}, got {got}", next_step=_next_step(against_itself))


def _next_step(against_itself: bool | None) -> str:
    return _TWO if against_itself is None else _NEXT_STEP
