"""All runs of one case, both sides."""

from __future__ import annotations

from dataclasses import dataclass

from gate.diff.checks import Forms
from gate.diff.reading import Check, Place, Reading
from gate.domain import CaseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """The runs of one case, laid out, baseline first."""

    id: CaseId
    readings: tuple[Reading, ...]
    split: int
    """How many of them are the baseline's."""

    @property
    def checks(self) -> list[Check]:
        """Every check that any run has, in the order of a report."""
        return sorted({check for reading in self.readings for check in reading.forms})

    @property
    def places(self) -> set[Place]:
        """Every record that any run has."""
        return {place for reading in self.readings for place in reading.commands}

    def forms(self, check: Check) -> Forms:
        """What each run observed; None where it did not."""
        return tuple(reading.forms.get(check) for reading in self.readings)

    def on(self, place: Place, side: slice) -> bool:
        """Whether any run of a side has the record."""
        return any(place in reading.commands for reading in self.readings[side])

    def command(self, place: Place) -> str:
        """The command word on the baseline; on the candidate where the baseline has no such record. Of several, the first by name."""
        for side in (self.baseline, self.candidate):
            words = [reading.commands[place] for reading in self.readings[side] if place in reading.commands]
            if words:
                return min(words)
        raise KeyError(place)

    @property
    def baseline(self) -> slice:
        """Where the baseline's runs stand."""
        return slice(0, self.split)

    @property
    def candidate(self) -> slice:
        """Where the candidate's runs stand."""
        return slice(self.split, None)
