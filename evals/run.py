"""One run: tasks, answered by one drafter, scored, with the baselines' rows beside. No clock, no order that matters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.drafters import BASELINES, Drafter
from evals.errors import EvalsError
from evals.tasks import TASKS, Task
from evals.values import UNASKED, Figure, Head, Left, Row

FORMAT = 1
NOT_ASKED = "no question of it was asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a run gives."""

    head: Head
    rows: tuple[Row, ...]
    beside: Mapping[str, tuple[Row, ...]]
    """The rows of every baseline, by its name."""


def tasks_named(names: Sequence[str]) -> tuple[Task, ...]:
    """The tasks of these names in the order of the list of tasks; all for none. Raises EvalsError for another name."""
    for name in names:
        if name not in TASKS:
            raise EvalsError(
                f"task {name[:40]!a}: expected one of {', '.join(TASKS)}",
                next_step="See: python -m evals tasks",
            )
    return tuple(task for task in TASKS.values() if not names or task.name in names)


def run(
    tasks: Sequence[Task], drafter: Drafter, folder: Path | None, *, tell: Callable[[str], None] = lambda _: None
) -> Run:
    """Answer and score all tasks. A task whose data sets are not at hand, or that the drafter does not answer, is skipped and said."""
    rows: list[Row] = []
    beside: dict[str, list[Row]] = {one.name: [] for one in BASELINES if one.name != drafter.name}
    data: dict[str, str] = {}
    left: dict[str, tuple[Left, ...]] = {}
    skipped: dict[str, str] = {}
    for task in tasks:
        if task.files and folder is None:
            skipped[task.name] = "the data sets are not at hand"
            continue
        if lacks := task.lacks():
            skipped[task.name] = lacks
            continue
        tell(task.name)
        loaded = task.load(folder)
        told = loaded.answer(drafter)
        answered = tuple(row for row in told if UNASKED not in (row.label, row.answer))
        if not answered:
            skipped[task.name] = NOT_ASKED if told else f"{drafter.name} does not answer such questions"
            continue
        rows += answered
        data.update(loaded.data)
        left[task.name] = loaded.left
        for one in BASELINES:
            if one.name in beside:
                beside[one.name] += _same(loaded.answer(one), answered)
    head = Head(
        format=FORMAT,
        model=drafter.name,
        drafter=drafter.version,
        data=dict(sorted(data.items())),
        tasks=tuple(task.name for task in tasks if task.name not in skipped),
        skipped=skipped,
        left=left,
    )
    return Run(head=head, rows=tuple(rows), beside={name: tuple(told) for name, told in beside.items()})


def _same(rows: Sequence[Row], answered: Sequence[Row]) -> list[Row]:
    """Of a baseline's rows those whose samples were answered: else it would be held against other questions."""
    keys = {(row.variant, row.sample) for row in answered}
    return [row for row in rows if (row.variant, row.sample) in keys]


def variants(rows: Sequence[Row], task: str) -> dict[str, tuple[Row, ...]]:
    """The rows of a task by variant, in the order of first appearance."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.task == task:
            found.setdefault(row.variant, []).append(row)
    return {variant: tuple(of_one) for variant, of_one in found.items()}


def figures(rows: Sequence[Row], tasks: Sequence[str]) -> dict[str, dict[str, dict[str, Figure]]]:
    """Every figure by task, variant and name of the metric."""
    return {
        task: {variant: TASKS[task].figures(of_one) for variant, of_one in variants(rows, task).items()}
        for task in tasks
    }
