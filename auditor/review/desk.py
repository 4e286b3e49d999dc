"""Carrying out what a person decided: policy.json through the gate's door, the suggestion through the store, and back again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from auditor.drafting.values import Place
from auditor.errors import ReviewError
from auditor.review.decide import complaint_of, decided, rejected
from auditor.review.door import Door, Written
from auditor.review.look import Looked, look
from auditor.review.reviewer import Reviewer
from auditor.suggestions.model import AnyItem, AnySuggestion, Decision, text_of
from auditor.suggestions.stale import digest_of
from auditor.suggestions.store import Stored, replace

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

    def look(self, entry: Entry) -> Looked:
        """How the item stands now."""
        return look(self.door, self.project_root, self.suggestion(entry), self.item(entry))

    def accept(self, entry: Entry, places: Sequence[Place], *, text: str, seconds: float) -> Decision:
        """Accept the item with `text` as its reason (or statement, or claim); `edited` where that is not the draft's.

        Looks again first: what stands now may not be what stood when the item was shown. Raises ReviewError or another GateError; then
        nothing is written.
        """
        item, who, looked = self.item(entry), self.reviewer.name, self.look(entry)
        if looked.barriers:
            raise ReviewError(f"cannot be accepted: {looked.barriers[0]}", next_step="Draft again, or reject it.")
        proposed_text = text_of(item.draft)
        if text == proposed_text and looked.own_reason:
            raise ReviewError(
                f"expected a reason of your own: {looked.own_reason}", next_step="Say why it is intended: e"
            )
        written = None
        if item.group is not None:
            out_of_reach = {one.place for one in looked.unbound}
            self._require_sound([place for place in item.group.places if place not in out_of_reach], places, text)
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

    def _require_sound(self, open_places: Sequence[Place], places: Sequence[Place], reason: str) -> None:
        if why := complaint_of(reason):
            raise ReviewError(f"reason: {why}", next_step="Say in one line why it is intended.")
        if not places or any(place not in open_places for place in places):
            raise ReviewError(
                "expected places of the group that can be allowed", next_step="Name them by their numbers."
            )

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
