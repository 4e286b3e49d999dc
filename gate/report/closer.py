"""A group as `gate show` and `gate repro` tell it: where it is, what led there, and its representative side by side."""

from __future__ import annotations

from collections.abc import Sequence

from gate.counted import counted
from gate.diff.edits import edit
from gate.diff.findings import Delta
from gate.domain import NO_WORDS, Case
from gate.report.counted import step_number
from gate.report.delta_text import gist
from gate.report.marked_lines import Look
from gate.report.scorecard import ShownDelta
from gate.report.shell_words import quoted
from gate.report.shown_groups import ShownGroup, shown_edit
from gate.report.side_by_side import side_by_side
from gate.report.votes_text import plain

PLACES = 3
"""Places of a group that are named; with `all`, all are."""

_WORDS = 160
"""Columns of a step's words that are shown."""

_STEPS = 12
"""Steps before the one that differs that are shown."""


def tell_group(
    group: ShownGroup,
    places: Sequence[ShownDelta],
    delta: Delta,
    case: Case | None,
    look: Look,
    *,
    every: Sequence[Delta] = (),
) -> str:
    """The group, bounded but for `every`; no trailing newline. `case`: where `delta` was seen, if it is at hand.

    `every`: the deltas of all places, which are then all named, each with what it changed in a few lines.
    """
    lines = [
        f"{group.id}: {plain(group.command)}: {group.kind}, {_count(group)}, {group.verdict}",
        *_places(places, every),
    ]
    lines += ["", f"case {plain(delta.case)} step {delta.step}"]
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
        words = env + (" ".join(map(quoted, step.argv)) or NO_WORDS)
        words = words if len(words) <= _WORDS else f"{words[:_WORDS]}… ({len(words)} characters)"
        lines.append(f"  {'>' if number == target else ' '} {number}  {words}{stdin}")
    if 0 < target < len(case.steps):
        lines.append(f"    … {len(case.steps) - target} behind it")
    return lines


def _count(group: ShownGroup) -> str:
    then = group.steps - len(group.spots)
    return counted(group.steps, "step") + (f", {then} of them follow" + ("s" if then == 1 else "") if then else "")


def _places(places: Sequence[ShownDelta], every: Sequence[Delta]) -> list[str]:
    if every:
        return [line for row, delta in zip(places, every, strict=True) for line in _told(row, delta)]
    if len(places) <= 1:
        return []
    lines = [f"  {_place(row)}" for row in places[:PLACES]]
    if len(places) > PLACES:
        lines.append(f"  … {len(places) - PLACES} more places: --all")
    return lines


def _told(row: ShownDelta, delta: Delta) -> list[str]:
    edits = tuple(shown_edit(edit(change)) for change in delta.changes)
    return [f"  {_place(row)}", *(f"      {line}" for line in gist(delta, edits))]


def _place(row: ShownDelta) -> str:
    follows = "" if row.follows is None else f", follows step {row.follows}"
    fields = ", ".join(plain(change.field) for change in row.changes)
    return f"case {plain(row.case)} step {step_number(row.step, row.occurrence)}  {plain(row.command)}: {fields}, {row.verdict}{follows}"
