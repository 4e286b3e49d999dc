"""`auditor audit`: what `gate run` does, then drafts for what it found. The exit code is the gate's, whatever becomes of the drafts."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

from auditor.cli.draft import ModelOption, ProjectOption
from gate import api
from gate.api import finish, judging, put, say

Sandbox = Literal["auto", "require", "off"]

_INTERRUPTED = "drafting was interrupted; the verdict stands. Draft what is missing: auditor draft --help"
_NOTHING = (
    "nothing is drafted: the gate gave no verdict, and what it recorded may not be drafted from. Mend that first."
)


class Format(StrEnum):
    """How the gate's result is printed."""

    TEXT = "text"
    JSON = "json"


def audit(
    *,
    baseline: Annotated[Path | None, typer.Option(help="The build before the patch.")] = None,
    candidate: Annotated[Path | None, typer.Option(help="The build with the patch.")] = None,
    base: Annotated[str | None, typer.Option(help="The commit before the patch; the judge is read from it.")] = None,
    head: Annotated[str | None, typer.Option(help="The commit with the patch.")] = None,
    against_itself: Annotated[
        bool, typer.Option("--against-itself", help="Hold the baseline against itself: an audit of the judge.")
    ] = False,
    intent: Annotated[
        Path | None,
        typer.Option(
            help="The file that says what the patch is meant to do.",
            dir_okay=False,
            show_default="the messages of the commits",
        ),
    ] = None,
    model: ModelOption = None,
    project: ProjectOption = Path(),
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Processes that replay.", show_default="one a core")
    ] = None,
    sandbox: Annotated[
        Sandbox, typer.Option("--sandbox", help="auto: where there is one; require: 2 without one; off: none.")
    ] = "auto",
    scorecard: Annotated[
        Path | None, typer.Option("--scorecard", dir_okay=False, help="Also write the scorecard to this file.")
    ] = None,
    form: Annotated[
        Format, typer.Option("--format", help="Of the gate's result; with json the drafts are told on standard error.")
    ] = Format.TEXT,
) -> None:
    """Judge a patch as `gate run` does, then draft for what is flagged, what fails and what is frozen.

    The exit code is the gate's. Drafts are suggestions for a person to review; no failure of drafting moves a verdict.
    """
    with _nothing_without_a_verdict(), judging():
        api.refuse_privileged_event(os.environ)
        sides = api.asked((baseline, candidate), (base, head), against_itself=against_itself)
        outcome = _judged(project, sides, workers=workers, sandbox=sandbox)
        card = (outcome.folder / "scorecard.json").read_bytes()
        if scorecard is not None:
            from gate.files import write_atomically

            write_atomically(scorecard, card)
    put(outcome.report if form is Format.TEXT else card.decode("utf-8").rstrip("\n"))
    say(f"scorecard and traces: {outcome.folder}")
    tell = put if form is Format.TEXT else say
    with _until_interrupted():
        if outcome.exit_code is api.ExitCode.INVALID:
            say(_NOTHING)
        else:
            _draft(project, outcome, model, tell, sides=sides, intent=intent)
    raise finish(outcome.exit_code)


def exit_codes() -> str:
    """One paragraph each, for the end of the help."""
    return "\n\n".join(["Exit codes, the gate's:", *(f"{int(code)} {code.sentence}" for code in api.ExitCode)])


def _draft(
    project: Path,
    outcome: api.Outcome,
    model: str | None,
    tell: Callable[[str], None],
    *,
    sides: api.Trees | api.Commits,
    intent: Path | None,
) -> None:
    """All of it, its imports and settings among it, behind the one guard."""
    from auditor.cli.drafted import advising

    with advising():
        from auditor.cli.audit_drafts import Patch, draft_all
        from auditor.drafting.drafter import Desk
        from auditor.service.settings import load_settings
        from auditor.suggestions.plain import plain

        settings = load_settings(project, os.environ, model=model)
        for remark in settings.remarks:
            say(plain(remark))
        patch = Patch(sides=sides, intent=intent)
        draft_all(Desk(root=project, run=outcome.folder, settings=settings), patch, tell)


def _judged(project: Path, sides: api.Trees | api.Commits, *, workers: int | None, sandbox: Sandbox) -> api.Outcome:
    from auditor.cli.progress import progress

    with progress() as listen:
        return api.run(
            project,
            sides,
            workers=workers,
            sandbox=sandbox,
            listen=listen,
            width=api.report_width(),
            colour=api.in_colour(),
        )


@contextmanager
def _nothing_without_a_verdict() -> Iterator[None]:
    """Say that nothing is drafted where the gate could not judge."""
    try:
        yield
    except SystemExit:
        say(_NOTHING)
        raise


@contextmanager
def _until_interrupted() -> Iterator[None]:
    """End what is done here, and nothing else, at Ctrl-C: there is a verdict already."""
    try:
        yield
    except KeyboardInterrupt:
        for number in (signal.SIGINT, signal.SIGTERM):  # the second one must not cut this short
            signal.signal(number, signal.SIG_IGN)
        say(_INTERRUPTED)
