"""How a figure is said in a report, and when few answers have to be owned up to."""

from __future__ import annotations

from evals.document import Words, small
from evals.values import Figure

SMALL = 30
"""Answers below which a figure says little; the report says so."""


def value(number: float | None) -> str:
    """Two digits; `undefined` where there is nothing to count."""
    return "undefined" if number is None else f"{number:.2f}"


def interval(figure: Figure) -> str:
    """`0.12 to 0.35 Wilson`; `none` where there is none."""
    if figure.low is None or figure.high is None:
        return "none"
    return f"{figure.low:.2f} to {figure.high:.2f} {figure.how}"


def between(low: float | None, high: float | None) -> str:
    """The interval of a difference: `-0.10 to +0.25`; `none` where there is none."""
    return "none" if low is None or high is None else f"{low:+.2f} to {high:+.2f}"


def count(n: int) -> Words:
    """How many answers a figure rests on."""
    return (f"{n} ", small("small n")) if n < SMALL else (str(n),)
