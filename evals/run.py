"""One run: tasks, answered by one drafter, scored, with the baselines' rows beside. No clock, no order that matters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.drafters import BASELINES, Drafter
from evals.errors import EvalsError
from evals.tasks import TASKS, Task
from evals.values import Figure, Head, Left, Row

FORMAT = 1


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
        tell(task.name)
        loaded = task.load(folder)
        answered = loaded.answer(drafter)
        if not answered:
            skipped[task.name] = f"{drafter.name} does not answer such questions"
            continue
        rows += answered
        data.update(loaded.data)
        left[task.name] = loaded.left
        for one in BASELINES:
            if one.name in beside:
                beside[one.name] += loaded.answer(one)
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
