"""Choosing cases from many that were drawn: coverage first, then what reads inputs in new ways, then an even sample."""

from __future__ import annotations

from hashlib import sha256
from heapq import heapify, heappop, heappush

import msgspec

from gate.corpus.exchange import DrawnCase
from gate.corpus.tags import expanded, is_pair

_SECOND = ("alone ", "edge ", "repeat ", "unknown option ")

_Entry = tuple[tuple[int, ...], bytes, int]
"""A case among others, the best first: what it adds, what decides among equals, and its place."""


def choose(cases: tuple[DrawnCase, ...], count: int, *, planned: int = 0) -> tuple[DrawnCase, ...]:
    """At most `count` of the distinct `cases`, the first `planned` of which were planned.

    First, one after the other, the planned case that covers most of what none before it does, then so any other case: most commands,
    options, choices and lives; of cases with as many, most options alone, edges and repeats; of these, most pairs. Of equals the one
    with fewer steps, then the one drawn earlier. When all is covered: the case in which most options read an input that none of them
    has read before; of equals the one with fewer steps, then fewer words. When nothing new is left: the rest. Equals of these two are
    in the order of their content digests, because neighbours in a draw are often variants of one another. The choice of `n` is the
    beginning of the choice of `n + 1`.
    """
    tags = [expanded(case.covers) for case in cases]
    inputs = [frozenset(case.inputs) for case in cases]
    by_digest = [_digest(case) for case in cases]
    covered: set[str] = set()
    read: set[str] = set()
    chosen: list[int] = []

    def entry(place: int) -> _Entry:
        gains = _gains(tags[place], covered)
        steps = cases[place].steps
        if any(gains):
            return (0, place >= planned, *gains, len(steps)), b"", place
        if new := len(inputs[place] - read):
            return (1, -new, len(steps), sum(len(step.argv) for step in steps)), by_digest[place], place
        return (2,), by_digest[place], place

    # What a case adds only falls, so that an old figure is an upper bound: most need not be counted again.
    heap = [entry(place) for place in range(len(cases))]
    heapify(heap)
    while heap and len(chosen) < count:
        now = entry(heappop(heap)[-1])
        if heap and now > heap[0]:
            heappush(heap, now)
        else:
            covered |= tags[now[-1]]
            read |= inputs[now[-1]]
            chosen.append(now[-1])
    return tuple(cases[place] for place in chosen)


def _gains(tags: frozenset[str], covered: set[str]) -> tuple[int, int, int]:
    """How many tags of each rank are new, negative."""
    new = tags - covered
    pairs = sum(map(is_pair, new))
    second = sum(tag.startswith(_SECOND) for tag in new)
    return pairs + second - len(new), -second, -pairs


def _digest(case: DrawnCase) -> bytes:
    return sha256(msgspec.json.encode(case.steps)).digest()
