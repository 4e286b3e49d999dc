"""`python -m evals`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.api import conclude

if TYPE_CHECKING:
    import typer


def _commands() -> typer.Typer:
    from evals.cli import app

    return app


if __name__ == "__main__":
    conclude("evals", _commands)
