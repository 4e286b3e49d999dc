"""The offline drafter's policy skeleton: sentences of the intent held against groups of changes by the words they share.

No model, no network, no key. It reads plain English sentences of the form "command does effect", and knows nothing of what a
program is for. Whatever it cannot match word by word stays collateral: a person can promote it.
"""

from __future__ import annotations

from collections.abc import Sequence

from auditor.drafting.checks import check_policy, shortened
from auditor.drafting.fence import visible
from auditor.drafting.offline_effects import cover, value_concepts
from auditor.drafting.offline_sentences import READ, Sentence, sentences
from auditor.drafting.values import Change, Class, Classified, Drafted, Group
from auditor.drafting.words import has_hidden

OFFLINE = "offline-3"
"""The version of the offline drafter, in the place of a prompt's."""

_UNSPOKEN = "No sentence of the stated intent speaks of `{}`."

EXCERPT = 80
"""The longest excerpt of a value, in characters."""


def classify(groups: Sequence[Group], intent: str) -> Drafted:
    """Each group, in order, as intent with a verbatim sentence or as collateral with what is missing.

    A group is intent only if one sentence names its command and covers every change in it. Of several such sentences the first is
    quoted. No groups: no items. An empty intent: all collateral. What is not read of a long intent is told as a cut.
    """
    spoken = sentences(intent, sorted({group.command for group in groups}))
    nothing = "The stated intent is empty, so it speaks of `{}` nowhere." if not intent.strip() else _UNSPOKEN
    items = tuple(_classified(group, spoken, nothing) for group in groups)
    unread = len(intent) - READ
    cuts = (f"The last {unread} characters of the stated intent were not read.",) if unread > 0 else ()
    return check_policy(Drafted(model="offline", prompt=OFFLINE, items=items, cuts=cuts), groups, intent)


def excerpts(change: Change) -> tuple[str, str]:
    """At most 80 characters of either side that show the difference, hidden characters escaped; empty for a side that is absent."""
    whole = (change.old or "", change.new or "")
    cut = max(0, _differ_at(*whole) - EXCERPT)
    old, new = (visible(text[cut : cut + 3 * EXCERPT]) for text in whole)
    same = _differ_at(old, new)
    start = max(0, same - EXCERPT // 4)
    return old[start : start + EXCERPT], new[start : start + EXCERPT]


def _differ_at(old: str, new: str) -> int:
    """The first place where two texts differ; where one begins the other, the end of the shorter."""
    return next(
        (at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), min(len(old), len(new))
    )


def _classified(group: Group, spoken: Sequence[Sentence], nothing: str) -> Classified:
    old, new = excerpts(group.changes[0])
    missing = nothing.format(group.command)
    for sentence in spoken:
        if group.command in sentence.commands:
            why = _uncovered(group, sentence)
            if not why:
                reason = f"A sentence names `{group.command}` and covers {_told(group.changes)}."
                return _item(group, old, new, quote=sentence.text, reason=reason)
            missing = f'"{_head(sentence.text)}" does not cover {why}.'
    return _item(group, old, new, quote="", reason=missing)


def _item(group: Group, old: str, new: str, *, quote: str, reason: str) -> Classified:
    kind: Class = "intent" if quote else "collateral"
    return Classified(group=group.id, kind=kind, quote=quote, old=old, new=new, reason=shortened(reason))


def _uncovered(group: Group, sentence: Sentence) -> str:
    """The first change that the sentence does not cover, and why; empty when it covers all."""
    if sentence.dismissed or has_hidden(sentence.text):
        return f"a change: {sentence.dismissed or 'it holds hidden characters'}"
    facts = sentence.facts(group.command)
    values = value_concepts(group.changes)
    for change in group.changes:
        found = cover(change, facts, values)
        if not found.covered:
            return f"{change.field}: {found.why}"
    return ""


def _told(changes: Sequence[Change]) -> str:
    """`status 1 to 0, error "missing" to "none"`: as many changes as are readable at a glance."""
    told = [f"{change.field} {_value(change.old)} to {_value(change.new)}" for change in changes[:2]]
    return ", ".join(told) + (f" and {len(changes) - 2} more" if len(changes) > 2 else "")


def _value(text: str | None) -> str:
    return "absent" if text is None else f'"{_head(text)}"'


def _head(text: str) -> str:
    shown = " ".join(visible(text[:400]).split())
    return shown if len(shown) <= 40 else f"{shown[:39]}…"
