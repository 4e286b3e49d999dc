"""The one public door of the gate, for the auditor and for other programs.

Importing it loads no room of the gate: each function loads what it needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gate.console import conclude, finish, in_colour, judging, put, report_width, say
from gate.errors import GateError
from gate.exit_codes import ExitCode

if TYPE_CHECKING:
    from gate.pipeline.audit import Audit
    from gate.pipeline.events import Event, Listener

__all__ = [
    "ExitCode",
    "GateError",
    "Outcome",
    "conclude",
    "finish",
    "in_colour",
    "judging",
    "pin",
    "put",
    "report_width",
    "run",
    "run_refs",
    "say",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a run ended."""

    exit_code: ExitCode
    report: str
    """The report for a terminal, as `gate run` prints it."""
    folder: Path
    """Where the run's scorecard, deltas and traces are."""


def _silence(event: Event) -> None:
    """Tell nobody what a run does meanwhile."""


def pin(project_root: Path) -> None:
    """Write the pins of the judge in `project_root`. Raises GateError."""
    from gate.config.load import load_project
    from gate.hashing.judge import pin_project

    pin_project(load_project(project_root))


def run(
    project_root: Path,
    baseline: Path,
    candidate: Path | None,
    *,
    workers: int | None = None,
    today: date | None = None,
    sandbox: Literal["auto", "require", "off"] = "auto",
    listen: Listener = _silence,
    width: int = 120,
    colour: bool = False,
) -> Outcome:
    """What `gate run` does, for two folders; without a candidate, the baseline against itself.

    Raises GateError when no verdict can be given (exit code 2).
    """
    from gate.config.load import load_project
    from gate.pipeline.audit import Trees, audit

    trees = Trees(baseline=baseline, candidate=candidate)
    done = audit(
        load_project(project_root), trees, workers=workers, sandbox=sandbox, today=today or _today(), listen=listen
    )
    return _outcome(done, width=width, colour=colour)


def run_refs(
    project_root: Path,
    base: str,
    head: str | None,
    *,
    workers: int | None = None,
    today: date | None = None,
    sandbox: Literal["auto", "require", "off"] = "auto",
    listen: Listener = _silence,
    width: int = 120,
    colour: bool = False,
) -> Outcome:
    """What `gate run` does, for two commits of the repository that `project_root` lies in; without a head, the base against itself.

    The judge is the one that the base holds. Raises GateError when no verdict can be given (exit code 2).
    """
    from gate.pipeline.refs import Commits, audit_commits

    commits = Commits(base=base, head=head)
    done = audit_commits(
        project_root, commits, workers=workers, sandbox=sandbox, today=today or _today(), listen=listen
    )
    return _outcome(done, width=width, colour=colour)


def _today() -> date:
    return datetime.now(UTC).date()


def _outcome(done: Audit, *, width: int, colour: bool) -> Outcome:
    from gate.report.terminal import render

    report = render(done.scorecard, done.judgement, done.comparison.unstable, width=width, colour=colour)
    return Outcome(exit_code=ExitCode(done.scorecard.exit_code), report=report, folder=done.folder)
