"""What a reviewer should know of a group's own values before reading what anybody wrote about them. Pure; never a proof of harmlessness."""

from __future__ import annotations

from auditor.drafting.values import Group
from auditor.drafting.words import has_hidden, instruction_like

INSTRUCTION = "contains instruction-like text"
HIDDEN = "contains hidden characters"


def flags_in(group: Group) -> tuple[str, ...]:
    """The flags of the names and values of its changes, in a fixed order. None: empty."""
    texts = [text for change in group.changes for text in (change.field, change.old, change.new) if text]
    found = {INSTRUCTION: any(map(instruction_like, texts)), HIDDEN: any(map(has_hidden, texts))}
    return tuple(flag for flag, holds in found.items() if holds)
