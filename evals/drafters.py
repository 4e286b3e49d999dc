"""Who answers: the offline drafter, and baselines that anybody has to beat. None of them needs a key or a network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from auditor.drafting.offline_hypotheses import hypothesise
from auditor.drafting.offline_policy import OFFLINE, classify
from auditor.drafting.values import Classified, Hypothesis, Mechanism
from evals.errors import EvalsError
from evals.values import Answer, CauseQuestion, PolicyQuestion

SEED = 1
MECHANISMS: tuple[Mechanism, ...] = (
    "logic",
    "input",
    "state",
    "order",
    "time",
    "randomness",
    "environment",
    "concurrency",
    "oracle",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What was said of one group."""

    answer: Answer
    quote: str = ""
    texts: tuple[str, ...] = ()
    """Every text of the item: none may hold what a terminal would obey."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One mechanism, in the order of the draft."""

    mechanism: str
    evidence: str
    texts: tuple[str, ...] = ()
    experiment: str = ""
    """The id of the offered one that it chose; empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafter:
    """One who answers one or both kinds of question, in the same way whenever it is asked."""

    name: str
    version: str
    policy: Callable[[PolicyQuestion], dict[str, Said]] | None = None
    """By group id; every group that was asked about."""
    causes: Callable[[CauseQuestion], tuple[Cause, ...]] | None = None
    """The likeliest first."""


def _offline_policy(question: PolicyQuestion) -> dict[str, Said]:
    return said_of(question, classify(question.groups, question.intent).items)


def said_of(question: PolicyQuestion, items: Iterable[object]) -> dict[str, Said]:
    """What was said of each group that was asked about: `missing` where no item is of it."""
    said = {group.id: Said(answer="missing") for group in question.groups}
    for item in items:
        if isinstance(item, Classified):
            answer: Answer = "intended" if item.kind == "intent" else "collateral"
            said[item.group] = Said(
                answer=answer, quote=item.quote, texts=(item.quote, item.old, item.new, item.reason)
            )
    return said


def _offline_causes(question: CauseQuestion) -> tuple[Cause, ...]:
    return causes_of(hypothesise(question.failure, question.experiments).items)


def causes_of(items: Iterable[object]) -> tuple[Cause, ...]:
    """The hypotheses among the items, in their order."""
    return tuple(
        Cause(
            mechanism=item.mechanism,
            evidence=item.evidence,
            texts=(item.claim, item.evidence, item.if_true, item.if_false),
            experiment=item.experiment,
        )
        for item in items
        if isinstance(item, Hypothesis)
    )


def _always(answer: Answer) -> Callable[[PolicyQuestion], dict[str, Said]]:
    return lambda question: {group.id: Said(answer=answer) for group in question.groups}


def _first(*mechanisms: Mechanism) -> Callable[[CauseQuestion], tuple[Cause, ...]]:
    """The same of every log, and each time the experiment that is offered first."""
    return lambda question: tuple(
        Cause(mechanism=one, evidence="", experiment=question.experiments[0].id) for one in mechanisms
    )


def _random_policy(question: PolicyQuestion) -> dict[str, Said]:
    """A coin for each group, drawn from what is seen: the same for the same question, in whatever order questions come."""
    return {
        group.id: Said(answer="intended" if _drawn(question, group.id)[0] % 2 else "collateral")
        for group in question.groups
    }


def _random_causes(question: CauseQuestion) -> tuple[Cause, ...]:
    ranked = sorted(MECHANISMS, key=lambda one: _drawn(question, one))
    offered = [one.id for one in question.experiments]
    return tuple(
        Cause(mechanism=one, evidence="", experiment=min(offered, key=lambda name: _drawn(question, f"{one} {name}")))
        for one in ranked[:3]
    )


def _drawn(question: PolicyQuestion | CauseQuestion, what: str) -> bytes:
    return sha256(f"{SEED}\n{question!r}\n{what}".encode()).digest()


OFFLINE_DRAFTER = Drafter(name="offline", version=OFFLINE, policy=_offline_policy, causes=_offline_causes)
_VERSION = "baseline-1"
BASELINES: Sequence[Drafter] = (
    Drafter(name="all-intended", version=_VERSION, policy=_always("intended")),
    Drafter(name="all-collateral", version=_VERSION, policy=_always("collateral")),
    Drafter(name="always-code", version=_VERSION, causes=_first("logic", "oracle", "state")),
    Drafter(name="always-environment", version=_VERSION, causes=_first("environment", "state", "logic")),
    Drafter(name="random", version=f"{_VERSION} seed {SEED}", policy=_random_policy, causes=_random_causes),
)
DRAFTERS = {each.name: each for each in (OFFLINE_DRAFTER, *BASELINES)}


def drafter(name: str) -> Drafter:
    """The drafter of that name, which asks no model. Raises EvalsError for another."""
    if name in DRAFTERS:
        return DRAFTERS[name]
    raise EvalsError(
        f"model {name[:40]!a}: expected one of {', '.join(DRAFTERS)}",
        next_step="See: python -m evals run --help",
    )
