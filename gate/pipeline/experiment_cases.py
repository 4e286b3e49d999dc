"""A case replayed under other circumstances, and what became of the differences that the run recorded in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gate.diff.findings import Canonical, Change, Comparison, Unstable
from gate.diff.render import render_value
from gate.domain import Case, Record
from gate.pipeline.inputs import Inputs
from gate.pipeline.kept import Kept
from gate.pipeline.left import Experimented, Finding, Seen
from gate.pipeline.sides import Sides
from gate.pipeline.variants import both_sides, compared, original, without
from gate.replay.store import Run
from gate.report.counted import step_number
from gate.trace.open import open_trace

_SHOWN = 80
"""Bytes of a value in a detail."""

_Spot = tuple[int, int, str]
"""Step as the run numbered it, occurrence, field."""

_Row = tuple[Seen, str]
"""What was seen, and its values as a detail shows them; empty where there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Which case is replayed, and what of it is looked at."""

    case: Case
    about: int | None = None
    """The one step whose differences count; None: all."""
    left_out: int | None = None
    """The step that is not replayed."""

    @property
    def replayed(self) -> Case:
        """The case as it is replayed: without the step, those behind it move up."""
        return without(self.case, self._left_out)

    @property
    def name(self) -> str:
        """`case A`, or `case A step 2`."""
        return f"case {self.case.id}" if self.about is None else f"case {self.case.id} step {self.about}"

    def counts(self, step: int) -> bool:
        """Whether a step, as the run numbered it, is looked at."""
        return step != self.left_out and self.about in (None, step)

    def old_number(self, step: int) -> int:
        """The number that the run gave a step of the replayed case."""
        return original(step, self._left_out)

    @property
    def _left_out(self) -> tuple[int, ...]:
        return () if self.left_out is None else (self.left_out,)


def both_builds(inputs: Inputs, sides: Sides, kept: Kept, look: Look, *, seeds: Sequence[int]) -> Experimented:
    """Replay the case on both builds, once a seed, and hold what differs against what the run recorded.

    The steps behind one that is left out are told by their old numbers.
    """
    old, new = both_sides(sides, (look.replayed,), seeds, purpose="experiment")
    found = compared(inputs, _records(old), _records(new))
    return _told(look, _recorded(kept, look), _changes(found, look), _wavering(found, look))


def baseline_alone(inputs: Inputs, sides: Sides, kept: Kept, look: Look, *, repeats: int) -> Experimented:
    """Replay the case on the baseline alone, under `repeats` hash seeds, and say whether it ever does what the candidate did."""
    runs = sides.replay("baseline", (look.case,), range(repeats), purpose="experiment")
    candidate = _recorded_runs(kept.folder / "patched.jsonl", look.case)
    found = compared(inputs, _records(runs), (candidate,))
    differing, wavering = _changes(found, look), _wavering(found, look)
    rows = [
        _shown_alone(spot, change, differing.get(spot), wavering.get(spot))
        for spot, change in _recorded(kept, look).items()
    ]
    shown = sum(seen.finding == "shown" for seen, _ in rows)
    words = f"{repeats} runs of case {look.case.id} on the baseline alone: it shows {shown} of {len(rows)} values of the candidate"
    if look.about is not None:
        words += f" at step {look.about}"
    return _experimented("shown" if shown else "not shown", words, look, rows)


def _shown_alone(spot: _Spot, recorded: Change, now: Change | None, wavering: Unstable | None) -> _Row:
    if wavering is not None:
        values = wavering.baseline
        times = sum(value == recorded.new for value in values)
        words = f"the baseline shows it in {times} of {len(values)} runs"
        return _seen(spot, "shown" if times else "not shown", words, None), ""
    if now is not None:
        return _seen(spot, "not shown", "the baseline never shows it", now), _values(now)
    seen = _seen(spot, "shown", "the baseline shows it in every run", recorded)
    return seen, render_value(recorded.new, _SHOWN)


def _told(
    look: Look, before: Mapping[_Spot, Change], now: Mapping[_Spot, Change], wavering: Mapping[_Spot, Unstable]
) -> Experimented:
    same = [spot for spot, change in before.items() if spot in now and _pair(now[spot]) == _pair(change)]
    other = [spot for spot in before if spot in now and spot not in same]
    gone = [spot for spot in before if spot not in now and spot not in wavering]
    fresh = [spot for spot in now if spot not in before]
    rows = [
        *((_seen(spot, "persists", "the same difference", now[spot]), _values(now[spot])) for spot in same),
        *((_seen(spot, "changes", "another difference", now[spot]), _values(now[spot])) for spot in other),
        *(
            (_seen(spot, "vanishes", "no difference any more; it was", before[spot]), _values(before[spot]))
            for spot in gone
        ),
        *((_seen(spot, "wavers", "wavers between the runs", None), "") for spot in wavering),
        *(
            (_seen(spot, "new", "a difference that the run did not record", now[spot]), _values(now[spot]))
            for spot in fresh
        ),
    ]
    counts = ((same, "persist"), (other, "changed"), (gone, "vanished"), (wavering, "waver"), (fresh, "are new"))
    told = ", ".join(f"{len(spots)} {verb}" for spots, verb in counts if spots) or "nothing differs"
    finding = _finding(
        whole=len(same) == len(before), gone=len(gone) == len(before), fresh=bool(fresh), wavering=bool(wavering)
    )
    return _experimented(finding, f"of {len(before)} recorded differences in {look.name}: {told}", look, rows)


def _finding(*, whole: bool, gone: bool, fresh: bool, wavering: bool) -> Finding:
    if wavering:
        return "wavers"
    if whole and not fresh:
        return "persists"
    return "vanishes" if gone and not fresh else "changes"


def _experimented(finding: Finding, words: str, look: Look, rows: Sequence[_Row]) -> Experimented:
    return Experimented(
        finding=finding,
        words=words,
        details=tuple(_detail(look.case, seen, values) for seen, values in rows),
        seen=tuple(seen for seen, _ in rows),
    )


def _records(runs: Sequence[Run]) -> tuple[tuple[Record, ...], ...]:
    """The runs of the one case that was replayed."""
    return tuple(run[0] for run in runs)


def _recorded_runs(file: Path, case: Case) -> tuple[Record, ...]:
    return tuple(record for record in open_trace(file).records() if record.case == case.id)


def _recorded(kept: Kept, look: Look) -> dict[_Spot, Change]:
    """What the run recorded where we look; what it recorded at the step that is left out cannot be looked at."""
    return {
        (delta.step, delta.occurrence, change.field): change
        for delta in kept.deltas
        if delta.case == look.case.id and look.counts(delta.step)
        for change in delta.changes
    }


def _changes(found: Comparison, look: Look) -> dict[_Spot, Change]:
    return {spot: change for spot, change in _spotted(found, look) if look.counts(spot[0])}


def _spotted(found: Comparison, look: Look) -> Iterator[tuple[_Spot, Change]]:
    for delta in found.deltas:
        for change in delta.changes:
            yield (look.old_number(delta.step), delta.occurrence, change.field), change


def _wavering(found: Comparison, look: Look) -> dict[_Spot, Unstable]:
    spots = {(look.old_number(row.step), row.occurrence, row.field): row for row in found.unstable}
    return {spot: row for spot, row in spots.items() if look.counts(spot[0])}


def _pair(change: Change) -> tuple[Canonical | None, Canonical | None]:
    return change.old, change.new


def _seen(spot: _Spot, finding: Finding | Literal["new"], words: str, change: Change | None) -> Seen:
    step, occurrence, name = spot
    old, new = (None, None) if change is None else _pair(change)
    return Seen(
        step=step,
        occurrence=occurrence,
        field=name,
        finding=finding,
        words=words,
        old=None if old is None else old.text,
        new=None if new is None else new.text,
        valued=change is not None,
    )


def _detail(case: Case, seen: Seen, values: str) -> str:
    said = f"case {case.id} step {step_number(seen.step, seen.occurrence)}, {ascii(seen.field)[1:-1]}: {seen.words}"
    if not values:
        return said
    return f"{said} {values}" if seen.finding == "vanishes" else f"{said}: {values}"


def _values(change: Change) -> str:
    return f"{render_value(change.old, _SHOWN)} → {render_value(change.new, _SHOWN)}"
