"""Progress of what the gate does meanwhile, on standard error: bars on a terminal, remarks always, nothing else in CI."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from auditor.suggestions.plain import plain
from gate import api


@contextmanager
def progress() -> Iterator[Callable[[object], None]]:
    """A listener for the gate's events, as `gate run` has one."""
    if not sys.stderr.isatty():
        yield _remarks_only
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("starting", total=None)

        def show(event: object) -> None:
            match event:
                case api.StageStarted(name=name, total=total):
                    bars.reset(task, description=plain(name), total=total or None, completed=0)
                case api.CaseDone():
                    bars.advance(task)
                case api.Remark(text=text):
                    bars.console.print(plain(text), markup=False, highlight=False)

        yield show


def _remarks_only(event: object) -> None:
    if isinstance(event, api.Remark):
        api.say(plain(event.text))
