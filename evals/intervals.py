"""Intervals of 95 % for small samples. Pure: the bootstrap draws from a generator with a fixed seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import comb, sqrt
from random import Random
from typing import TypeVar

Counts = Mapping[str, float]
Item = TypeVar("Item")

SEED = 20_240_607
DRAWS = 1_000
_Z = 1.959963984540054


def wilson(hits: int, n: int) -> tuple[float, float] | None:
    """The score interval of a share (E. B. Wilson, 1927); None where there is nothing. Holds for 0 and for n hits, too."""
    if n == 0:
        return None
    share, z2 = hits / n, _Z * _Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return (0.0 if hits == 0 else middle - half, 1.0 if hits == n else middle + half)


def bootstrap(
    clusters: Sequence[Item], statistic: Callable[[Sequence[Item]], float | None]
) -> tuple[float, float] | None:
    """The percentile interval of a statistic over whole clusters that are drawn with replacement.

    Draws in which it is undefined are left out. None for fewer than two clusters, where no draw defines it, and where all draws
    agree: an interval of no width would pass for certainty.
    """
    if len(clusters) < 2:
        return None
    random = Random(SEED)
    drawn = (statistic(random.choices(clusters, k=len(clusters))) for _ in range(DRAWS))
    values = sorted(value for value in drawn if value is not None)
    if not values:
        return None
    last = len(values) - 1
    low, high = values[round(0.025 * last)], values[round(0.975 * last)]
    return (low, high) if low < high else None


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p of McNemar's test: how likely a split as uneven is if neither is better. No difference at all: 1."""
    n = only_first + only_second
    if n == 0:
        return 1.0
    tail = sum(comb(n, k) for k in range(min(only_first, only_second) + 1)) / (1 << n)
    return min(1.0, 2 * tail)
