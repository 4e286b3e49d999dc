"""The order of cases for runs that stop at the first difference: the most telling first."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from gate.corpus.contents import Corpus
from gate.domain import CaseId, Record

Behaviour = tuple[str, str, str]
"""A command, a field, and the digest of a value that was seen there."""


def telling_order(corpus: Corpus, golden: Sequence[Sequence[Record]]) -> tuple[CaseId, ...]:
    """All cases of `corpus`, each once; `golden[i]` are the records of case i in one run of the baseline.

    One after the other the case that shows most behaviours which none before it shows; of equals the one with fewer steps, then the one
    that stands earlier. When nobody shows anything new, all behaviours count anew for the cases left. A case without records comes last.
    Raises ValueError where there is not one row for each case.
    """
    rows = {
        place: frozenset(_behaviours(records))
        for place, (_, records) in enumerate(zip(corpus.cases, golden, strict=True))
    }
    order: list[int] = []
    left = rows
    while left:
        chosen = _pass(left, [len(case.steps) for case in corpus.cases])
        order += chosen or left
        left = {place: shown for place, shown in left.items() if place not in set(chosen)} if chosen else {}
    return tuple(corpus.cases[place].id for place in order)


def _pass(rows: dict[int, frozenset[Behaviour]], steps: Sequence[int]) -> list[int]:
    """The greedy cover of all behaviours in `rows`. What a case adds only falls, so that a stale count is an upper bound."""
    seen: set[Behaviour] = set()
    heap = [(-len(shown), steps[place], place) for place, shown in rows.items()]
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap:
        told, length, place = heapq.heappop(heap)
        new = len(rows[place] - seen)
        if new and new == -told:
            chosen.append(place)
            seen |= rows[place]
        elif new:
            heapq.heappush(heap, (-new, length, place))
    return chosen


def _behaviours(records: Iterable[Record]) -> Iterable[Behaviour]:
    for record in records:
        for name, held in record.fields.items():
            yield record.command, name, held.digest
