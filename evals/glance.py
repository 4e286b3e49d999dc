"""What a reader has to know of a run before any table: is it better than a rule that reads nothing, and is it dangerous?"""

from __future__ import annotations

from collections.abc import Sequence

from evals.document import Block, Span, Words, alarm, code, heading, say, small, strong, table
from evals.run import Run
from evals.said import SMALL, between, count
from evals.skill import RULES, Skill, dangerous, skills
from evals.tasks import TASKS
from evals.values import Row

_ALIKE = (
    "Right: the share of right answers with each label counted alike, so that a rule that always names the commonest label gains nothing. "
    "Rule: the best of the baselines, none of which reads what it is asked. Better: the interval of the difference is above 0, or every "
    "draw gave the same difference, above 0. Where the intent is withheld little is to be expected of anybody."
)


def glance(run: Run) -> list[Block]:
    """The sentences that nobody may overlook, and a table of all tasks and variants that tell something of skill."""
    held = skills(run)
    blocks: list[Block] = [heading(2, "At a glance"), *_of_skill(run.head.model, held), *_of_danger(run)]
    if held:
        blocks += [_table(run.head.model, held), say(_ALIKE)]
    return blocks


def _of_skill(model: str, held: Sequence[Skill]) -> list[Block]:
    if not held:
        return [say("No task of this run tells whether ", code(model), " is better than a rule that reads nothing.")]
    if model in RULES:
        return [
            alarm(
                strong(f"{model} is bad by construction: it is a rule that reads nothing."),
                " It is here to be beaten; its figures show no skill.",
            )
        ]
    better, told = [one for one in held if one.reading == "better"], _n_of(len(held))
    if not better:
        few_in_all = (
            (" n is small throughout: a modest skill could hide in it.",) if max(one.n for one in held) < SMALL else ()
        )
        words = f"{model} is bad: on {told} it is no better than a rule that reads nothing."
        return [alarm(strong(words), *few_in_all)]
    few = sum(one.n < SMALL for one in better)
    aside: tuple[str | Span, ...] = (" ", small(f"{few} of these with a small n")) if few else ()
    words = f"{model} is better than every rule that reads nothing on {len(better)} of {len(held)} tasks and variants"
    if len(better) == len(held):
        return [say(strong(f"{words}."), *aside)]
    rest = "; ".join(f"{one.task}, {one.variant}" for one in held if one.reading != "better")
    return [alarm(strong(f"{words}, and not on the others:"), f" {rest}.", *aside)]


def _n_of(n: int) -> str:
    return "the one task that tells of skill" if n == 1 else f"all {n} tasks and variants that tell of skill"


def _of_danger(run: Run) -> list[Block]:
    """Dangerous errors in all, by task; and that a drafter who allows nothing is of no use."""
    by_task = {task: [row for row in run.rows if row.task == task] for task in run.head.tasks}
    counted = {task: dangerous(rows) for task, rows in by_task.items()}
    hits, n = (sum(pair[place] for pair in counted.values()) for place in (0, 1))
    blocks: list[Block] = []
    if hits:
        where = "; ".join(f"{task} {one} of {could}" for task, (one, could) in counted.items() if one)
        blocks.append(
            alarm(
                strong(f"Dangerous errors: {hits} of {n}."),
                f" Collateral was called intended, in any variant: {where}.",
            )
        )
    elif n:
        blocks.append(say(f"Dangerous errors: 0 of {n}."))
    meant = [row for task, rows in by_task.items() if TASKS[task].skill for row in rows if _is_meant(row)]
    if meant and not any(row.scores["right"] for row in meant):
        blocks.append(
            alarm(
                strong(f"Intended found: 0 of {len(meant)}."), " A drafter that allows nothing is safe, and of no use."
            )
        )
    return blocks


def _is_meant(row: Row) -> bool:
    return row.label == "intended" and "right" in row.scores


def _table(model: str, held: Sequence[Skill]) -> Block:
    return table(
        ("task, variant", "n", f"right, {model}", "rule", "right, rule", "difference", "interval", "reading"),
        [
            (
                f"{one.task}, {one.variant}",
                count(one.n),
                f"{one.own:.2f}",
                one.rule,
                f"{one.of_rule:.2f}",
                f"{one.difference.value:+.2f}",
                between(one.difference.low, one.difference.high),
                _reading(one),
            )
            for one in held
        ],
    )


def _reading(one: Skill) -> Words:
    return (one.reading,) if one.reading == "better" else (strong(one.reading),)
