"""Where a command of the auditor ends: the only place that turns its errors into an exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from auditor.errors import AuditorError

FAULT = 2
"""The exit code of every command that could not do what it was asked, usage errors among them."""


def say(text: str) -> None:
    """Talk to the person: standard error."""
    sys.stderr.write(text + "\n")


def put(text: str) -> None:
    """Give a result: standard output, at once, so that it stands in order with what other processes say."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


@contextmanager
def telling() -> Iterator[None]:
    """Run what a command does; a fault is told in two lines and ends in exit code 2."""
    try:
        yield
    except AuditorError as error:
        say(f"error: {error.diagnostics()}")
        raise typer.Exit(FAULT) from error
    except OSError as error:
        say(f"error: {error}\nThe machine failed: mend the cause and run again.")
        raise typer.Exit(FAULT) from error
