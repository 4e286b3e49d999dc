"""What a review needs of the gate, as a role; the gate's one public door plays it, and in tests a fake one does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from auditor.drafting.values import Group, Place
from auditor.suggestions.model import Silenced
from auditor.suggestions.stale import Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What accepting did to policy.json."""

    file: Path
    before: bytes | None
    """The file's bytes; None: there was none."""
    after: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Unbound:
    """A place of which no bound entry can speak."""

    place: Place
    why: str


class Door(Protocol):
    """The gate, for one project and one recorded run. Every method raises GateError when it cannot tell, or refuses."""

    def standing(self) -> Standing:
        """What the run and the policy are now."""

    def recorded(self) -> tuple[Group, ...]:
        """Every step of the run that differs, one group each, with all its changes as drafts show them, the allowed ones too."""

    def silenced(self, places: Sequence[Place]) -> tuple[Silenced, ...]:
        """What bound entries for these places would newly allow of what the run recorded; nothing at those that are `unbound`."""

    def unbound(self, places: Sequence[Place]) -> tuple[Unbound, ...]:
        """Those of the places where the run recorded a change that no bound entry can speak of, in the order given."""

    def accept(self, places: Sequence[Place], *, reason: str, reviewer: str, suggestion: str) -> Written:
        """Add those entries to policy.json, all or none."""

    def restore(self, written: Written) -> None:
        """Put the file back, byte for byte. Raises GateError when it has changed since."""
