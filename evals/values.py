"""The values of the evals: what a drafter may see, what a sample is scored by, and what a run leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from auditor.drafting.values import Experiment, Failure, Group, Usage

UNASKED = "unasked"
"""The answer of a model to a question that has no transcript. No row of it is scored: it says nothing of the model."""

Answer = Literal["intended", "collateral", "missing", "unasked"]
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
    together: bool = False
    """Whether all groups of the question are of the one cluster. Else each is one of its own."""
    beside: tuple[Group, ...] = ()
    """What else was observed, and nobody is asked about: entries may not silence it either."""


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


class Head(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="run"):
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
    prompts: dict[str, str] = {}
    """SHA-256 by prompt and version (`policy/v1`), where a model was asked: another prompt is another drafter."""
    asked: dict[str, Asked] = {}
    """By task, where a model was asked."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How far the answers of one variant agree where each question was asked several times."""

    alike: Figure
    """Share of samples whose answers are all equal."""
    kappa: float | None
    """Of J. L. Fleiss (1971), over samples that have all their answers; None where chance alone would agree, too."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What the questions of one task came to. A question that stands in two variants is one."""

    repeats: int
    """How often each question was to be asked."""
    outcomes: dict[str, int]
    """By `answered`, `answered in part`, each kind of the service, and `no transcript`: all questions and repeats."""
    refused: int
    """Items that the form or a check refused, repair included."""
    usage: Usage
    agreement: dict[str, Agreement] = {}
    """By variant; empty for one repeat."""


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
