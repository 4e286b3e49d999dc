"""What drafting works on and what it gives, as values: material that the gate recorded, drafts of three kinds, experiments."""

from __future__ import annotations

from typing import Literal

import msgspec

Mechanism = Literal["logic", "input", "state", "order", "time", "randomness", "environment", "concurrency", "oracle"]
"""The mechanisms of a hypothesis, as prompts/hypotheses says them."""

Class = Literal["intent", "collateral"]
"""How a delta group relates to the stated intent."""

Promise = Literal["contract", "incidental", "noise-prone"]
"""What a step of a golden trace is worth guarding for."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One field that differs, in canonical text; bytes that are no UTF-8 are escaped as `\\xff`. None: absent on that side."""

    field: str
    kind: str
    old: str | None
    new: str | None


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a change was seen."""

    case: str
    step: int
    occurrence: int = 1


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """Flagged changes that are one: the same command, and the same changes of the same fields, wherever they were seen."""

    id: str
    """`d1`, `d2`, … in the order of first appearance."""
    command: str
    changes: tuple[Change, ...]
    places: tuple[Place, ...]
    """At least one."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A stable failure: a property that failed in each of its runs, or a flagged group."""

    subject: str
    """`property NAME` or `group d3`."""
    log: str
    """What was recorded of it, as text: the material that evidence is quoted from."""
    sources: tuple[str, ...] = ()
    """Files that the log names and that exist in the candidate, relative to it."""


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """One experiment of the closed list, with its arguments filled in. The gate can run it; nothing else is ever run."""

    id: str
    """`x1`, `x2`, … in the list that a drafter chose from."""
    kind: Literal[
        "hash seed",
        "time zone",
        "baseline build",
        "without step",
        "property seed",
        "more repeats",
        "locale",
        "one worker",
    ]
    case: str | None = None
    step: int | None = None
    property: str | None = None
    value: str | None = None
    """The seed, the zone, the locale or the number of repeats."""
    words: str
    """What it does, in one line: `replay case K without step 1`."""


class Classified(msgspec.Struct, frozen=True, kw_only=True):
    """One group of a policy skeleton."""

    group: str
    kind: Class
    quote: str
    """Verbatim from the intent; empty for collateral."""
    old: str
    new: str
    reason: str
    flags: tuple[str, ...] = ()
    """What a reviewer should know of the group's own values: `flags.flags_in`."""


class Hypothesis(msgspec.Struct, frozen=True, kw_only=True):
    """One mechanism that could cause a failure, and the experiment that tells it from the others."""

    mechanism: Mechanism
    claim: str
    evidence: str
    """Verbatim from the failure's log."""
    experiment: str
    """The id of an offered experiment."""
    if_true: str
    if_false: str
    suspect: str | None = None
    """A file or function that the material shows and that exists; None where it shows none."""


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """A second draft of a frozen property's statement. Words, no vote."""

    unclear: str
    seen: str
    statement: str
    difference: str
    question: str
    repair_note: str = ""


class Guarded(msgspec.Struct, frozen=True, kw_only=True):
    """One command shape of a golden trace, and what its output is worth."""

    command: str
    field: str
    promise: Promise
    reason: str
    example: str
    """Verbatim from the trace."""


class Rejected(msgspec.Struct, frozen=True, kw_only=True):
    """An item of an answer that was not taken, and why: its key, and a sentence."""

    key: str
    why: str


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What a draft cost."""

    requests: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost: float | None = None
    """In the currency of the prices in auditor.toml; None where no price is known."""
    unmetered: int = 0
    """Requests whose tokens the endpoint did not tell: the numbers above know nothing of them."""


class Drafted(msgspec.Struct, frozen=True, kw_only=True):
    """What a drafter gives: valid items, what was rejected, and who made it. Offline: model `offline`, no usage."""

    model: str
    prompt: str
    """`policy/v1`, and so on; `offline-3` for the offline drafter's own version."""
    items: tuple[Classified, ...] | tuple[Hypothesis, ...] | tuple[Wording, ...] | tuple[Guarded, ...]
    rejected: tuple[Rejected, ...] = ()
    missing: tuple[str, ...] = ()
    """Keys that were asked for and not drafted."""
    demoted: tuple[Rejected, ...] = ()
    """Items that are kept with less than they claimed, and why: intent whose quote does not carry it, a suspect that nothing shows."""
    cuts: tuple[str, ...] = ()
    """What of the material the drafter was not shown, one sentence each."""
    usage: Usage = Usage()
