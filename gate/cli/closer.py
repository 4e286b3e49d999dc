"""`gate show`: one group of a run side by side. Nothing is run, nothing is judged."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.options import ProjectOption
from gate.console import in_colour, judging, put, report_width

if TYPE_CHECKING:
    from gate.report.marked_lines import Look

GroupArgument = Annotated[
    str, typer.Argument(metavar="GROUP", help="The id of a group, as the report of a run names it: g1.")
]
RunOption = Annotated[
    Path | None,
    typer.Option(
        "--run", metavar="DIR", help="The folder of a run, as `gate run` names it.", show_default=".gate/latest"
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("show")(show)


def show(
    group: GroupArgument,
    *,
    run: RunOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="Name every place of the group, each with what it changed.")
    ] = False,
    project: ProjectOption = Path(),
) -> None:
    """Show a group of equal differences: one step before and after, side by side where the terminal has 80 columns.

    Ends in 0 where something is shown; it is no verdict.
    """
    from gate.config.load import load_project
    from gate.pipeline.chosen import choose, recorded_case
    from gate.report.closer import tell_group

    with judging():
        audited = load_project(project)
        chosen = choose(audited, run, group)
        case = recorded_case(audited, chosen)
        every_delta = chosen.deltas if every else ()
        put(tell_group(chosen.group, chosen.places, chosen.delta, case, look(), every=every_delta))


def look() -> Look:
    """How it looks where standard output goes."""
    from gate.report.marked_lines import Look

    return Look(width=report_width(), colour=in_colour(), split=sys.stdout.isatty())
