"""How often chance alone would look like a change: a bound from the runs that were made. docs/confirm.md tells it to people."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from math import ceil

TELLING = Fraction(1, 10)
"""Above this share of runs the bound for a whole run tells a reader nothing."""

WANTED = Fraction(1, 100)
"""The share of runs that is offered instead."""


def false_alarm(baseline: int, candidate: int) -> Fraction:
    """The most likely that an unchanged check which shows its values at random is taken for a change, after so many runs of each side.

    A check is flagged only where all runs of the candidate show one value that no run of the baseline shows. Let value i come with
    probability p_i in each run, whatever other runs show. Then that happens with probability Σ p_i^m (1 - p_i)^n, for n runs of the
    baseline and m of the candidate. As the p_i add up to 1, the sum is at most the greatest p^(m-1) (1 - p)^n, which p = (m-1)/(m+n-1)
    gives: (m-1)^(m-1) n^n / (m+n-1)^(m+n-1). It holds for any number of values and any probabilities. With one run of the candidate it
    is 1: among many rare values a new one proves nothing. Raises ValueError without a run of each side.
    """
    if baseline < 1 or candidate < 1:
        raise ValueError("expected at least one run of each side")
    more = candidate - 1
    return Fraction(more**more * baseline**baseline, (more + baseline) ** (more + baseline))


def expected_alarms(bound: Fraction, checks: int) -> Fraction:
    """The most flagged checks to be expected of an unchanged program, were every one of its checks random.

    The probability that there is any is at most that, too (the union bound, over all checks: which ones differ is known only
    afterwards); from 1 on it says nothing. The checks need not be independent.
    """
    return bound * checks


def enough_confirming(*, repeats: int, checks: int, below: Fraction = WANTED) -> int:
    """The least `replay.confirm` with which an unchanged program of random checks is flagged in less than `below` of its runs."""
    return next(
        confirm
        for confirm in count()
        if expected_alarms(false_alarm(repeats + confirm, repeats + confirm), checks) < below
    )


def sure_words(*, repeats: int, confirm: int, checks: int) -> str:
    """A sentence for the summary of a run that found deltas: the bound for one check, and for all of them together.

    Where the bound for all says little, it tells instead how many confirming runs would make it say something.
    """
    made = repeats + confirm
    bound = false_alarm(made, made)
    if bound == 1:
        return "nothing: with one run of the candidate a delta may be chance"
    total = expected_alarms(bound, checks)
    together = f"if all {checks} checks were random: in at most {ceil(1000 * total) / 10:g} % of runs"
    if total > TELLING:
        least = enough_confirming(repeats=repeats, checks=checks)
        together = (
            f"if all {checks} checks may be random, below {_percent(WANTED)} of runs takes replay.confirm = {least}"
        )
    return (
        f"each delta held in {made} runs of each side; a check with random values is flagged by chance in at most 1 of "
        f"{int(1 / bound)} runs ({together})"
    )


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):g} %"
