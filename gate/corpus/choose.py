"""Choosing cases from many that were drawn: coverage first, then an even sample."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from gate.corpus.exchange import DrawnCase


def choose(cases: tuple[DrawnCase, ...], count: int) -> tuple[DrawnCase, ...]:
    """At most `count` of the distinct `cases`.

    First, one after the other, the case that covers most of what none before it covers; of equals the one with fewer steps,
    then the one drawn earlier. When nothing new is left: the others in the order of their content digests, because neighbours
    in a draw are often variants of one another. The choice of `n` is the beginning of the choice of `n + 1`.
    """
    left = dict(enumerate(cases))
    chosen: list[DrawnCase] = []
    covered: set[str] = set()
    while left and len(chosen) < count:
        best = max(left, key=lambda place: (len(set(left[place].covers) - covered), -len(left[place].steps), -place))
        if covered.issuperset(left[best].covers):
            break
        covered.update(left[best].covers)
        chosen.append(left.pop(best))
    return (*chosen, *sorted(left.values(), key=_digest)[: count - len(chosen)])


def _digest(case: DrawnCase) -> bytes:
    return sha256(msgspec.json.encode(case.steps)).digest()
