"""Choosing cases from many that were drawn: coverage first, then an even sample."""

from __future__ import annotations

from hashlib import sha256
from heapq import heapify, heappop, heappush

import msgspec

from gate.corpus.exchange import DrawnCase
from gate.corpus.tags import expanded, is_pair

_SECOND = ("alone ", "edge ", "repeat ", "unknown option ")

_Entry = tuple[bool, bool, int, int, int, int, int]
"""A case among others, the best first; its place stands last."""


def choose(cases: tuple[DrawnCase, ...], count: int, *, planned: int = 0) -> tuple[DrawnCase, ...]:
    """At most `count` of the distinct `cases`, the first `planned` of which were planned.

    First, one after the other, the planned case that covers most of what none before it does, then so any other case: most commands,
    options, choices and lives; of cases with as many, most options alone, edges and repeats; of these, most pairs. Of equals the one
    with fewer steps, then the one drawn earlier. When nothing new is left: the rest in the order of their content digests,
    because neighbours in a draw are often variants of one another. The choice of `n` is the beginning of the choice of `n + 1`.
    """
    tags = [expanded(case.covers) for case in cases]
    covered: set[str] = set()
    chosen: list[int] = []

    def entry(place: int) -> _Entry:
        gains = _gains(tags[place], covered)
        return (not any(gains), place >= planned, *gains, len(cases[place].steps), place)

    # What a case adds only falls, so that an old figure is an upper bound: most need not be counted again.
    heap = [entry(place) for place in range(len(cases))]
    heapify(heap)
    while heap and len(chosen) < count:
        now = entry(heappop(heap)[-1])
        if heap and now > heap[0]:
            heappush(heap, now)
        elif now[0]:
            break
        else:
            covered |= tags[now[-1]]
            chosen.append(now[-1])
    left = set(range(len(cases))).difference(chosen)
    others = sorted((cases[place] for place in left), key=_digest)
    return (*(cases[place] for place in chosen), *others[: count - len(chosen)])


def _gains(tags: frozenset[str], covered: set[str]) -> tuple[int, int, int]:
    """How many tags of each rank are new, negative."""
    new = tags - covered
    pairs = sum(map(is_pair, new))
    second = sum(tag.startswith(_SECOND) for tag in new)
    return pairs + second - len(new), -second, -pairs


def _digest(case: DrawnCase) -> bytes:
    return sha256(msgspec.json.encode(case.steps)).digest()
