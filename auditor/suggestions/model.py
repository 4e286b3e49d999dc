"""A suggestion: a draft with where it came from and what people decided. Inert: nothing that judges ever reads one."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

import msgspec

from auditor.drafting.values import (
    Classified,
    Experiment,
    Group,
    Guarded,
    Hypothesis,
    Place,
    Rejected,
    Usage,
    Wording,
)

Kind = Literal["policy", "hypotheses", "wording", "golden"]
Status = Literal["proposed", "accepted", "edited", "rejected"]
Verdict = Literal["accepted", "edited", "rejected", "undone"]
"""What a person decided of an item; `undone` takes the decision before it back."""

Draft = Classified | Hypothesis | Wording | Guarded

DraftT = TypeVar("DraftT")


class Silenced(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One recorded change that a policy entry would allow, in canonical text as `Change` has it."""

    case: str
    step: int
    field: str
    old: str | None
    new: str | None


class Item(msgspec.Struct, Generic[DraftT], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to decide about."""

    id: str
    """`d1` (the group) in a policy; `h1`, `w1`, `g1`, … in the other kinds. Unique in its suggestion."""
    status: Status
    draft: DraftT
    """As the drafter gave it. Never changed: what a person made of it is in the decisions."""
    group: Group | None = None
    """What the draft speaks of; set exactly in a policy."""
    silences: tuple[Silenced, ...] = ()
    """What the gate said, when the draft was made, that accepting it would allow."""


class Input(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One input that shaped a draft."""

    name: str
    """`scorecard`, `deltas` and `policy` (the one that the run was judged by) are held to what the gate says now; others, such as `intent`,
    are read again at their path. `base` and `head` are the commits whose messages were the intent."""
    digest: str
    """`digest_of` its bytes; of a commit `commit:` and its full id."""
    path: str | None = None
    """Where it can be read again, relative to the project; None for what stands elsewhere, or was given as text."""


class Provenance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who made a draft, from what, at what cost."""

    model: str
    prompt: str
    """Id and version: `policy/v1`."""
    prompt_digest: str
    """Hex SHA-256 of the prompt's file; empty where no prompt was used."""
    inputs: tuple[Input, ...]
    usage: Usage = Usage()


class Decision(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One decision of one person. Kept for good, also when it is undone."""

    item: str
    verdict: Verdict
    who: str
    when: str
    """UTC, `2026-03-01T12:00:00Z`."""
    why: str
    """May be empty for a rejection."""
    seconds: float | None = None
    """How long the item was looked at; None where nobody looked at a screen."""
    old: str = ""
    """The text that the draft proposed."""
    new: str = ""
    """The text that the person settled on."""
    places: tuple[Place, ...] = ()
    """Where the change was allowed."""
    policy_before: str | None = None
    """`digest_of` policy.json before and after; None where it was not written."""
    policy_after: str | None = None


class Ran(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an experiment showed."""

    item: str
    experiment: str
    """The id of an offered one."""
    when: str
    outcome: str
    """A word or two: `persists`, `vanishes`, `changes`."""
    words: str
    """What was seen, as text."""


class Suggestion(msgspec.Struct, Generic[DraftT], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file of the folder `suggestions`."""

    version: Literal[1] = 1
    id: str
    """The kind and the digest of what was drafted."""
    kind: Kind
    status: Status
    """`status_of` its items."""
    subject: str
    """What was drafted about: `run`, `property retry_cap`, `group d3`."""
    items: tuple[Item[DraftT], ...]
    rejected: tuple[Rejected, ...] = ()
    missing: tuple[str, ...] = ()
    demoted: tuple[Rejected, ...] = ()
    """Items that claimed to be intent and are kept as collateral: the item's id, and why."""
    cuts: tuple[str, ...] = ()
    """What of the material the drafter was not shown, one sentence each."""
    offered: tuple[Experiment, ...] = ()
    """The experiments that the hypotheses could choose from."""
    provenance: Provenance
    decisions: tuple[Decision, ...] = ()
    experiments: tuple[Ran, ...] = ()


AnyItem = Item[Any]
AnySuggestion = Suggestion[Any]

FORM_OF: dict[Kind, Any] = {
    "policy": Suggestion[Classified],
    "hypotheses": Suggestion[Hypothesis],
    "wording": Suggestion[Wording],
    "golden": Suggestion[Guarded],
}
"""The type of the suggestions of each kind: the items of one are all of one type."""


def status_of(items: tuple[AnyItem, ...]) -> Status:
    """`proposed` while an item is; else `edited` or `accepted` where one is; else `rejected`. No items: `rejected`."""
    held = {item.status for item in items}
    order: tuple[Status, ...] = ("proposed", "edited", "accepted")
    return next((status for status in order if status in held), "rejected")


def text_of(draft: Draft) -> str:
    """The one text of a draft that a person may write anew."""
    if isinstance(draft, Hypothesis):
        return draft.claim
    return draft.statement if isinstance(draft, Wording) else draft.reason
