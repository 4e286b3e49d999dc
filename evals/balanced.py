"""Right answers with each label counted alike: naming the commonest label wins nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from evals.intervals import bootstrap
from evals.values import Row


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """How far apart two are on the same samples."""

    value: float
    """`balanced` of the first, less that of the second."""
    low: float | None
    """None, as `high` is: no interval, as `bootstrap` says."""
    high: float | None
    clusters: int


Ahead = Literal["first", "second", "neither", "cannot be told"]


def ahead(found: Difference) -> Ahead:
    """Who is ahead beyond chance: the side of the whole interval, or where all draws agree of the difference. One cluster tells nothing."""
    low, high = found.low, found.high
    if low is None or high is None:
        if found.clusters < 2:
            return "cannot be told"
        low = high = found.value
    if low > 0:
        return "first"
    return "second" if high < 0 else "neither"


def balanced(rows: Sequence[Row]) -> float:
    """The share that is right of each label, and of these the mean. At least one row."""
    by_label: dict[str, list[bool]] = {}
    for row in rows:
        by_label.setdefault(row.label, []).append(row.scores["right"])
    return sum(sum(rights) / len(rights) for rights in by_label.values()) / len(by_label)


def difference(rows: Sequence[Row], others: Sequence[Row]) -> Difference:
    """Of two who answered the same samples, in the same order. The interval draws whole clusters; a draw that lacks a label is left out."""
    clusters = _clusters(rows, others)
    low, high = bootstrap(clusters, _difference) or (None, None)
    return Difference(value=balanced(rows) - balanced(others), low=low, high=high, clusters=len(clusters))


def _clusters(rows: Sequence[Row], others: Sequence[Row]) -> list[tuple[int, ...]]:
    """For each cluster and label: how many, how many the first has right, how many the second."""
    labels = sorted({row.label for row in rows})
    found: dict[str, list[int]] = {}
    for row, other in zip(rows, others, strict=True):
        counts = found.setdefault(row.cluster, [0] * (3 * len(labels)))
        at = 3 * labels.index(row.label)
        counts[at] += 1
        counts[at + 1] += row.scores["right"]
        counts[at + 2] += other.scores["right"]
    return [tuple(found[name]) for name in sorted(found)]


def _difference(clusters: Sequence[tuple[int, ...]]) -> float | None:
    """Undefined where a label was not drawn."""
    sums = [sum(column) for column in zip(*clusters, strict=True)]
    counts, own, other = sums[::3], sums[1::3], sums[2::3]
    if 0 in counts:
        return None
    differences = [(mine - its) / n for n, mine, its in zip(counts, own, other, strict=True)]
    return float(sum(differences) / len(differences))
