"""The `auditor` command, ended as the gate's: no failure of it looks like a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import typer


def main() -> NoReturn:
    """The console script."""
    try:
        from gate.api import conclude
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    conclude("auditor", _commands)


def _commands() -> typer.Typer:
    from auditor.cli.app import app

    return app
