"""Where a command ends: the only place that turns errors and verdicts into exit codes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from gate.errors import GateError
from gate.exit_codes import ExitCode


def say(text: str) -> None:
    """Talk to the person: standard error."""
    sys.stderr.write(text + "\n")


def put(text: str) -> None:
    """Give a result: standard output."""
    sys.stdout.write(text + "\n")


def finish(code: ExitCode) -> typer.Exit:
    """What a command raises to end with `code`."""
    return typer.Exit(int(code))


@contextmanager
def judging() -> Iterator[None]:
    """Run a command's one call; an error that forbids a verdict is told in two lines and ends in exit code 2."""
    try:
        yield
    except GateError as error:
        say(f"error: {error.diagnostics()}")
        raise finish(ExitCode.INVALID) from error
    except OSError as error:
        say(f"error: {error}\nThe machine failed, not the patch: mend the cause and run again.")
        raise finish(ExitCode.INVALID) from error
