"""A bar on a terminal while a model is asked; else nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(what: str) -> Iterator[Callable[[int], Callable[[], object]]]:
    """Told how many there will be, it gives what to call after each."""
    if not sys.stderr.isatty():
        yield lambda _total: lambda: None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:

        def begin(total: int) -> Callable[[], object]:
            task = bars.add_task(what, total=total)
            return lambda: bars.advance(task)

        yield begin
