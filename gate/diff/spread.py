"""How the values of a check that abstains are spread over the runs of a side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gate.diff.findings import Canonical, Unstable

Spread = tuple[tuple[Canonical | None, int], ...]
"""Each distinct value once, with the number of runs that showed it, in order of first appearance. None: not observed."""


def spread(values: Sequence[Canonical | None]) -> Spread:
    """The values of one side. No runs: nothing."""
    return tuple(Counter(values).items())


def new_values(check: Unstable) -> Spread:
    """What the candidate shows and no run of the baseline ever did, where the baseline wavers among other values.

    Empty where the baseline holds steady: there the candidate alone wavers, and that is said of it.
    """
    if check.side == "candidate":
        return ()
    return tuple((value, runs) for value, runs in spread(check.candidate) if value not in check.baseline)


def always_another(values: Sequence[Canonical | None]) -> bool:
    """Whether no two runs of a side show the same: a random token is a new value in every run. At least two runs."""
    return len(values) > 1 and len(set(values)) == len(values)
