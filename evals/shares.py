"""Figures of rows: a share with its Wilson interval, a statistic over clusters with its bootstrap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from evals.intervals import Counts, bootstrap, wilson
from evals.values import Figure, Row


def share(rows: Sequence[Row], holds: Callable[[Row], bool]) -> Figure:
    """How many of the rows hold. Undefined for none."""
    return share_of(sum(map(holds, rows)), len(rows))


def share_of(hits: int, n: int) -> Figure:
    """`hits` of `n`. Undefined for none."""
    low, high = wilson(hits, n) or (None, None)
    return Figure(value=hits / n if n else None, low=low, high=high, n=n, how="Wilson")


def scored(rows: Sequence[Row], score: str) -> Figure:
    """How many of the rows that have this score hold it."""
    told = [row for row in rows if score in row.scores]
    return share(told, lambda row: row.scores[score])


def f1(rows: Sequence[Row], label: str, *, each_cluster_once: bool) -> Figure:
    """F1 on a label. `each_cluster_once`: a row weighs one by the rows of its cluster, so that no large cluster speaks loudest.

    The interval draws whole clusters. Undefined where nothing is of that label and nothing was called so.
    """
    clusters = _counts(rows, label, each_cluster_once=each_cluster_once)
    low, high = bootstrap(clusters, _f1) or (None, None)
    return Figure(value=_f1(clusters), low=low, high=high, n=len(rows), how="bootstrap")


def _counts(rows: Iterable[Row], label: str, *, each_cluster_once: bool) -> list[Counts]:
    held: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        held[row.cluster].append(row)
    return [
        _count(of_one, label, weight=1 / len(of_one) if each_cluster_once else 1) for _, of_one in sorted(held.items())
    ]


def _count(rows: Sequence[Row], label: str, *, weight: float) -> Counts:
    return {
        "hit": weight * sum(row.label == label == row.answer for row in rows),
        "apart": weight * sum((row.label == label) != (row.answer == label) for row in rows),
    }


def _f1(clusters: Sequence[Counts]) -> float | None:
    """2 hits by all that are of the label or were called so; None where none is."""
    hits, apart = (sum(one[name] for one in clusters) for name in ("hit", "apart"))
    return 2 * hits / (2 * hits + apart) if hits or apart else None
