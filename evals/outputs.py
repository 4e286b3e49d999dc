"""What a run leaves in its folder: results and report, and a folder with the same for each further repeat of a model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from auditor.suggestions.plain import plain
from evals import results
from evals.errors import EvalsError
from evals.folder import VARIABLE
from evals.model_runs import ModelRun
from evals.report import files
from evals.run import Run
from evals.written import write

Say = Callable[[str], None]


def write_all(done: ModelRun, folder: Path, say: Say) -> str:
    """Write all files, tell which, and give the report of the first repeat. Raises EvalsError where nothing was scored."""
    first, *others = done.runs
    for name, why in first.head.skipped.items():
        say(f"skipped: {name}: {why}")
    if not first.rows:
        if done.ended is not None:
            raise EvalsError(plain(done.ended.what), next_step=done.ended.next_step)
        raise EvalsError("no task could be run", next_step=f"Name the folder of the data sets in {VARIABLE}.")
    held = _write(first, folder)
    told = ", ".join(str(folder / name) for name in held)
    for number, other in enumerate(others, start=2):
        beside = folder / f"repeat-{number}"
        if other.rows:
            _write(other, beside)
            told += f", {beside}"
    say(f"written: {told}")
    return held["report.md"].decode()


def tell_ended(done: ModelRun, say: Say) -> bool:
    """Whether a model was not asked all that there was to ask; told with the next step."""
    if done.ended is None:
        return False
    say(f"not everything was asked: {plain(done.ended.what)}\n{done.ended.next_step}")
    return True


def _write(run: Run, folder: Path) -> dict[str, bytes]:
    held = {results.NAME: results.render(run.head, run.rows), **files(run)}
    for name, data in held.items():
        write(folder / name, data)
    return held
