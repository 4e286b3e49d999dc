"""Numbers in the words of a report."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """`1 step`, `2 steps`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def step_number(step: int, occurrence: int) -> str:
    """`3`, or `3 (#2)` for the second record of step 3."""
    return str(step) if occurrence == 1 else f"{step} (#{occurrence})"
