"""How far the answers of one model agree where each question was asked several times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from evals.shares import share_of
from evals.values import Agreement, Row


def agreement(runs: Sequence[Sequence[Row]]) -> Agreement:
    """Of the rows of one variant, one sequence for each repeat, at least two. Samples that lack in one of them do not count."""
    by_sample = [{row.sample: row.answer for row in rows} for rows in runs]
    common = [sample for sample in by_sample[0] if all(sample in one for one in by_sample)]
    answers = [[one[sample] for one in by_sample] for sample in common]
    alike = sum(len(set(said)) == 1 for said in answers)
    return Agreement(alike=share_of(alike, len(answers)), kappa=kappa([Counter(said) for said in answers]))


def kappa(counts: Sequence[Mapping[str, int]]) -> float | None:
    """Fleiss' kappa of samples, each with the number of times an answer was given; the same total for all, at least two.

    None for no sample, and where chance alone would agree always: all answers are one.
    """
    if not counts:
        return None
    raters = sum(counts[0].values())
    observed = sum(_pairs(one.values()) for one in counts) / (len(counts) * raters * (raters - 1))
    totals: Counter[str] = Counter()
    for one in counts:
        totals.update(one)
    chance = sum((n / (len(counts) * raters)) ** 2 for n in totals.values())
    return None if len(totals) == 1 else (observed - chance) / (1 - chance)


def _pairs(numbers: Iterable[int]) -> int:
    """Ordered pairs of equal answers."""
    return sum(n * (n - 1) for n in numbers)
