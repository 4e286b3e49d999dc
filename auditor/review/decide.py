"""What may be decided of an item, and what a decision makes of its suggestion. Values in, values out."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from auditor.drafting.flags import flags_in
from auditor.drafting.values import Classified, Group
from auditor.review.door import Unbound
from auditor.suggestions.model import AnyItem, AnySuggestion, Decision, Silenced, Status, status_of, text_of
from auditor.suggestions.plain import shows_itself

MAX_REASON = 500


def barriers(
    item: AnyItem, silenced: Sequence[Silenced], stale: Sequence[str], *, unbound: Sequence[Unbound] = ()
) -> tuple[str, ...]:
    """Why nobody can accept `item`, in any words. Empty: a person may.

    `silenced` is what the gate says now that accepting it would allow: all of it has to be in the suggestion, as the change that is shown
    and as what was to be silenced. `unbound` are its places that no entry can speak of: others can be accepted without them.
    """
    said = [f"stale: {why}" for why in stale]
    if item.group is None:
        return tuple(said)
    if len(unbound) == len(item.group.places):
        said.append("none of its places can be allowed from here")
    elif not silenced:
        said.append("nothing is flagged there now that an entry could allow")
    values = [text for one in item.silences for text in (one.old, one.new)]
    values += [text for change in item.group.changes for text in (change.old, change.new)]
    if any("[REDACTED:" in (text or "") for text in values):
        said.append("it holds a secret, which a policy entry would carry into the repository")
    elif any(one not in item.silences for one in silenced):
        said.append("broader than the draft: the gate would allow changes that the draft does not list")
    if any(not _shown(one, item.group) for one in silenced):
        said.append("the run recorded other changes there than the draft shows")
    return tuple(said)


def _shown(one: Silenced, group: Group) -> bool:
    at = any((place.case, place.step, place.occurrence) == (one.case, one.step, 1) for place in group.places)
    return at and any(
        (change.field, change.old, change.new) == (one.field, one.old, one.new) for change in group.changes
    )


def flags_of(item: AnyItem) -> tuple[str, ...]:
    """What a reviewer has to know of the group's own values: what the draft says, and what is found in them now."""
    if item.group is None or not isinstance(item.draft, Classified):
        return ()
    return tuple(dict.fromkeys((*item.draft.flags, *flags_in(item.group))))


def own_reason_needed(item: AnyItem) -> str:
    """Why the draft's reason cannot stand in the policy as it is; empty where it can, or where no policy is written.

    A changed exit status and lost output are never allowed with words that a draft filled in (reported fault 143).
    """
    draft, group = item.draft, item.group
    if not isinstance(draft, Classified) or group is None:
        return ""
    if draft.kind != "intent":
        return "collateral: the stated intent does not ask for it"
    if any(change.field == "status" for change in group.changes):
        return "the exit status changes"
    if any(_lost(change.old, change.new) for change in group.changes):
        return "output is lost"
    return complaint_of(draft.reason)


def _lost(old: str | None, new: str | None) -> bool:
    return old is not None and len((new or "").splitlines()) < len(old.splitlines())


def complaint_of(reason: str) -> str:
    """What is wrong with a reason; empty when it can be kept."""
    if not reason.strip():
        return "there is no reason"
    if len(reason) > MAX_REASON:
        return f"the reason is longer than {MAX_REASON} characters"
    return "" if shows_itself(reason) else "the reason holds characters that do not show themselves"


def decided(suggestion: AnySuggestion, decision: Decision) -> AnySuggestion:
    """The suggestion with one decision more, and the status of its item as that says; `undone` makes it `proposed` again.

    Raises ValueError when the item is not there, or a decision is taken twice, or none is undone.
    """
    found = next((item for item in suggestion.items if item.id == decision.item), None)
    if found is None or (found.status == "proposed") == (decision.verdict == "undone"):
        raise ValueError(f"{decision.item}: cannot be {decision.verdict} now")
    status: Status = "proposed" if decision.verdict == "undone" else decision.verdict
    items = tuple(msgspec.structs.replace(item, status=status) if item is found else item for item in suggestion.items)
    return msgspec.structs.replace(
        suggestion, items=items, status=status_of(items), decisions=(*suggestion.decisions, decision)
    )


def rejected(item: AnyItem, *, who: str, when: str, why: str, seconds: float | None = None) -> Decision:
    """The decision that `item` is not wanted."""
    return Decision(
        item=item.id, verdict="rejected", who=who, when=when, why=why, seconds=seconds, old=text_of(item.draft)
    )
