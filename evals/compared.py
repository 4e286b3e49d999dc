"""Two runs or more, side by side and in pairs with the first, for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evals import bars
from evals.balanced import Ahead, Difference
from evals.compare import Pair, Paired, paired, unpaired
from evals.document import Block, Words, alarm, bullets, code, heading, own, say, small, strong, table
from evals.errors import EvalsError
from evals.run import figures
from evals.said import SMALL, between, count, interval, value
from evals.values import Figure, Head, Row
from evals.worst import line

Results = tuple[Head, Sequence[Row]]
APART = 4
"""Samples on which two runs part that are listed, of one task and variant."""
_READ = (
    "Only what both answered is compared. The difference is the share that the first run has right, less that of the other, and p of "
    "McNemar's exact test belongs to it. Alike is the same with each label counted alike, so that naming the commonest label wins nothing: "
    "it says who is ahead, where there are labels. Intervals are a bootstrap over whole clusters; `none` where all draws agree. Of twenty "
    "comparisons one leaves 0 out by chance."
)


def compared(runs: Sequence[Results]) -> list[Block]:
    """The comparison of all runs with the first. Raises EvalsError for fewer than two, and as `paired` does."""
    if len(runs) < 2:
        raise EvalsError("expected two runs or more to compare", next_step="Name their results.")
    names = names_of([head for head, _ in runs])
    first, held = names[0], [_parts(*one) for one in runs]
    against = [
        (name, paired(runs[0], one), unpaired(runs[0][1], one[1]))
        for name, one in zip(names[1:], runs[1:], strict=True)
    ]
    blocks: list[Block] = [
        heading(1, f"Evals: {first} against {', '.join(names[1:])}, in pairs"),
        *bullets([_made(name, head) for name, (head, _) in zip(names, runs, strict=True)]),
        *(block for name, pairs, _ in against for block in _glance(first, name, pairs)),
        say(*own(_READ)),
        bars.of_runs(dict(zip(names, held, strict=True))),
    ]
    for name, pairs, alone in against:
        blocks += _pairs(first, name, pairs)
        blocks += bullets(
            [
                (
                    f"Not compared, since only one of the two was asked: {one.left} samples of {one.task}, {one.variant}.",
                )
                for one in pairs
                if one.left
            ]
        )
        blocks += bullets([(f"Not compared, since only one of the two answered: {part}.",) for part in alone])
    blocks += [heading(2, "Figures side by side"), *_side_by_side(dict(zip(names, held, strict=True)))]
    for name, pairs, _ in against:
        if any(one.apart for one in pairs):
            blocks += [heading(2, f"Where {first} and {name} part")]
            blocks += [block for one in pairs for block in _apart(first, name, one)]
    return blocks


def names_of(heads: Sequence[Head]) -> tuple[str, ...]:
    """A name for each run: its model's, with a number where several have the same."""
    found: list[str] = []
    for head in heads:
        number, name = 1, head.model
        while name in found:
            number += 1
            name = f"{head.model} ({number})"
        found.append(name)
    return tuple(found)


def _parts(head: Head, rows: Sequence[Row]) -> dict[str, dict[str, Figure]]:
    by_task = figures(rows, head.tasks)
    return {f"{task}, {variant}": told for task, variants in by_task.items() for variant, told in variants.items()}


def _made(name: str, head: Head) -> Words:
    prompts = ", ".join(f"{prompt} {digest[:12]}" for prompt, digest in sorted(head.prompts.items()))
    return (strong(name), ": version ", code(head.drafter), *((f", prompts {prompts}",) if prompts else ()))


def _glance(first: str, second: str, pairs: Sequence[Paired]) -> Iterator[Block]:
    """Where one is ahead beyond chance, in words, or that neither is; and who made more dangerous errors."""
    places: tuple[tuple[str, Ahead], ...] = ((first, "first"), (second, "second"))
    ahead = {name: [one for one in pairs if one.ahead == place] for name, place in places}
    for (name, ones), other in zip(ahead.items(), (second, first), strict=True):
        if ones:
            where = "; ".join(f"{one.task}, {one.variant}" for one in ones)
            yield say(strong(f"{name} is ahead of {other} on"), f" {where}.")
    if not any(ahead.values()):
        yield say(strong(f"By right answers nothing tells {first} and {second} apart"), ": no interval leaves 0 out.")
    errors = [sum(one.dangerous[place] for one in pairs) for place in (0, 1)]
    if any(errors):
        yield alarm(
            strong(f"Dangerous errors: {errors[0]} of {first}, {errors[1]} of {second}"),
            ", in all variants that both answered.",
        )


def _pairs(first: str, second: str, pairs: Sequence[Paired]) -> Iterator[Block]:
    yield heading(2, f"{first} against {second}")
    yield table(
        (
            "task",
            "n",
            "both right",
            f"only {first}",
            f"only {second}",
            "neither",
            "difference",
            "interval",
            "p",
            "alike",
            "interval",
            "dangerous",
        ),
        [
            (
                f"{one.task}, {one.variant}",
                count(one.n),
                *map(str, (one.both, one.only_first, one.only_second, one.neither)),
                *_difference(one.difference),
                f"{one.p:.3f}",
                *_difference(one.alike),
                "{} and {}".format(*one.dangerous),
            )
            for one in pairs
        ],
    )


def _difference(found: Difference | None) -> tuple[str, str]:
    return ("none", "none") if found is None else (f"{found.value:+.2f}", between(found.low, found.high))


def _apart(first: str, second: str, one: Paired) -> Iterator[Block]:
    """Samples on which the two part; those that are dangerous in either run first."""
    if not one.apart:
        return
    ranked = sorted(one.apart, key=lambda pair: not any(row.scores.get("dangerous") for row in pair))
    shown = ranked[:APART]
    yield say(
        f"{one.task}, {one.variant}: one alone is right, {len(shown)} of {len(ranked)} samples; dangerous ones first:"
    )
    yield from bullets([_parted(first, second, pair) for pair in shown])


def _parted(first: str, second: str, pair: Pair) -> Words:
    """The sample as the one who is wrong has it, and who is right."""
    right, wrong = (first, pair[1]) if pair[0].scores["right"] else (second, pair[0])
    return ("only ", strong(right), " is right: ", *line(wrong))


def _side_by_side(runs: Mapping[str, Mapping[str, Mapping[str, Figure]]]) -> Iterator[Block]:
    """One table for each task and variant that two runs have: a line for each metric, a column for each run."""
    for title in dict.fromkeys(title for parts in runs.values() for title in parts):
        told = {name: parts[title] for name, parts in runs.items() if title in parts}
        if len(told) > 1:
            yield heading(3, title)
            metrics = dict.fromkeys(metric for one in told.values() for metric in one)
            yield table(
                ("metric", *told), [(metric, *(_cell(one.get(metric)) for one in told.values())) for metric in metrics]
            )


def _cell(figure: Figure | None) -> Words:
    if figure is None:
        return ("none",)
    few = (" ", small(f"small n {figure.n}")) if figure.n < SMALL else ()
    between = "" if figure.low is None else f" ({interval(figure)})"
    return (f"{value(figure.value)}{between}", *few)
