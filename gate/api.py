"""The one public door of the gate, for the auditor and for other programs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from gate.config.load import load_project
from gate.exit_codes import ExitCode
from gate.hashing.judge import pin_project
from gate.pipeline.audit import Trees, audit
from gate.pipeline.events import Listener, silence
from gate.report.terminal import render

__all__ = ["ExitCode", "Outcome", "pin", "run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a run ended."""

    exit_code: ExitCode
    report: str
    """The report for a terminal, as `gate run` prints it."""
    folder: Path
    """Where the run's scorecard, deltas and traces are."""


def pin(project_root: Path) -> None:
    """Write the pins of the judge in `project_root`. Raises GateError."""
    pin_project(load_project(project_root))


def run(
    project_root: Path,
    baseline: Path,
    candidate: Path | None,
    *,
    workers: int | None = None,
    today: date | None = None,
    listen: Listener = silence,
    width: int = 120,
    colour: bool = False,
) -> Outcome:
    """What `gate run` does, for two folders. Raises GateError when no verdict can be given (exit code 2)."""
    project = load_project(project_root)
    day = today or datetime.now(UTC).date()
    done = audit(project, Trees(baseline=baseline, candidate=candidate), workers=workers, today=day, listen=listen)
    report = render(done.scorecard, done.judgement, done.comparison.unstable, width=width, colour=colour)
    return Outcome(exit_code=ExitCode(done.scorecard.exit_code), report=report, folder=done.folder)
