"""A run for a person: at a glance, a picture, then each task with its figures beside the rules', confusion matrix and worst samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from evals import bars
from evals.asked import asked
from evals.beside import beside
from evals.confusion import confusion
from evals.document import Block, Picture, Words, bullets, code, heading, own, say, strong, table
from evals.glance import glance
from evals.markdown import markdown as as_markdown
from evals.reported import files_of
from evals.run import Run, variants
from evals.said import SMALL, count, interval, value
from evals.tasks import TASKS
from evals.values import Figure, Left, Row
from evals.worst import worst

MOST_IDS = 20
"""Samples that were left out and are named."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One task and variant, counted once: what is drawn is what is told."""

    task: str
    variant: str
    rows: tuple[Row, ...]
    rules: dict[str, tuple[Row, ...]]
    figures: dict[str, Figure]
    of_rules: dict[str, dict[str, Figure]]


def report(run: Run) -> list[Block]:
    """The whole report. The same run gives the same one."""
    parts = [_part(run, rows) for task in run.head.tasks for rows in variants(run.rows, task).values()]
    blocks = [*_head(run), *glance(run), _picture(run, parts), *_about(run)]
    for task in run.head.tasks:
        blocks += _task(run, task, [part for part in parts if part.task == task])
    return blocks


def markdown(run: Run) -> str:
    """The report as Markdown. Texts of data sets and of models are escaped."""
    return as_markdown(report(run))


def files(run: Run) -> dict[str, bytes]:
    """The report's files by name: Markdown, HTML, and the picture."""
    return files_of(report(run), "report")


def _head(run: Run) -> Iterator[Block]:
    yield heading(1, f"Evals: {run.head.model}")
    yield say("Drafter ", code(run.head.model), ", version ", code(run.head.drafter), ".")


def _part(run: Run, rows: tuple[Row, ...]) -> Part:
    rules, figures = beside(run, rows), TASKS[rows[0].task].figures
    return Part(
        task=rows[0].task,
        variant=rows[0].variant,
        rows=rows,
        rules=rules,
        figures=figures(rows),
        of_rules={name: figures(told) for name, told in rules.items()},
    )


def _picture(run: Run, parts: Sequence[Part]) -> Picture:
    of_rules: dict[str, dict[str, dict[str, Figure]]] = {}
    for part in parts:
        for name, told in part.of_rules.items():
            of_rules.setdefault(name, {})[f"{part.task}, {part.variant}"] = told
    own_parts = {f"{part.task}, {part.variant}": part.figures for part in parts}
    return bars.of_run(run.head.model, own_parts, dict(sorted(of_rules.items())))


def _about(run: Run) -> Iterator[Block]:
    head = run.head
    yield heading(2, "How to read it")
    yield say(
        "Intervals are of 95 %: Wilson for shares, a bootstrap over whole clusters (pull requests, projects) with a fixed seed for F1. "
        f"A figure of fewer than {SMALL} answers is marked small n. Baselines, which read nothing, stand beside every figure. In a "
        "matrix what is right stands out. No drafter says how sure it is: a miss is called confident where an answer was given and what is "
        "right is not even among its second and third."
    )
    yield from bullets([(strong(name), f" was skipped: {why}.") for name, why in head.skipped.items()])
    yield from bullets(
        [
            *((f"data {name}: ", code(f"sha256:{digest}")) for name, digest in head.data.items()),
            *((f"prompt {name}: ", code(f"sha256:{digest}")) for name, digest in sorted(head.prompts.items())),
        ]
    )


def _task(run: Run, task: str, parts: Sequence[Part]) -> Iterator[Block]:
    yield heading(2, f"{task}: {TASKS[task].about}")
    for note in TASKS[task].notes:
        yield say(*own(note))
    yield from bullets([_left(left) for left in run.head.left.get(task, ())])
    if task in run.head.asked:
        yield from asked(run.head.asked[task])
    for part in parts:
        yield heading(3, f"{task}, {part.variant}")
        yield _figures(run.head.model, part)
        if TASKS[task].skill:
            yield from _alike(run.head.model, part)
        yield confusion(part.rows)
        yield from worst(part.rows)


def _left(left: Left) -> Words:
    """What no drafter saw, why, and which samples; of many the first."""
    labelled = "" if left.collateral is None else f" ({left.collateral} of them labelled collateral)"
    named = ", ".join(left.samples[:MOST_IDS]) + (", …" if len(left.samples) > MOST_IDS else "")
    return (f"Left out before any drafter saw them: {len(left.samples)}{labelled}, since {left.why}: {named}.",)


def _figures(model: str, part: Part) -> Block:
    """One line for each metric: the drafter's with its interval, then the baselines' values."""
    return table(
        ("metric", model, "interval", "n", *part.of_rules),
        [
            (
                name,
                value(figure.value),
                interval(figure),
                count(figure.n),
                *(value(told[name].value) if name in told else "none" for told in part.of_rules.values()),
            )
            for name, figure in part.figures.items()
        ],
    )


def _alike(model: str, part: Part) -> Iterator[Block]:
    """That a drafter does no better than a rule that reads nothing: said in words, since a table hides it."""
    for name, told in part.rules.items():
        if [row.answer for row in part.rows] == [row.answer for row in told]:
            yield say(
                strong(
                    f"{model} answers every one of these as {name} does, which reads nothing: here its figures show no skill."
                )
            )
