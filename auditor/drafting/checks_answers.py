"""What one item of a model's answer is told in the repair round: the checks that look at one item alone. Pure.

A quote of the intent that does not carry its claim is not among them: such an item is collateral, which is an answer. Asking again would
only make a model look for a better quote.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from auditor.drafting.checks import classified_fault
from auditor.drafting.checks_hypotheses import hypothesis_fault
from auditor.drafting.checks_wording import wording_fault
from auditor.drafting.values import Classified, Experiment, Failure, Group, Hypothesis, Wording

Check = Callable[[str, Mapping[str, str]], str | None]
"""What is wrong with the item of a key; None when nothing is."""


def classified_of(key: str, item: Mapping[str, str]) -> Classified:
    """The item of a policy skeleton. Raises msgspec.ValidationError and KeyError."""
    told = {"group": key, "kind": item["class"], **{name: item[name] for name in ("quote", "old", "new", "reason")}}
    return msgspec.convert(told, Classified)


def hypothesis_of(item: Mapping[str, str]) -> Hypothesis:
    """The item of an answer with hypotheses; an empty suspect is none. Raises msgspec.ValidationError."""
    return msgspec.convert({**item, "suspect": item.get("suspect") or None}, Hypothesis)


def policy_check(groups: Sequence[Group]) -> Check:
    """Excerpts are of the group's own values, and the reason is one visible line."""
    known = {group.id: group for group in groups}
    return lambda key, item: classified_fault(classified_of(key, item), known[key]) or None


def hypotheses_check(failure: Failure, experiments: Sequence[Experiment]) -> Check:
    """Evidence is verbatim, nothing is invented, and no mechanism is that of an earlier key."""
    taken: dict[str, str] = {}

    def check(key: str, item: Mapping[str, str]) -> str | None:
        told = hypothesis_of(item)
        if why := hypothesis_fault(told, failure, experiments):
            return why
        if any(told.mechanism == other for before, other in taken.items() if before < key):
            return f"mechanism: expected another one than {told.mechanism}, which is taken"
        taken[key] = told.mechanism
        return None

    return check


def wording_check(source: str, ballots: str) -> Check:
    """Quotes are verbatim, and the statement is not weaker."""
    return lambda _, item: wording_fault(msgspec.convert(dict(item), Wording), source, ballots) or None
