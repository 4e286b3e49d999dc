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
    from collections.abc import Iterable, Mapping, Sequence

    from gate.pipeline.audit import Audit, Trees
    from gate.pipeline.commit_range import Commits
    from gate.pipeline.events import CaseDone, Event, Listener, Remark, StageStarted
    from gate.pipeline.left import (
        Accepted,
        Experiment,
        Experimented,
        ExperimentKind,
        FrozenProperty,
        Place,
        Proposal,
        Recorded,
        RecordedBallot,
        RecordedChange,
        RecordedDelta,
        RecordedFailure,
        Seen,
        SideBallot,
        Silenced,
        TraceStep,
    )
    from gate.pipeline.without_run import allows, bind_changes, write_cases

__all__ = [
    "Accepted",
    "CaseDone",
    "Commits",
    "ExitCode",
    "Experiment",
    "ExperimentKind",
    "Experimented",
    "FrozenProperty",
    "GateError",
    "Outcome",
    "Place",
    "Proposal",
    "Recorded",
    "RecordedBallot",
    "RecordedChange",
    "RecordedDelta",
    "RecordedFailure",
    "Remark",
    "Seen",
    "SideBallot",
    "Silenced",
    "StageStarted",
    "TraceStep",
    "Trees",
    "accept",
    "allows",
    "asked",
    "bind_changes",
    "bound",
    "commit",
    "conclude",
    "experiment",
    "finish",
    "golden",
    "in_colour",
    "intent",
    "judging",
    "made_from",
    "patched",
    "pin",
    "proposed",
    "put",
    "recorded",
    "refuse_privileged_event",
    "report_width",
    "run",
    "runs",
    "say",
    "withdraw",
    "write_cases",
]


