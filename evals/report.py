"""A run as Markdown: for each task its figures beside the baselines', a confusion matrix, and the worst samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from auditor.drafting.fence import visible_line
from evals.run import Run, variants
from evals.tasks import TASKS
from evals.values import Figure, Row

SMALL = 30
"""Answers below which a figure says little; the report says so."""
WORST = 8


def markdown(run: Run) -> str:
    """The whole report, for a person. Texts of data sets are escaped."""
    parts = [*_head(run)]
    for task in run.head.tasks:
        parts += [*_task(run, task)]
    return "\n".join(parts).rstrip("\n") + "\n"


def _head(run: Run) -> Iterator[str]:
    head = run.head
    yield f"# Evals: {head.model}"
    yield ""
    yield f"Drafter `{head.model}`, version `{head.drafter}`. Intervals are of 95 %: Wilson for shares, a bootstrap over whole clusters"
    yield f"(pull requests, projects) with a fixed seed for F1. A figure of fewer than {SMALL} answers is marked *small n*."
    yield ""
    for name, why in head.skipped.items():
        yield f"- **{name}** was skipped: {why}."
    for name, digest in head.data.items():
        yield f"- {name}: sha256:{digest}"
    yield ""


def _task(run: Run, task: str) -> Iterator[str]:
    yield f"## {task}: {TASKS[task].about}"
    yield ""
    yield from (f"{note}\n" for note in TASKS[task].notes)
    for left in run.head.left.get(task, ()):
        labelled = "" if left.collateral is None else f" ({left.collateral} of them labelled collateral)"
        yield f"Left out before any drafter saw them: {len(left.samples)}{labelled}, since {left.why}.\n"
    for variant, rows in variants(run.rows, task).items():
        others = {name: variants(told, task).get(variant, ()) for name, told in run.beside.items()}
        yield f"### {task}, {variant}"
        yield ""
        beside = {name: told for name, told in others.items() if told}
        yield from _figures(task, run.head.model, rows, beside)
        if TASKS[task].skill:
            yield from _alike(run.head.model, rows, beside)
        yield from _confusion(rows)
        yield from _worst(rows)


def _figures(task: str, model: str, rows: Sequence[Row], others: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """One line for each metric: the drafter's with its interval, then the baselines' values."""
    own = TASKS[task].figures(rows)
    beside = {name: TASKS[task].figures(told) for name, told in others.items()}
    yield _line(("metric", model, "interval", "n", *beside))
    yield _line(("---",) * (4 + len(beside)))
    for name, figure in own.items():
        baselines = (_value(told[name].value) if name in told else "none" for told in beside.values())
        yield _line((name, _value(figure.value), interval(figure), _n(figure), *baselines))
    yield ""


def _alike(model: str, rows: Sequence[Row], others: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """That a drafter does no better than a rule that reads nothing: said in words, since a table hides it."""
    for name, told in others.items():
        if [row.answer for row in rows] == [row.answer for row in told]:
            yield f"**{model} answers every one of these as {name} does, which reads nothing: here its figures show no skill.**\n"


def interval(figure: Figure) -> str:
    """`0.12 to 0.35 Wilson`; `none` where there is none."""
    if figure.low is None or figure.high is None:
        return "none"
    return f"{figure.low:.2f} to {figure.high:.2f} {figure.how}"


def _value(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def _n(figure: Figure) -> str:
    return f"{figure.n} *small n*" if figure.n < SMALL else str(figure.n)


def _confusion(rows: Sequence[Row]) -> Iterator[str]:
    """Labels down, answers across."""
    counts = Counter((row.label, row.answer) for row in rows)
    answers = sorted({row.answer for row in rows})
    yield _line(("label \\ answer", *answers))
    yield _line(("---",) * (1 + len(answers)))
    for label in sorted({row.label for row in rows}):
        yield _line((label, *(str(counts[label, answer]) for answer in answers)))
    yield ""


def _worst(rows: Sequence[Row]) -> Iterator[str]:
    """Wrong answers, the dangerous ones first."""
    wrong = [row for row in rows if not row.scores.get("right", True) or row.scores.get("form kept") is False]
    if not wrong:
        yield "No answer was wrong.\n"
        return
    seen: Counter[str] = Counter()
    turns = []
    for row in wrong:
        turns.append((not row.scores.get("dangerous", False), seen[row.cluster]))
        seen[row.cluster] += 1
    wrong = [row for _, row in sorted(zip(turns, wrong, strict=True), key=lambda pair: pair[0])]
    shown = min(WORST, len(wrong))
    yield f"Worst samples, {shown} of {len(wrong)} that are wrong; the dangerous ones first, then in turn over the clusters:\n"
    for row in wrong[:WORST]:
        danger = " **dangerous**" if row.scores.get("dangerous") else ""
        yield f"- {_plain(row.sample)}: {_plain(row.label)}, called {_plain(row.answer)}{danger} {_code(row.shown)}".rstrip()
    yield ""


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_plain(cell) for cell in cells) + " |"


def _plain(text: str) -> str:
    return visible_line(text).replace("|", "\\|").replace("<", "&lt;")


def _code(text: str) -> str:
    """As code, whatever backticks it holds."""
    return f"`` {visible_line(text).replace('`', chr(0x2019))} ``" if text else ""
