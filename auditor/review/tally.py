"""What a sitting and the drafts before it look like from a distance: a review that was none, a model that calls everything intended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from auditor.suggestions.model import AnySuggestion, Decision
from auditor.suggestions.plain import plain

QUICK_SECONDS = 2.0
"""Less than anybody needs to read one change."""
MANY_DRAFTS = 5
"""Fewer classified groups say nothing of a model."""
HIGH_RATE = 0.8


def sitting_words(decisions: Sequence[Decision], skipped: int) -> str:
    """`accepted 1, edited 1, rejected 1, skipped 1; looked at for 12 s`."""
    counts = Counter(decision.verdict for decision in decisions)
    seconds = sum(decision.seconds or 0 for decision in decisions)
    named = ", ".join(f"{word} {counts[word]}" for word in ("accepted", "edited", "rejected"))
    return f"{named}, skipped {skipped}; looked at for {seconds:.0f} s"


def pace_warning(decisions: Sequence[Decision]) -> str:
    """A warning when an acceptance was quicker than a look (reported fault 144), from the first one on; empty when none was."""
    accepted = [decision for decision in decisions if decision.verdict in ("accepted", "edited")]
    quick = sum((decision.seconds or 0) < QUICK_SECONDS for decision in accepted)
    if not quick:
        return ""
    each = " each" if quick > 1 else ""
    return f"{quick} of {len(accepted)} acceptances took under {QUICK_SECONDS:.0f} s{each}: was that a review?"


def intent_rates(suggestions: Iterable[AnySuggestion]) -> tuple[str, ...]:
    """For each model, how much of what it was shown it called intent, over all drafts there are (reported fault 143). By model name."""
    shown: Counter[str] = Counter()
    intent: Counter[str] = Counter()
    for suggestion in suggestions:
        if suggestion.kind == "policy":
            model = suggestion.provenance.model
            shown[model] += len(suggestion.items)
            intent[model] += sum(item.draft.kind == "intent" for item in suggestion.items)
    return tuple(_rate(model, intent[model], count) for model, count in sorted(shown.items()) if count)


def _rate(model: str, intent: int, shown: int) -> str:
    high = shown >= MANY_DRAFTS and intent >= HIGH_RATE * shown
    return f"{plain(model)} called {intent} of {shown} groups intent so far" + (
        "; so many are rarely meant: read them closely" if high else ""
    )
