"""What to say where the run that was read does not hold what was asked for: which run it was, and which other one does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from auditor.drafting.material import Traces, failures
from auditor.errors import AuditorError
from gate import api

MOST_RUNS = 20
"""Runs that are looked through, the newest first."""

Holds = Callable[[api.Recorded], bool]


def is_flagged(left: api.Recorded) -> bool:
    """Whether something is flagged in a run."""
    return bool(left.flagged)


def holds_failure(subject: str | None) -> Holds:
    """Whether a run holds the stable failure that is named so; None: any."""

    def holds(left: api.Recorded) -> bool:
        known = {each.subject for each in failures(left, Traces())}
        return bool(known if subject is None else known & {subject, f"property {subject}", f"group {subject}"})

    return holds


def of_this_run(fault: AuditorError, root: Path, left: api.Recorded, holds: Holds) -> AuditorError:
    """The fault with the name of the run that it speaks of; where another run holds what was asked for, the next step is to name that."""
    other = _other(root, left, holds)
    next_step = fault.next_step if other is None else f"Another run holds it: --run {_shown(other)}"
    return AuditorError(f"{fault.what} (run {left.folder.name})", next_step=next_step)


def _shown(run: Path) -> Path:
    """As it can be typed from here: relative where that is short."""
    here = Path.cwd()
    return run.relative_to(here) if run.is_relative_to(here) else run


def _other(root: Path, left: api.Recorded, holds: Holds) -> Path | None:
    for run in api.runs(root)[:MOST_RUNS]:
        try:
            found = api.recorded(root, run)
        except api.GateError:
            continue  # it gave no verdict, or speaks of another policy
        if found.folder != left.folder and holds(found):
            return run
    return None
