"""What a suggestion's file tells of decisions: its own word, which a patch can write, held to what policy.json bears out."""

from __future__ import annotations

from pathlib import Path

from auditor.review.door import Door
from auditor.review.look import UNASKED, allowed_places, said_accepted, unheld
from auditor.suggestions.model import AnyItem, AnySuggestion
from auditor.suggestions.plain import plain
from auditor.suggestions.stale import changed_inputs
from gate.api import GateError


def decisions_told(door: Door, project_root: Path, suggestion: AnySuggestion) -> tuple[str, ...]:
    """A line for each kind of decision, with the items of which the file tells it: `d1, d3: accepted by Ada, as the file says`.

    Empty where every item is proposed. An acceptance that policy.json does not bear out is said to be none.
    """
    doubts = _doubts(door, project_root, suggestion)
    found: dict[str, list[str]] = {}
    for item in suggestion.items:
        if item.status != "proposed":
            words = f"{item.status} by {_who(suggestion, item)}, as the file says"
            doubt = doubts.get(item.id)
            found.setdefault(f"{words}; {doubt}" if doubt else words, []).append(item.id)
    return tuple(plain(f"{', '.join(ids)}: {words}") for words, ids in found.items())


def _doubts(door: Door, project_root: Path, suggestion: AnySuggestion) -> dict[str, str]:
    """Why each acceptance is not to be believed. The gate is asked once for all of them."""
    accepted = [item for item in suggestion.items if said_accepted(item)]
    places = [place for item in accepted for place in allowed_places(suggestion, item)]
    if not accepted:
        return {}
    try:
        stale, silenced = changed_inputs(suggestion, door.standing(), project_root), door.silenced(places)
    except GateError:
        return {item.id: UNASKED for item in accepted}
    return {item.id: unheld(suggestion, item, silenced, stale) for item in accepted}


def _who(suggestion: AnySuggestion, item: AnyItem) -> str:
    """Who decided last, as the file has it."""
    return next((one.who for one in reversed(suggestion.decisions) if one.item == item.id), "nobody it names")
