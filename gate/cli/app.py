"""All commands of `gate`: one small module per command group, each command thin."""

from __future__ import annotations

from typing import Annotated

import typer

from gate.cli import (
    closer,
    corpus,
    diff,
    freeze,
    init,
    noise,
    pin,
    policy,
    record,
    repro,
    run,
    scorecard,
    seal,
    suite,
    vote,
)
from gate.console import put

app = typer.Typer(
    name="gate",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        put(f"gate {version('agent-patch-auditor')}")
        raise typer.Exit


@app.callback()
def gate(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """What behaviour did this patch change, and who allowed it?"""


for group in (init, run, closer, repro, vote, diff, corpus, record, pin, noise, policy, freeze, suite, seal, scorecard):
    group.register(app)
