"""Progress of a long run on standard error: bars on a terminal, nothing in CI."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from gate.console import say
from gate.pipeline.events import CaseDone, Event, Listener, Remark, StageStarted


@contextmanager
def progress() -> Iterator[Listener]:
    """A listener that shows stages as bars where standard error is a terminal, and remarks always."""
    if not sys.stderr.isatty():
        yield _remarks_only
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("starting", total=None)

        def show(event: Event) -> None:
            match event:
                case StageStarted(name=name, total=total):
                    bars.reset(task, description=name, total=total or None, completed=0)
                case CaseDone():
                    bars.advance(task)
                case Remark(text=text):
                    bars.console.print(text, markup=False, highlight=False)

        yield show


def _remarks_only(event: Event) -> None:
    if isinstance(event, Remark):
        say(event.text)
