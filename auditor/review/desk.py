"""Carrying out what a person decided: policy.json through the gate's door, the suggestion through the store, and back again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from auditor.drafting.values import Group, Place
from auditor.errors import ReviewError
from auditor.review.decide import barriers, complaint_of, decided, own_reason_needed, rejected
from auditor.review.door import Door, Written
from auditor.review.reviewer import Reviewer
from auditor.suggestions.model import AnyItem, AnySuggestion, Decision, Silenced, text_of
from auditor.suggestions.stale import changed_inputs, digest_of
from auditor.suggestions.store import Stored, replace
from gate.api import GateError

Entry = tuple[str, str]
"""The id of a suggestion, and of an item in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A decision that was carried out and can be taken back."""

    entry: Entry
    decision: Decision
    written: Written | None
    """None where no policy was written."""


@dataclass(slots=True, kw_only=True)
class Desk:
    """The suggestions of one sitting. Only a person's keys come here: see auditor/review/loop.py."""

    door: Door
    reviewer: Reviewer
    project_root: Path
    now: Callable[[], str]
    """The time as decisions record it."""
    stored: dict[str, Stored]
    done: list[Done] = field(default_factory=list)

    def suggestion(self, entry: Entry) -> AnySuggestion:
        """As it is now."""
        return self.stored[entry[0]].suggestion

    def item(self, entry: Entry) -> AnyItem:
        """As it is now."""
        return next(item for item in self.suggestion(entry).items if item.id == entry[1])

    def silenced(self, entry: Entry, places: Sequence[Place] | None = None) -> tuple[Silenced, ...]:
        """What the gate says that accepting would newly allow; nothing for words, and where the gate refuses to tell."""
        group = self.item(entry).group
        if group is None:
            return ()
        try:
            return self.door.silenced(group.places if places is None else places)
        except GateError:
            return ()

    def barriers(self, entry: Entry) -> tuple[str, ...]:
        """Why nobody can accept the item now. Empty: a person may."""
        item = self.item(entry)
        try:
            stale = changed_inputs(self.suggestion(entry), self.door.standing(), self.project_root)
        except GateError as error:
            return (f"stale: {error.what}",)
        try:
            silenced = self.door.silenced(item.group.places) if item.group is not None else ()
        except GateError as error:
            return (*(f"stale: {why}" for why in stale), error.what)
        return barriers(item, silenced, stale)

    def accept(self, entry: Entry, places: Sequence[Place], *, text: str, seconds: float) -> Decision:
        """Accept the item with `text` as its reason (or statement, or claim); `edited` where that is not the draft's.

        Looks again first: what stands now may not be what stood when the item was shown. Raises ReviewError or another GateError; then
        nothing is written.
        """
        item, who = self.item(entry), self.reviewer.name
        if why := self.barriers(entry):
            raise ReviewError(f"cannot be accepted: {why[0]}", next_step="Draft again, or reject it.")
        proposed_text = text_of(item.draft)
        if text == proposed_text and (why_own := own_reason_needed(item)):
            raise ReviewError(f"expected a reason of your own: {why_own}", next_step="Say why it is intended: e")
        written = None
        if item.group is not None:
            self._require_sound(item.group, places, text)
            written = self.door.accept(places, reason=text, reviewer=who, suggestion=entry[0])
        decision = Decision(
            item=item.id,
            verdict="accepted" if text == proposed_text else "edited",
            who=who,
            when=self.now(),
            why=text if item.group is not None else "",
            seconds=seconds,
            old=proposed_text,
            new=text,
            places=tuple(places) if item.group is not None else (),
            policy_before=None if written is None else digest_of(written.before),
            policy_after=None if written is None else digest_of(written.after),
        )
        self._keep(entry, decision, written)
        return decision

    def reject(self, entry: Entry, *, why: str, seconds: float) -> Decision:
        """Record that the item is not wanted. Stale ones can be rejected too."""
        decision = rejected(self.item(entry), who=self.reviewer.name, when=self.now(), why=why, seconds=seconds)
        self._keep(entry, decision, None)
        return decision

    def undo(self) -> Done:
        """Take the last decision of this sitting back: policy.json byte for byte, the item as proposed; that it was so stays on record.

        Raises ReviewError when there is none, and GateError when a file has changed since; then nothing is taken back.
        """
        if not self.done:
            raise ReviewError("nothing to undo in this sitting", next_step="Decide something first.")
        last = self.done[-1]
        if last.written is not None:
            self.door.restore(last.written)
        undone = Decision(
            item=last.decision.item,
            verdict="undone",
            who=self.reviewer.name,
            when=self.now(),
            why="",
            policy_before=last.decision.policy_after,
            policy_after=last.decision.policy_before,
        )
        self._replace(last.entry, undone)
        return self.done.pop()

    def _require_sound(self, group: Group, places: Sequence[Place], reason: str) -> None:
        if why := complaint_of(reason):
            raise ReviewError(f"reason: {why}", next_step="Say in one line why it is intended.")
        if not places or any(place not in group.places for place in places):
            raise ReviewError("expected places of the group", next_step="Name them by their numbers.")

    def _keep(self, entry: Entry, decision: Decision, written: Written | None) -> None:
        try:
            self._replace(entry, decision)
        except BaseException:
            if written is not None:
                self.door.restore(written)
            raise
        self.done.append(Done(entry=entry, decision=decision, written=written))

    def _replace(self, entry: Entry, decision: Decision) -> None:
        stored = self.stored[entry[0]]
        self.stored[entry[0]] = replace(stored, decided(stored.suggestion, decision))
