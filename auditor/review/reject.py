"""Rejecting without a terminal: it allows nothing, so a script may."""

from __future__ import annotations

from pathlib import Path

from auditor.errors import ReviewError
from auditor.review.clock import now
from auditor.review.decide import complaint_of, decided, rejected
from auditor.review.reviewer import find_reviewer
from auditor.suggestions.plain import plain
from auditor.suggestions.store import read_suggestion, replace


def reject_items(
    project_root: Path, suggestion_id: str, *, item: str | None, why: str, reviewer: str | None
) -> tuple[str, ...]:
    """Reject one item, or all that are proposed; gives their ids. All or none.

    Raises ReviewError without a reason, a reviewer's name or a proposed item, and SuggestionError as the store does.
    """
    if fault := complaint_of(why):
        raise ReviewError(f"--why: {fault}", next_step="Say in one line why it is not wanted.")
    who = find_reviewer(reviewer, project_root)
    stored = read_suggestion(project_root, suggestion_id)
    held = stored.suggestion
    wanted = [one for one in held.items if one.status == "proposed" and item in (None, one.id)]
    if not wanted:
        named = "an item" if item is None else f"the item {plain(item)}"
        raise ReviewError(
            f"{held.id}: expected {named} that is proposed, found none",
            next_step=f"Look at it: auditor suggestions show {held.id}",
        )
    for one in wanted:
        held = decided(held, rejected(one, who=who.name, when=now(), why=why))
    replace(stored, held)
    return tuple(one.id for one in wanted)
