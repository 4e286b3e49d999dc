"""`gate run` and `gate capture`: replay, compare, judge."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from gate.console import finish, judging, put, say
from gate.exit_codes import ExitCode


class Format(StrEnum):
    """How a result is printed."""

    TEXT = "text"
    JSON = "json"


ProjectOption = Annotated[
    Path, typer.Option("--project", help="The folder that holds gate.toml.", show_default="the current folder")
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        help="Processes that replay; the result is the same for any number.",
        show_default="one a core",
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", help="text for people, json for machines (the scorecard).")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("run")(run)
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
    scorecard: Annotated[Path | None, typer.Option(help="Also write the scorecard here.")] = None,
    format: FormatOption = Format.TEXT,  # noqa: A002 - the option's name
) -> None:
    """Replay both builds, hold every delta against the policy, and end in 0, 1, 2 or 3.

    Name two folders (--baseline, --candidate) or two commits (--base, --head).
    """
    from gate.cli.sides import judged
    from gate.report.scorecard import encode

    with judging():
        done = judged(
            project,
            baseline=baseline,
            candidate=candidate,
            base=base,
            head=head,
            against_itself=against_itself,
            workers=workers,
        )
        if scorecard is not None:
            from gate.files import write_atomically

            write_atomically(scorecard, encode(done.scorecard))
    from gate.cli.show import show

    put(show(done.scorecard, done.judgement, done.comparison.unstable, json=format is Format.JSON))
    say(f"scorecard and traces: {done.folder}")
    raise finish(ExitCode(done.scorecard.exit_code))


def capture(
    *,
    baseline: Annotated[Path, typer.Option(help="The build before the patch.")],
    project: ProjectOption = Path(),
    out: Annotated[
        Path | None, typer.Option(help="Write the golden trace here.", show_default="the run's folder")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Drop what was kept of this baseline and record it anew.")
    ] = False,
    workers: WorkersOption = None,
) -> None:
    """Replay the baseline and keep its golden trace, so that an unchanged baseline is not replayed again."""
    from gate.cli.progress import progress
    from gate.config.load import load_project
    from gate.files import write_atomically
    from gate.pipeline.capture import capture as record

    with judging():
        with progress() as listen:
            done = record(load_project(project), baseline, workers=workers, fresh=fresh, listen=listen)
        if out is not None:
            write_atomically(out, done.file.read_bytes())
    first = done.runs[0]
    records = sum(len(case) for case in first)
    put(f"{out or done.file}: {len(first)} cases, {records} records; the baseline was run {len(done.runs)} times")