if not TYPE_CHECKING:  # else a type checker would take any name for one of this module

    def __getattr__(name: str) -> object:
        """The value types of the door, and what needs no run, loaded when somebody first asks for one."""
        if name in __all__:  # first: an import asks for `__path__`, too
            from gate.pipeline import audit, commit_range, events, left, without_run

            for module in (left, events, audit, commit_range, without_run):
                if hasattr(module, name):
                    return getattr(module, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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


def refuse_privileged_event(environ: Mapping[str, str]) -> None:
    """Raise IntegrityError where CI runs a stranger's patch with the repository's own secrets: what `gate run` does first."""
    from gate.pipeline.integrity import refuse_privileged_event

    refuse_privileged_event(environ)


def pin(project_root: Path) -> None:
    """Write the pins of the judge in `project_root`. Raises GateError."""
    from gate.config.load import load_project
    from gate.hashing.judge import pin_project

    pin_project(load_project(project_root))


def asked(
    folders: tuple[Path | None, Path | None],
    commits: tuple[str | None, str | None],
    *,
    against_itself: bool | None = False,
) -> Trees | Commits:
    """The two sides that somebody named. See `gate.pipeline.asked`. Raises GateError for a combination that means nothing."""
    from gate.pipeline.asked import asked

    return asked(folders=folders, commits=commits, against_itself=against_itself)


def run(
    project_root: Path,
    sides: Trees | Commits,
    *,
    workers: int | None = None,
    today: date | None = None,
    sandbox: Literal["auto", "require", "off"] = "auto",
    listen: Listener = _silence,
    width: int = 120,
    colour: bool = False,
) -> Outcome:
    """What `gate run` does, for two folders, or for two commits of the repository that `project_root` lies in.

    Of commits, the judge is the one that the base holds. Raises GateError when no verdict can be given (exit code 2).
    """
    from gate.pipeline.asked import judged

    day = today or datetime.now(UTC).date()
    done = judged(project_root, sides, workers=workers, sandbox=sandbox, today=day, listen=listen)
    return _outcome(done, width=width, colour=colour)


def runs(project_root: Path) -> tuple[Path, ...]:
    """The folders of all runs that are kept, `.gate/latest` first, then the newest. None yet: empty. Raises GateError."""
    from gate.config.load import load_project
    from gate.pipeline.kept import runs_of

    return runs_of(load_project(project_root))


def made_from(project_root: Path, run: Path | None = None) -> Trees | Commits:
    """The sides that a run was made from, by default the latest one. Raises GateError, also where the run does not record them."""
    from gate.config.load import load_project
    from gate.pipeline.kept import read_run
    from gate.pipeline.made_from import remembered_sides

    return remembered_sides(read_run(load_project(project_root), run)[0])


def recorded(project_root: Path, run: Path | None = None) -> Recorded:
    """What a run left, by default the latest one, held to the policy as it stands. Raises GateError."""
    from gate.config.load import load_project
    from gate.pipeline.recorded import recorded

    return recorded(load_project(project_root), run)


def golden(project_root: Path, run: Path | None = None) -> tuple[TraceStep, ...]:
    """What the baseline did in a run, or the records of a trace file. Raises GateError."""
    from gate.config.load import load_project
    from gate.pipeline.recorded import steps

    return steps(load_project(project_root), run, "baseline")


def patched(project_root: Path, run: Path | None = None) -> tuple[TraceStep, ...]:
    """What the candidate did in a run, or the records of a trace file. Raises GateError."""
    from gate.config.load import load_project
    from gate.pipeline.recorded import steps

    return steps(load_project(project_root), run, "candidate")


def proposed(project_root: Path, run: Path | None, entries: Sequence[Mapping[str, object]]) -> tuple[Proposal, ...]:
    """What each policy entry would silence of a run, and whether it is refused. See `gate.pipeline.proposed`. Raises GateError."""
    from gate.config.load import load_project
    from gate.pipeline.kept import read_kept
    from gate.pipeline.proposed import proposed

    return proposed(read_kept(load_project(project_root), run), entries)


def bound(
    project_root: Path, run: Path | None, places: Iterable[Place], reason: str, reviewer: str
) -> tuple[Mapping[str, object], ...]:
    """Bound entries for exactly what a run showed at the places (case, step, occurrence). Nothing is written. Raises GateError."""
    from gate.config.load import load_project
    from gate.pipeline.kept import read_kept
    from gate.pipeline.proposed import bound

    return bound(read_kept(load_project(project_root), run), places, reason, reviewer)


def accept(
    project_root: Path,
    entries: Sequence[Mapping[str, object]],
    reviewer: str,
    suggestion: str,
    *,
    run: Path | None = None,
) -> Accepted:
    """Write bound entries into the policy for a person who reviewed them: all or none, never in CI. Raises GateError."""
    from gate.config.load import load_project
    from gate.pipeline.accepted import accept

    return accept(load_project(project_root), entries, reviewer=reviewer, suggestion=suggestion, run=run)


def withdraw(project_root: Path, accepted: Accepted) -> None:
    """Undo one `accept`, byte for byte, where the policy has not changed since. Raises GateError."""
    from gate.config.load import load_project
    from gate.pipeline.accepted import withdraw

    withdraw(load_project(project_root), accepted)


def experiment(
    project_root: Path,
    sides: Trees | Commits,
    asked: Experiment,
    *,
    run: Path | None = None,
    workers: int | None = None,
    sandbox: Literal["auto", "require", "off"] = "auto",
    listen: Listener = _silence,
) -> Experimented:
    """Run one experiment of the closed list on the two sides of a run; of commits, the judge is the base's. Raises GateError."""
    from gate.config.load import load_project
    from gate.pipeline.audit import Trees
    from gate.pipeline.experiments import Conditions, experiment
    from gate.pipeline.refs import trees_of_commits

    conditions = Conditions(workers=workers, sandbox=sandbox, listen=listen)
    if isinstance(sides, Trees):
        return experiment(load_project(project_root), sides, asked, run=run, conditions=conditions)
    with trees_of_commits(project_root, sides, listen=listen) as (project, trees):
        return experiment(project, trees, asked, run=run, conditions=conditions)


def intent(project_root: Path, base: str, head: str) -> str:
    """The messages of the commits between two refs, oldest first. Raises GateError."""
    from gate.pipeline.intent import intent

    return intent(project_root, base, head)


def commit(project_root: Path, ref: str) -> str:
    """The full id of the commit that `ref` names in the project's repository. Raises GateError for none, and for several."""
    from gate.replay.refs import commit_of, repository_root

    return commit_of(repository_root(project_root.resolve()), ref)


def _outcome(done: Audit, *, width: int, colour: bool) -> Outcome:
    from gate.report.terminal import render

    report = render(done.scorecard, done.judgement, done.comparison.unstable, width=width, colour=colour)
    return Outcome(exit_code=ExitCode(done.scorecard.exit_code), report=report, folder=done.folder)
