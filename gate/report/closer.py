"""A group as `gate show` and `gate repro` tell it: where it is, what led there, and its representative side by side."""

from __future__ import annotations

from collections.abc import Sequence

from gate.diff.escape import escaped
from gate.diff.findings import Delta
from gate.domain import Case
from gate.report.marked_lines import Look
from gate.report.scorecard import ShownDelta
from gate.report.shell_words import quoted
from gate.report.shown_groups import ShownGroup
from gate.report.side_by_side import side_by_side

PLACES = 3
"""Places of a group that are named; with `all`, all are."""

_WORDS = 160
"""Columns of a step's words that are shown."""

_STEPS = 12
"""Steps before the one that differs that are shown."""


def tell_group(
    group: ShownGroup, places: Sequence[ShownDelta], delta: Delta, case: Case | None, look: Look, *, every: bool
) -> str:
    """The group, bounded; no trailing newline. `case`: where `delta` was seen, if it is at hand. `every`: all places, one line each."""
    lines = [
        f"{group.id}: {_text(group.command)}: {group.kind}, {_count(group)}, {group.verdict}",
        *_places(places, every),
    ]
    lines += ["", f"case {_text(delta.case)} step {delta.step}"]
    if case is not None:
        lines += step_lines(case, delta.step)
    return "\n".join([*lines, "", side_by_side(delta, look)])


def step_lines(case: Case, target: int) -> list[str]:
    """The steps of a case up to the target, which is marked; one line each, with what they read and the variables they add."""
    shown = case.steps[: target or None]
    first = max(0, len(shown) - _STEPS)
    lines = [f"    … {first} steps before"] if first else []
    for number, step in enumerate(shown[first:], first + 1):
        env = "".join(
            f"{quoted(f'{name}={text}'.encode('utf-8', 'surrogateescape'))} " for name, text in step.env.items()
        )
        stdin = "" if step.stdin is None else f"   (reads {len(step.stdin)} bytes)"
        words = env + " ".join(map(quoted, step.argv))
        words = words if len(words) <= _WORDS else f"{words[:_WORDS]}… ({len(words)} characters)"
        lines.append(f"  {'>' if number == target else ' '} {number}  {words}{stdin}")
    if 0 < target < len(case.steps):
        lines.append(f"    … {len(case.steps) - target} behind it")
    return lines


def _count(group: ShownGroup) -> str:
    steps = "1 step" if group.steps == 1 else f"{group.steps} steps"
    then = group.steps - len(group.spots)
    return steps + (f", {then} of them follow" + ("s" if then == 1 else "") if then else "")


def _places(places: Sequence[ShownDelta], every: bool) -> list[str]:
    if len(places) <= 1 and not every:
        return []
    shown = places if every else places[:PLACES]
    lines = [f"  {_place(row)}" for row in shown]
    if len(places) > len(shown):
        lines.append(f"  … {len(places) - len(shown)} more places: --all")
    return lines


def _place(row: ShownDelta) -> str:
    again = "" if row.occurrence == 1 else f" (record {row.occurrence})"
    follows = "" if row.follows is None else f", follows step {row.follows}"
    fields = ", ".join(_text(change.field) for change in row.changes)
    return f"case {_text(row.case)} step {row.step}{again}  {_text(row.command)}: {fields}, {row.verdict}{follows}"


def _text(text: str) -> str:
    return escaped(text.encode("utf-8", "surrogatepass"))
