"""`gate run` and `gate capture`: replay, compare, judge."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from gate.cli.options import Format, FormatOption, ProjectOption, SandboxOption, ScorecardOption, WorkersOption
from gate.console import finish, judging, put, say
from gate.exit_codes import ExitCode


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("run", epilog=_exit_codes())(run)
    app.command("capture")(capture)


def run(
    *,
    baseline: Annotated[Path | None, typer.Option(help="The build before the patch.")] = None,
    candidate: Annotated[Path | None, typer.Option(help="The build with the patch.")] = None,
    base: Annotated[str | None, typer.Option(help="The commit before the patch; the judge is read from it.")] = None,
    head: Annotated[str | None, typer.Option(help="The commit with the patch.")] = None,
    against_itself: Annotated[
        bool, typer.Option("--against-itself", help="Hold the baseline against itself: an audit of the judge.")
    ] = False,
    project: ProjectOption = Path(),
    workers: WorkersOption = None,
    sandbox: SandboxOption = "auto",
    scorecard: ScorecardOption = None,
    format: FormatOption = Format.TEXT,  # noqa: A002 - the option's name
) -> None:
    """Replay both builds, hold every delta against the policy, and end in 0, 1, 2 or 3.

    Name two folders (--baseline, --candidate) or two commits (--base, --head). Of a commit, the whole tree of the repository is the
    build, and of the work tree nothing is read but its freeze set.
    """
    from gate.cli.sides import asked, judged
    from gate.pipeline.integrity import refuse_privileged_event
    from gate.report.scorecard import encode

    with judging(of_patch=True):
        refuse_privileged_event(os.environ)
        sides = asked(folders=(baseline, candidate), commits=(base, head), against_itself=against_itself)
        done = judged(project, sides, workers=workers, sandbox=sandbox)
        if scorecard is not None:
            from gate.files import write_atomically

            write_atomically(scorecard, encode(done.scorecard))
    from gate.cli.show import show

    put(show(done.scorecard, done.judgement, done.comparison.unstable, json=format is Format.JSON))
    say(f"scorecard and traces: {done.folder}")
    raise finish(ExitCode(done.scorecard.exit_code))


def _exit_codes() -> str:
    """One paragraph each: help joins the lines of a paragraph."""
    return "\n\n".join(["Exit codes:", *(f"{int(code)} {code.sentence}" for code in ExitCode)])


def capture(
    *,
    baseline: Annotated[Path, typer.Option(help="The build before the patch.")],
    project: ProjectOption = Path(),
    out: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="Write the golden trace to this file.", show_default="the run's folder"),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Drop what was kept of this baseline and record it anew.")
    ] = False,
    workers: WorkersOption = None,
    sandbox: SandboxOption = "auto",
) -> None:
    """Replay the baseline and keep its golden trace, so that an unchanged baseline is not replayed again."""
    from gate.cli.progress import progress
    from gate.config.load import load_project
    from gate.files import write_atomically
    from gate.pipeline.capture import capture as record

    with judging():
        with progress() as listen:
            done = record(load_project(project), baseline, workers=workers, sandbox=sandbox, fresh=fresh, listen=listen)
        if out is not None:
            write_atomically(out, done.file.read_bytes())
    first = done.runs[0]
    records = sum(len(case) for case in first)
    put(f"{out or done.file}: {len(first)} cases, {records} records; the baseline was run {len(done.runs)} times")
