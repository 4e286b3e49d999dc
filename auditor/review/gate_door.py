"""The gate's public door in the role that a review needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from auditor.drafting.material import groups, steps_of
from auditor.drafting.values import Group, Place
from auditor.errors import ReviewError
from auditor.review.door import Unbound, Written
from auditor.suggestions.model import Silenced
from auditor.suggestions.stale import ABSENT, Standing
from auditor.suggestions.store import read_suggestion
from gate import api

_LATER = (
    "an entry with a step speaks of the first record of that step alone, and this is a later one; only an entry for the whole "
    "case or command reaches it, which is broader than observed: write it by hand"
)
_LOOKING = "only to look at what it would silence"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDoor:
    """One project, one recorded run. What is shown and what is written are both made by the gate from its own records."""

    project_root: Path
    run: Path | None = None
    """None: the latest."""

    def standing(self) -> Standing:
        """As the role says."""
        held = api.recorded(self.project_root, self.run)
        return Standing(
            scorecard=held.digests["scorecard"] or ABSENT,
            deltas=held.digests["deltas"] or ABSENT,
            policies=tuple(digest or ABSENT for digest in held.policies),
        )

    def recorded(self) -> tuple[Group, ...]:
        """As the role says."""
        return steps_of(api.recorded(self.project_root, self.run))

    def silenced(self, places: Sequence[Place]) -> tuple[Silenced, ...]:
        """As the role says; each change once, in the order of the run."""
        out_of_reach = {one.place for one in self.unbound(places)}
        reached = [place for place in places if place not in out_of_reach]
        if not reached:
            return ()
        proposals = api.proposed(self.project_root, self.run, self._entries(reached, _LOOKING, _LOOKING))
        if refused := next((one.refused for one in proposals if one.refused is not None), None):
            raise api.GateError(f"the gate refuses it: {refused}", next_step="Reject it, or draft again.")
        shown = self._shown()
        return tuple(
            shown.get((one.case, one.step, one.field)) or _bare(one)
            for proposal in proposals
            for one in proposal.silences
            if one.flagged
        )

    def unbound(self, places: Sequence[Place]) -> tuple[Unbound, ...]:
        """As the role says."""
        recorded = {(one.case, one.step, one.occurrence) for one in api.recorded(self.project_root, self.run).deltas}
        there = [place for place in places if (place.case, place.step, place.occurrence) in recorded]
        first = [place for place in there if place.occurrence == 1]
        refused = dict.fromkeys((place for place in there if place.occurrence > 1), _LATER)
        if first and self._refusal(first):  # each alone: to read the run again for every place takes its time
            refused |= {place: why for place in first if (why := self._refusal([place]))}
        return tuple(Unbound(place=place, why=refused[place]) for place in there if place in refused)

    def _refusal(self, places: Sequence[Place]) -> str:
        """Why the gate makes no entries for places of the run; empty where it does."""
        try:
            self._entries(places, _LOOKING, _LOOKING)
        except api.GateError as error:
            return error.what
        return ""

    def accept(self, places: Sequence[Place], *, reason: str, reviewer: str, suggestion: str) -> Written:
        """As the role says. Raises ReviewError where the suggestion that is kept proposes nothing at these places."""
        self._require_proposed(places, suggestion)
        entries = self._entries(places, reason, reviewer)
        done = api.accept(self.project_root, entries, reviewer, suggestion, run=self.run)
        return Written(file=done.file, before=done.before, after=done.after)

    def _require_proposed(self, places: Sequence[Place], suggestion: str) -> None:
        held = read_suggestion(self.project_root, suggestion).suggestion
        offered = [item.group.places for item in held.items if item.status == "proposed" and item.group is not None]
        if not any(all(place in there for place in places) for there in offered):
            raise ReviewError(
                f"{suggestion}: expected an item that is proposed at these places, found none",
                next_step=f"Look at it: auditor suggestions show {suggestion}",
            )

    def restore(self, written: Written) -> None:
        """As the role says."""
        undone = api.Accepted(file=written.file, written=(), already=(), before=written.before, after=written.after)
        api.withdraw(self.project_root, undone)

    def _shown(self) -> Mapping[tuple[str, int, str], Silenced]:
        """Each flagged change as drafts show it: with the size and digest of a value that was cut."""
        return {
            (place.case, place.step, change.field): Silenced(
                case=place.case, step=place.step, field=change.field, old=change.old, new=change.new
            )
            for group in groups(api.recorded(self.project_root, self.run))
            for place in group.places
            if place.occurrence == 1
            for change in group.changes
        }

    def _entries(self, places: Sequence[Place], reason: str, reviewer: str) -> tuple[Mapping[str, object], ...]:
        keys = [(place.case, place.step, place.occurrence) for place in places]
        return api.bound(self.project_root, self.run, keys, reason, reviewer)


def _bare(one: api.Silenced) -> Silenced:
    return Silenced(case=one.case, step=one.step, field=one.field, old=_text(one.old), new=_text(one.new))


def _text(value: bytes | None) -> str | None:
    r"""Canonical text as `Change` has it: bytes that are no UTF-8 are escaped as `\xff`."""
    return None if value is None else value.decode("utf-8", "backslashreplace")
