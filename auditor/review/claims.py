"""What a policy draft says, held to what can be asked anew: the run's own records, and the stated intent. Values in, words out."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import msgspec

from auditor.drafting.checks import unsupported
from auditor.drafting.offline_policy import classify
from auditor.drafting.values import Classified, Group
from auditor.suggestions.plain import plain

SECRET = "[REDACTED:"
"""How a placeholder begins."""

_PLACEHOLDER = re.compile(r"\[REDACTED:[^\]]*\]")
_FEW = 3


def not_of_the_run(group: Group, recorded: Sequence[Group]) -> tuple[str, ...]:
    """Why the group is none of the run, which recorded `recorded`, one step each; empty where it is.

    Every change has to stand at every place, under the command that is shown. Values with placeholders cannot be held to anything:
    `decide.barriers` tells of them.
    """
    there = {place: step for step in recorded for place in step.places}
    found = [there[place] for place in group.places if place in there]
    said = []
    if other := next((step.command for step in found if not _is(group.command, step.command)), None):
        said.append(f"the run recorded `{plain(other)}` there, the draft shows `{plain(group.command)}`")
    invented = [
        change.field
        for change in group.changes
        if SECRET not in f"{change.field} {change.old} {change.new}"
        and any(change not in step.changes for step in found)
    ]
    if invented:
        more = f" and {len(invented) - _FEW} more" if len(invented) > _FEW else ""
        said.append(f"the run recorded no such change: {plain(', '.join(invented[:_FEW]))}{more}")
    return tuple(said)


def unverified(draft: Classified, group: Group, intent: str | None, commands: Collection[str]) -> str:
    """Why the quote of an item that claims intent does not carry it, by the rules that drafts are checked by; empty where it does.

    `intent` is the stated text as it was read again, None where it could not be; `commands` are those of the run's differing steps.
    """
    if draft.kind != "intent":
        return ""
    if intent is None:
        return "the stated intent cannot be read again"
    if SECRET in draft.quote:
        return "it holds a secret, which the draft does not show"
    return unsupported(draft, group, intent, commands)


def uncovered(draft: Classified, group: Group, intent: str | None, commands: Collection[str]) -> str:
    """Why the offline rules find no sentence that states this change, whatever a model made of it; empty where they find one."""
    if draft.kind != "intent" or intent is None:
        return ""
    asked = msgspec.structs.replace(group, id="d0")
    others = [
        msgspec.structs.replace(group, id=f"d{number}", command=command)
        for number, command in enumerate(sorted(set(commands) - {group.command}), start=1)
    ]
    read = classify([asked, *others], intent).items
    if any(isinstance(item, Classified) and (item.group, item.kind) == ("d0", "intent") for item in read):
        return ""
    return "no sentence of the stated intent says this change in plain words"


def _is(shown: str, recorded: str) -> bool:
    """Whether a command is the recorded one, as far as its placeholders let one see."""
    return re.fullmatch(".+".join(map(re.escape, _PLACEHOLDER.split(shown))), recorded, re.DOTALL) is not None
