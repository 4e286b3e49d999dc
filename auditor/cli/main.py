"""The `auditor` command, ended as the gate's: no failure of it looks like a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from gate.api import conclude

if TYPE_CHECKING:
    import typer


def main() -> NoReturn:
    """The console script."""
    conclude("auditor", _commands)


def _commands() -> typer.Typer:
    from auditor.cli.app import app

    return app
