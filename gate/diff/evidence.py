"""Evidence: where the baseline itself varies between its runs. Only there may a noise rule erase a difference (reported fault 52)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gate.diff.canonical import Form, Slot, Span
from gate.diff.noise import Noise
from gate.diff.reading import Reading, read_runs
from gate.domain import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The slots at which the baseline was seen to vary."""

    slots: frozenset[Slot] = frozenset()
    _families: frozenset[tuple[str, str, str]] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_families", frozenset(slot[:3] for slot in self.slots))

    def in_field(self, slot: Slot) -> bool:
        """Whether the same rule was seen to vary anywhere in the same field of the same command."""
        return slot[:3] in self._families

    def __or__(self, other: Evidence) -> Evidence:
        """What either of them shows."""
        return Evidence(slots=self.slots | other.slots)


@dataclass(frozen=True, slots=True)
class Licence:
    """Evidence from elsewhere and from the case itself, unmerged: the first may be large and is shared by many cases."""

    everywhere: Evidence
    here: Evidence

    def in_field(self, slot: Slot) -> bool:
        """Whether it was seen to vary, by the same rule, anywhere in that field of that command."""
        return self.everywhere.in_field(slot) or self.here.in_field(slot)


NO_EVIDENCE = Evidence()
"""Nothing varies: no rule may erase anything."""


def gather(samples: Iterable[Sequence[Sequence[Record]]], noise: Noise) -> Evidence:
    """What the repeated runs of the baseline show: for each case its runs, each run its records in order.

    A case whose runs are equal byte for byte, or that ran once, shows nothing. More runs never take evidence away.
    """
    slots: set[Slot] = set()
    for runs in samples:
        if runs and any(list(run) != list(runs[0]) for run in runs[1:]):
            slots |= of_readings(read_runs(runs, noise)).slots
    return Evidence(slots=frozenset(slots))


def of_readings(readings: Sequence[Reading]) -> Evidence:
    """What the runs of one case show."""
    slots: set[Slot] = set()
    for check in {check for reading in readings for check in reading.forms}:
        held = [reading.forms[check] for reading in readings if check in reading.forms]
        slots |= _varying(held)
    return Evidence(slots=frozenset(slots))


def _varying(forms: Sequence[Form]) -> set[Slot]:
    """Slots with two different spans at the same place. Only runs that have the same slots in the same order can be laid side by side."""
    groups: dict[tuple[Slot, ...], list[tuple[Span, ...]]] = {}
    for held in forms:
        spans = held.spans
        groups.setdefault(tuple(span.slot for span in spans), []).append(spans)
    return {
        slot
        for slots, group in groups.items()
        for slot, *spans in zip(slots, *group, strict=True)
        if len({span.raw for span in spans}) > 1
    }
