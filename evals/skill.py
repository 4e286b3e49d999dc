"""Does a drafter do better than a rule that reads nothing? Asked of each task and variant, before any other figure is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from evals.balanced import Ahead, Difference, ahead, balanced, difference
from evals.beside import beside
from evals.drafters import BASELINES
from evals.run import Run, variants
from evals.tasks import TASKS
from evals.values import Row

Reading = Literal["better", "no better", "worse", "cannot be told", "such a rule itself"]
_READINGS: dict[Ahead, Reading] = {
    "first": "better",
    "second": "worse",
    "neither": "no better",
    "cannot be told": "cannot be told",
}
RULES = frozenset(one.name for one in BASELINES)


class Skill(msgspec.Struct, frozen=True, kw_only=True):
    """How a drafter stands against the best rule that reads nothing, on one task and variant."""

    task: str
    variant: str
    n: int
    own: float
    """`balanced` of the drafter's rows."""
    rule: str
    """The rule that does best here."""
    of_rule: float
    difference: Difference
    reading: Reading


def skills(run: Run) -> tuple[Skill, ...]:
    """One for each task and variant that takes skill and that a rule answered, too."""
    judged = [task for task in run.head.tasks if TASKS[task].skill]
    parts = [rows for task in judged for rows in variants(run.rows, task).values()]
    return tuple(_skill(run.head.model, rows, rules) for rows in parts if (rules := beside(run, rows)))


def dangerous(rows: Sequence[Row]) -> tuple[int, int]:
    """How many of the rows are dangerous errors, and how many could be."""
    could = [row.scores["dangerous"] for row in rows if "dangerous" in row.scores]
    return sum(could), len(could)


def _skill(model: str, rows: Sequence[Row], rules: Mapping[str, Sequence[Row]]) -> Skill:
    """Of rules that do equally well, the first by name."""
    rule = min(rules, key=lambda name: (-balanced(rules[name]), name))
    found = difference(rows, rules[rule])
    return Skill(
        task=rows[0].task,
        variant=rows[0].variant,
        n=len(rows),
        own=balanced(rows),
        rule=rule,
        of_rule=balanced(rules[rule]),
        difference=found,
        reading="such a rule itself" if model in RULES else _READINGS[ahead(found)],
    )
