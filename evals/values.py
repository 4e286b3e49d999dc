"""The values of the evals: what a drafter may see, what a sample is scored by, and what a run leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from auditor.drafting.values import Experiment, Failure, Group

Answer = Literal["intended", "collateral", "missing"]
"""What a drafter said of a group. `missing`: it gave no valid item, so nobody would be offered an entry."""


class PolicyQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """All that a drafter of a policy skeleton sees."""

    groups: tuple[Group, ...]
    intent: str


class CauseQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """All that a drafter of hypotheses sees."""

    failure: Failure
    experiments: tuple[Experiment, ...]


class PolicySample(msgspec.Struct, frozen=True, kw_only=True):
    """One question, and the right answer of each of its groups. Only the question reaches a drafter."""

    id: str
    cluster: str
    """Samples that stand or fall together: one pull request. Intervals draw whole clusters."""
    variant: str
    question: PolicyQuestion
    labels: Mapping[str, Answer]
    """By group id."""


class CauseSample(msgspec.Struct, frozen=True, kw_only=True):
    """One log, and the mechanisms of which any is right. Only the question reaches a drafter."""

    id: str
    cluster: str
    question: CauseQuestion
    category: str
    """As the data set says it."""
    right: tuple[str, ...]


class Row(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="sample"):
    """One scored answer: a line of `results.jsonl`."""

    task: str
    variant: str
    sample: str
    cluster: str
    label: str
    answer: str
    scores: dict[str, bool]
    """By metric; a metric that does not apply to this answer is absent."""
    shown: str = ""
    """The change or the evidence in a few words, escaped: for the list of worst samples."""


class Left(msgspec.Struct, frozen=True, kw_only=True):
    """What was left out of a task before any drafter saw it, and why."""

    why: str
    samples: tuple[str, ...]
    collateral: int | None = None
    """How many of them are labelled collateral: a filter that drops these would flatter nobody. None: no such label."""


class Head(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="run"):
    """The first line of `results.jsonl`: who answered, and on what."""

    format: int
    model: str
    drafter: str
    """The version of the offline drafter or of the baseline."""
    data: dict[str, str]
    """SHA-256 by name of a data set that was read."""
    tasks: tuple[str, ...]
    skipped: dict[str, str]
    """Tasks that were asked for and not run, and why."""
    left: dict[str, tuple[Left, ...]]
    """By task."""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One metric with its interval of 95 %."""

    value: float | None
    """None: undefined here, as a precision is where nothing was called collateral."""
    low: float | None
    """None, as `high` is: no interval; also where all draws of a bootstrap agree, which is no certainty."""
    high: float | None
    n: int
    """Answers it rests on."""
    how: str
    """`Wilson` or `bootstrap`."""
