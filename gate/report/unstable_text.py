"""The table of the checks that abstain: what each side showed how often, and what may be done about it."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gate.diff.findings import Canonical, Unstable
from gate.diff.render import render_value
from gate.diff.spread import always_another, new_values, spread
from gate.report.counted import step_number
from gate.report.scorecard import ShownUnstable
from gate.report.votes_text import plain

MAX_VALUES = 4
"""Distinct values of a side that are printed."""
_SHORT = 60
_ABSENT = "(absent)"


def unstable_table(
    checks: Sequence[Unstable], shown: Sequence[ShownUnstable], *, max_rows: int
) -> RenderableType | None:
    """The table, or None where nothing abstains. `shown`: the same checks in the same order, as the scorecard has them.

    What the program printed is escaped. Of more than `max_rows` checks the first are shown, and the caption says so.
    """
    if not checks:
        return None
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("case", "step", "command", "unstable check", "values seen"):
        table.add_column(name, overflow="fold", justify="right" if name == "step" else "left")
    for check, row in list(zip(checks, shown, strict=True))[:max_rows]:
        step = step_number(check.step, check.occurrence)
        cell = Text("\n".join(check_lines(check, row)))
        table.add_row(plain(check.case), step, plain(check.command), plain(check.field), cell)
    if len(checks) > max_rows:
        table.caption = f"the first {max_rows} of {len(checks)} checks that abstain; the scorecard holds them all"
    return table


def check_lines(check: Unstable, shown: ShownUnstable) -> tuple[str, ...]:
    """One check: who wavers, the values of both sides with their counts, values that are new, the cure."""
    who = (
        "the baseline disagrees with itself"
        if check.side == "baseline"
        else "became unstable: only the candidate wavers"
    )
    sides = (*_side("baseline", check.baseline), *_side("candidate", check.candidate))
    cure = () if shown.cure is None else (f"cure: {shown.cure.words}",)
    return (who, *sides, *_new(check), *cure)


def _side(name: str, values: Sequence[Canonical | None]) -> tuple[str, ...]:
    if len(values) > 2 and always_another(values):
        return (f"  {name}: another value in each of {len(values)} runs, e.g. {_value(values[0])}",)
    rows = spread(values)
    lines = [f"  {name}: {_value(value)} in {_runs(count, len(values))}" for value, count in rows[:MAX_VALUES]]
    more = len(rows) - MAX_VALUES
    return (*lines, f"  {name}: … {more} more") if more > 0 else tuple(lines)


def _new(check: Unstable) -> tuple[str, ...]:
    """Nothing where each run of either side shows another value: there a new one is no news."""
    found = new_values(check)
    if not found or (always_another(check.baseline) and always_another(check.candidate)):
        return ()
    first, runs = found[0]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return (
        f"new: no run of the baseline ever showed {_value(first)}; {_runs(runs, len(check.candidate))} of the candidate did{more}",
    )


def _runs(count: int, of: int) -> str:
    return f"{count} of {of} run{'' if of == 1 else 's'}"


def _value(value: Canonical | None) -> str:
    return _ABSENT if value is None else render_value(value, limit=_SHORT)
