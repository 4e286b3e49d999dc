"""The `gate` command: everything that can fail, the import of the commands among it, happens where no failure is a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import typer


def main() -> NoReturn:
    """The console script."""
    try:
        from gate.console import conclude
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    conclude("gate", _commands)


def _commands() -> typer.Typer:
    from gate.cli.app import app

    return app
