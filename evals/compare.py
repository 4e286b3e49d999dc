"""Two runs in pairs: on the same samples, who was right where the other was not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from evals.balanced import Ahead, Difference, ahead, difference
from evals.errors import EvalsError
from evals.intervals import bootstrap, mcnemar
from evals.tasks import TASKS
from evals.transcripts import NONE
from evals.values import Head, Row

Pair = tuple[Row, Row]


class Paired(msgspec.Struct, frozen=True, kw_only=True):
    """How two runs stand on one task and variant."""

    task: str
    variant: str
    n: int
    left: int
    """Samples that only one of the two was asked about, since the other was asked a share of them."""
    both: int
    only_first: int
    only_second: int
    neither: int
    difference: Difference
    """Share of the first that is right, less that of the second."""
    p: float
    """Of McNemar's exact test."""
    dangerous: tuple[int, int]
    """Dangerous errors of either."""
    alike: Difference | None
    """With each label counted alike; None where the two were asked for something else than a label."""
    ahead: Ahead
    """By `alike` where there is one, else by `difference`."""
    apart: tuple[Pair, ...]
    """The pairs of which exactly one is right, in the order of the first run."""


def paired(first: tuple[Head, Sequence[Row]], second: tuple[Head, Sequence[Row]]) -> tuple[Paired, ...]:
    """One result for each task and variant that both answered. Of a model that was asked a share, the samples that it was asked about.

    Raises EvalsError where a data set differs, where one lacks samples of the other that it was asked about, or where nothing is common
    to both.
    """
    _check_data(first[0], second[0])
    by_key = {_key(row): row for row in second[1]}
    common = _parts(first[1]) & _parts(second[1])
    if not common:
        raise EvalsError("the two runs have no task in common", next_step="Name the same tasks for both.")
    told: dict[tuple[str, str], list[Pair]] = {}
    left: Counter[tuple[str, str]] = Counter()
    for row in first[1]:
        if _part(row) in common:
            other = by_key.pop(_key(row), None)
            if other is None and _is_share(second[0], row.task):
                left[_part(row)] += 1
                continue
            if other is None or (other.label != row.label and row.task != "injection"):
                raise _unpaired(row)
            told.setdefault(_part(row), []).append((row, other))
    for row in by_key.values():
        if _part(row) in common:
            if not _is_share(first[0], row.task):
                raise _unpaired(row)
            left[_part(row)] += 1
    return tuple(_paired(part, pairs, left[part]) for part, pairs in told.items())


def _check_data(first: Head, second: Head) -> None:
    for name in sorted(first.data.keys() & second.data.keys()):
        if first.data[name] != second.data[name]:
            raise EvalsError(f"{name}: the two runs read different data", next_step="Run both on the same data sets.")


def _is_share(head: Head, task: str) -> bool:
    """Whether a model was not asked all of the task's questions."""
    return task in head.asked and bool(head.asked[task].outcomes.get(NONE))


def unpaired(first: Sequence[Row], second: Sequence[Row]) -> tuple[str, ...]:
    """The tasks and variants that only one of the two answered, in order."""
    return tuple(f"{task}, {variant}" for task, variant in sorted(_parts(first) ^ _parts(second)))


def _key(row: Row) -> tuple[str, str, str]:
    return row.task, row.variant, row.sample


def _part(row: Row) -> tuple[str, str]:
    return row.task, row.variant


def _parts(rows: Sequence[Row]) -> set[tuple[str, str]]:
    return set(map(_part, rows))


def _unpaired(row: Row) -> EvalsError:
    return EvalsError(
        f"{row.task}, {row.variant}, {row.sample[:80]!a}: expected the same sample in both runs",
        next_step="Run both with this version, on the same data sets.",
    )


def _paired(part: tuple[str, str], pairs: Sequence[Pair], left: int) -> Paired:
    task, variant = part
    rights = [(first.scores["right"], second.scores["right"]) for first, second in pairs]
    clusters: dict[str, list[int]] = {}
    for (first, _), right in zip(pairs, rights, strict=True):
        clusters.setdefault(first.cluster, []).append(int(right[0]) - int(right[1]))
    held = [clusters[name] for name in sorted(clusters)]
    low, high = bootstrap(held, _mean) or (None, None)
    plain = Difference(value=_mean(held), low=low, high=high, clusters=len(held))
    alike = difference(*zip(*pairs, strict=True)) if TASKS[task].skill else None
    only_first, only_second = rights.count((True, False)), rights.count((False, True))
    return Paired(
        task=task,
        variant=variant,
        n=len(pairs),
        left=left,
        both=rights.count((True, True)),
        only_first=only_first,
        only_second=only_second,
        neither=rights.count((False, False)),
        difference=plain,
        p=mcnemar(only_first, only_second),
        dangerous=(_dangerous(first for first, _ in pairs), _dangerous(second for _, second in pairs)),
        alike=alike,
        ahead=ahead(alike or plain),
        apart=tuple(pair for pair, right in zip(pairs, rights, strict=True) if right[0] != right[1]),
    )


def _dangerous(rows: Iterator[Row]) -> int:
    return sum(row.scores.get("dangerous", False) for row in rows)


def _mean(clusters: Sequence[Sequence[int]]) -> float:
    return sum(map(sum, clusters)) / sum(map(len, clusters))
