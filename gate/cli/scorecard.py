"""`gate scorecard`: what a machine may rely on."""

from __future__ import annotations

import typer

from gate.console import put


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    group = typer.Typer(help="The machine-readable result of a run.", no_args_is_help=True)
    group.command("schema")(schema)
    app.add_typer(group, name="scorecard")


def schema() -> None:
    """Print the JSON Schema of the scorecard."""
    from gate.report.scorecard import schema as scorecard_schema

    put(scorecard_schema().decode("utf-8").rstrip("\n"))
