"""The `gate` command: one small module per command group, each command thin."""

from __future__ import annotations

import typer

from gate.cli import corpus, diff, pin, policy, run, scorecard

app = typer.Typer(
    name="gate",
    help="What behaviour did this patch change, and who allowed it?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


for group in (run, diff, corpus, pin, policy, scorecard):
    group.register(app)


def main() -> None:
    """The console script."""
    app()
