"""What stands in the way of an item, asked anew: of the gate, of the inputs, of the intent. Nothing is taken from the draft's own word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from auditor.drafting.values import Classified, Group, Place
from auditor.review.claims import not_of_the_run, uncovered, unverified
from auditor.review.decide import barriers, own_reason_needed
from auditor.review.door import Door, Unbound
from auditor.suggestions.model import AnyItem, AnySuggestion, Silenced
from auditor.suggestions.stale import changed_inputs
from auditor.suggestions.stated import stated_again
from gate.api import GateError

UNASKED = "policy.json cannot be asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """How an item stands at this moment."""

    silenced: tuple[Silenced, ...] = ()
    """What the gate says that accepting would newly allow; nothing for words, and where it cannot tell."""
    unbound: tuple[Unbound, ...] = ()
    """Places of the group that accepting cannot reach."""
    barriers: tuple[str, ...] = ()
    """Why nobody can accept it. Empty: a person may."""
    own_reason: str = ""
    """Why the draft's words cannot stand as the reason; empty where they can."""
    unverified: str = ""
    """Why the quote does not carry a claim of intent; empty where it does, and where nothing is claimed."""
    stated: str = ""
    """Where the intent was read again; empty where it was not."""
    unheld: str = ""
    """Why an acceptance that the file tells of is not to be believed; empty where policy.json bears it out, and where there is none."""


def look(door: Door, project_root: Path, suggestion: AnySuggestion, item: AnyItem) -> Looked:
    """How `item` of `suggestion` stands. What cannot be found out is a barrier."""
    try:
        stale = changed_inputs(suggestion, door.standing(), project_root)
    except GateError as error:
        return _in_the_dark(item, (f"stale: {error.what}",))
    if item.group is None:
        return Looked(barriers=barriers(item, (), stale), own_reason=own_reason_needed(item))
    try:
        recorded = door.recorded()
        unbound, silenced = door.unbound(item.group.places), door.silenced(item.group.places)
    except GateError as error:
        return _in_the_dark(item, (*(f"stale: {why}" for why in stale), error.what))
    found = (*barriers(item, silenced, stale, unbound=unbound), *not_of_the_run(item.group, recorded))
    return replace(
        _claimed(suggestion, item, recorded, project_root),
        silenced=silenced,
        unbound=unbound,
        barriers=found,
        unheld=unheld(suggestion, item, silenced, stale),
    )


def _in_the_dark(item: AnyItem, why: tuple[str, ...]) -> Looked:
    """How an item stands of which the gate can say nothing."""
    is_claim = isinstance(item.draft, Classified) and item.draft.kind == "intent"
    return Looked(
        barriers=why,
        own_reason=own_reason_needed(item),
        unverified="the run cannot be asked" if is_claim else "",
        unheld=UNASKED if said_accepted(item) else "",
    )


def _claimed(suggestion: AnySuggestion, item: AnyItem, recorded: Sequence[Group], project_root: Path) -> Looked:
    """What can be said of the class and its quote."""
    draft, group = item.draft, item.group
    own = own_reason_needed(item)
    if not isinstance(draft, Classified) or group is None:
        return Looked(own_reason=own)
    stated = stated_again(suggestion, project_root)
    text, commands = None if stated is None else stated.text, {step.command for step in recorded}
    fault = unverified(draft, group, text, commands)
    return Looked(
        own_reason=own or (f"the quote is not verified: {fault}" if fault else uncovered(draft, group, text, commands)),
        unverified=fault,
        stated="" if stated is None else stated.where,
    )


def unheld(suggestion: AnySuggestion, item: AnyItem, silenced: Sequence[Silenced], stale: Sequence[str]) -> str:
    """As `Looked` has it; `silenced` is what entries for the places of the item, or more, would still allow."""
    if not said_accepted(item) or item.group is None:
        return ""
    if stale:
        return "the run or the policy is another one now"
    allowed = allowed_places(suggestion, item)
    left = [one for one in silenced if Place(case=one.case, step=one.step) in allowed]
    return "policy.json holds no such entry" if left else ""


def said_accepted(item: AnyItem) -> bool:
    """Whether the file says that a person allowed a change."""
    return item.group is not None and item.status in ("accepted", "edited")


def allowed_places(suggestion: AnySuggestion, item: AnyItem) -> tuple[Place, ...]:
    """Where the last decision of the item says that the change was allowed; everywhere where it names no place."""
    told = next((one.places for one in reversed(suggestion.decisions) if one.item == item.id), ())
    return told or (() if item.group is None else item.group.places)
