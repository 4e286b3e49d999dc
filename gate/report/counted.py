"""Numbers in the words of a report."""

from __future__ import annotations


def step_number(step: int, occurrence: int) -> str:
    """`3`, or `3 (#2)` for the second record of step 3."""
    return str(step) if occurrence == 1 else f"{step} (#{occurrence})"
