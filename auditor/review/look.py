"""What stands in the way of an item, asked anew: of the gate, of the inputs, of the intent. Nothing is taken from the draft's own word."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from auditor.drafting.values import Classified
from auditor.review.decide import barriers, own_reason_needed
from auditor.review.door import Door, Unbound
from auditor.suggestions.model import AnyItem, AnySuggestion, Silenced
from auditor.suggestions.plain import plain
from auditor.suggestions.stale import changed_inputs, text_as_it_was
from gate.api import GateError


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


def look(door: Door, project_root: Path, suggestion: AnySuggestion, item: AnyItem) -> Looked:
    """How `item` of `suggestion` stands. What cannot be found out is a barrier."""
    own = own_reason_needed(item) or _quote_fault(suggestion, item, project_root)
    try:
        stale = changed_inputs(suggestion, door.standing(), project_root)
    except GateError as error:
        return Looked(barriers=(f"stale: {error.what}",), own_reason=own)
    if item.group is None:
        return Looked(barriers=barriers(item, (), stale), own_reason=own)
    try:
        unbound, silenced = door.unbound(item.group.places), door.silenced(item.group.places)
    except GateError as error:
        return Looked(barriers=(*(f"stale: {why}" for why in stale), error.what), own_reason=own)
    found = barriers(item, silenced, stale, unbound=unbound)
    return Looked(silenced=silenced, unbound=unbound, barriers=found, own_reason=own)


def _quote_fault(suggestion: AnySuggestion, item: AnyItem, project_root: Path) -> str:
    """What is wrong with a quote that the intent's file does not hold; empty where it does, or where there is no file to ask."""
    draft = item.draft
    if not isinstance(draft, Classified) or not draft.quote or "[REDACTED:" in draft.quote:
        return ""
    for given in suggestion.provenance.inputs:
        text = text_as_it_was(given, project_root) if given.name == "intent" else None
        if text is not None and draft.quote not in text:
            return f"the quote does not stand in {plain(given.path or '')}"
    return ""
