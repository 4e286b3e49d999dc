"""What the rules that read nothing answered to the very questions that a drafter answered."""

from __future__ import annotations

from collections.abc import Sequence

from evals.run import Run, variants
from evals.values import Row


def beside(run: Run, rows: Sequence[Row]) -> dict[str, tuple[Row, ...]]:
    """For each rule, by name, its row for each of `rows`, which are of one task and variant; a rule that lacks one is absent.

    A drafter may have answered a part of the samples, or one several times. No rows: no rules.
    """
    found = {}
    for name, told in run.beside.items() if rows else ():
        by_sample = {row.sample: row for row in variants(told, rows[0].task).get(rows[0].variant, ())}
        if all(row.sample in by_sample for row in rows):
            found[name] = tuple(by_sample[row.sample] for row in rows)
    return found
