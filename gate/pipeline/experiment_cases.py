"""A case replayed under other circumstances, and what became of the differences that the run recorded in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from gate.diff.compare import compare_case
from gate.diff.evidence import gather
from gate.diff.findings import Canonical, Change, Comparison
from gate.diff.render import render_value
from gate.domain import Case, Record
from gate.pipeline.inputs import Inputs
from gate.pipeline.kept import Kept
from gate.pipeline.left import Experimented, Finding
from gate.pipeline.sides import Sides
from gate.replay.store import Run
from gate.trace.open import open_trace

_SHOWN = 80
"""Bytes of a value in a detail."""

_Spot = tuple[int, int, str]
"""Step as the run numbered it, occurrence, field."""


def both_builds(
    inputs: Inputs, sides: Sides, kept: Kept, case: Case, *, seeds: Sequence[int], left_out: int | None
) -> Experimented:
    """Replay the case on both builds, once a seed, and hold what differs against what the run recorded.

    Without the step `left_out` the steps behind it move up; they are told by their old numbers. The baseline runs before and after
    the candidate, so that what moves with the clock is seen to move on the baseline, too.
    """
    steps = case.steps if left_out is None else case.steps[: left_out - 1] + case.steps[left_out:]
    cases = (replace(case, steps=tuple(steps)),)
    half = max(1, len(seeds) // 2)
    sides.prepare("candidate", cases)
    old = sides.replay("baseline", cases, seeds[:half], purpose="experiment")
    new = sides.replay("candidate", cases, seeds, purpose="experiment")
    old += sides.replay("baseline", cases, seeds[half:], purpose="experiment")
    found = _compared(inputs, _records(old), _records(new))
    return _told(kept, case, found, left_out)


def baseline_alone(inputs: Inputs, sides: Sides, kept: Kept, case: Case, *, repeats: int) -> Experimented:
    """Replay the case on the baseline alone, under `repeats` hash seeds, and say whether it ever does what the candidate did."""
    runs = sides.replay("baseline", (case,), range(repeats), purpose="experiment")
    candidate = _recorded_runs(kept.folder / "patched.jsonl", case)
    found = _compared(inputs, _records(runs), (candidate,))
    differing = _changes(found, None)
    wavering = {(row.step, row.occurrence, row.field): row for row in found.unstable}
    rows, shown = [], 0
    for spot, change in _recorded(kept, case, None).items():
        if spot in wavering:
            values = wavering[spot].baseline
            times = sum(value == change.new for value in values)
            shown += times > 0
            rows.append(f"{_where(case, spot)}: the baseline shows it in {times} of {len(values)} runs")
        elif spot in differing:
            rows.append(f"{_where(case, spot)}: the baseline never shows it: {_values(differing[spot])}")
        else:
            shown += 1
            rows.append(f"{_where(case, spot)}: the baseline shows it in every run: {render_value(change.new, _SHOWN)}")
    words = f"{repeats} runs of case {case.id} on the baseline alone: it shows {shown} of {len(rows)} values of the candidate"
    return Experimented(finding="shown" if shown else "not shown", words=words, details=tuple(rows))


def _told(kept: Kept, case: Case, found: Comparison, left_out: int | None) -> Experimented:
    before, now = _recorded(kept, case, left_out), _changes(found, left_out)
    same = [spot for spot, change in before.items() if spot in now and _pair(now[spot]) == _pair(change)]
    other = [spot for spot in before if spot in now and spot not in same]
    wavering = [(_old_number(row.step, left_out), row.occurrence, row.field) for row in found.unstable]
    gone = [spot for spot in before if spot not in now and spot not in wavering]
    fresh = [spot for spot in now if spot not in before]
    details = [
        *(f"{_where(case, spot)}: the same difference: {_values(now[spot])}" for spot in same),
        *(f"{_where(case, spot)}: another difference: {_values(now[spot])}" for spot in other),
        *(f"{_where(case, spot)}: no difference any more; it was {_values(before[spot])}" for spot in gone),
        *(f"{_where(case, spot)}: wavers between the runs" for spot in wavering),
        *(f"{_where(case, spot)}: a difference that the run did not record: {_values(now[spot])}" for spot in fresh),
    ]
    counts = ((same, "persist"), (other, "changed"), (gone, "vanished"), (wavering, "waver"), (fresh, "are new"))
    told = ", ".join(f"{len(spots)} {verb}" for spots, verb in counts if spots) or "nothing differs"
    finding = _finding(whole=len(same) == len(before), gone=len(gone) == len(before), fresh=fresh, wavering=wavering)
    return Experimented(
        finding=finding,
        words=f"of {len(before)} recorded differences in case {case.id}: {told}",
        details=tuple(details),
    )


def _finding(*, whole: bool, gone: bool, fresh: Sequence[_Spot], wavering: Sequence[_Spot]) -> Finding:
    if wavering:
        return "wavers"
    if whole and not fresh:
        return "persists"
    return "vanishes" if gone and not fresh else "changes"


def _compared(
    inputs: Inputs, baseline: tuple[tuple[Record, ...], ...], candidate: tuple[tuple[Record, ...], ...]
) -> Comparison:
    return compare_case(baseline, candidate, inputs.noise, gather([baseline], inputs.noise))


def _records(runs: Sequence[Run]) -> tuple[tuple[Record, ...], ...]:
    """The runs of the one case that was replayed."""
    return tuple(run[0] for run in runs)


def _recorded_runs(file: Path, case: Case) -> tuple[Record, ...]:
    return tuple(record for record in open_trace(file).records() if record.case == case.id)


def _recorded(kept: Kept, case: Case, left_out: int | None) -> dict[_Spot, Change]:
    """What the run recorded in the case; what it recorded at the step that is left out cannot be looked at."""
    return {
        (delta.step, delta.occurrence, change.field): change
        for delta in kept.deltas
        if delta.case == case.id and delta.step != (left_out or -1)
        for change in delta.changes
    }


def _changes(found: Comparison, left_out: int | None) -> dict[_Spot, Change]:
    return dict(_spotted(found, left_out))


def _spotted(found: Comparison, left_out: int | None) -> Iterator[tuple[_Spot, Change]]:
    for delta in found.deltas:
        for change in delta.changes:
            yield (_old_number(delta.step, left_out), delta.occurrence, change.field), change


def _old_number(step: int, left_out: int | None) -> int:
    return step if left_out is None or step < left_out else step + 1


def _pair(change: Change) -> tuple[Canonical | None, Canonical | None]:
    return change.old, change.new


def _where(case: Case, spot: _Spot) -> str:
    step, occurrence, name = spot
    again = f" (record {occurrence})" if occurrence > 1 else ""
    return f"case {case.id} step {step}{again}, {ascii(name)[1:-1]}"


def _values(change: Change) -> str:
    return f"{render_value(change.old, _SHOWN)} → {render_value(change.new, _SHOWN)}"
