"""The offline drafter's hypotheses: three mechanisms from the shape of a log, each with the offered experiment that tells it from the rest.

No model, no network, no key. Where the log shows fewer than three shapes, the rest are the mechanisms that any failure may have, with
a line that is quoted as it is and a claim that says little.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Sequence
from itertools import cycle

from auditor.drafting.checks_hypotheses import KEYS, check_hypotheses
from auditor.drafting.checks_suspects import check_in, code_in
from auditor.drafting.foretold import IN_THE_CODE, MOVED_BY, is_told, moves, outcomes
from auditor.drafting.offline_clues import Clue, clues, is_in_one_place, quotable
from auditor.drafting.offline_policy import OFFLINE
from auditor.drafting.values import Drafted, Experiment, Failure, Hypothesis, Mechanism, Rejected

_PREFERRED: dict[Mechanism, tuple[str, ...]] = {
    "logic": ("baseline build", "property seed", "more repeats"),
    "input": ("property seed", "without step", "baseline build"),
    "state": ("without step", "one worker", "more repeats", "hash seed"),
    "order": ("hash seed", "one worker", "without step"),
    "time": ("time zone", "more repeats"),
    "randomness": ("hash seed", "property seed", "more repeats"),
    "environment": ("locale", "time zone", "one worker"),
    "concurrency": ("one worker", "more repeats"),
    "oracle": ("baseline build", "property seed", "more repeats"),
}
_ENVIRONMENT = "The program needs something that this machine, its settings or its network does not give."
_FALLBACK: tuple[tuple[Mechanism, str], ...] = (
    ("logic", "The candidate's code computes something else than the baseline's for the same input."),
    ("environment", _ENVIRONMENT),
    ("oracle", "The check is stricter than what the program promises, and the new behaviour is right."),
    ("state", "Something that an earlier step or test left behind decides what is seen here."),
    ("input", "The failure needs this very input, and a neighbouring one would not show it."),
)


def hypothesise(failure: Failure, experiments: Sequence[Experiment]) -> Drafted:
    """Exactly three hypotheses of different mechanisms, the best supported first.

    None asks what the failure itself tells, unless nothing else is offered. There are none, and it is said why, where there is nothing to
    quote or nothing to run.
    """
    lines = quotable(failure.log)
    if not lines or not experiments:
        why = "the log has no line that can be quoted" if experiments else "no experiment was offered"
        return Drafted(model="offline", prompt=OFFLINE, items=(), rejected=(Rejected(key="h1", why=why),), missing=KEYS)
    chosen = _three(failure.log, lines)
    telling = [one for one in experiments if not is_told(failure, one)] or experiments
    items: list[Hypothesis] = []
    used: set[str] = set()
    for clue in chosen:
        others = [other for other in chosen if other is not clue]
        experiment = _experiment(clue, others, telling, used)
        used.add(experiment.id)
        items.append(_hypothesis(clue, experiment, failure))
    return check_hypotheses(Drafted(model="offline", prompt=OFFLINE, items=tuple(items)), failure, experiments)


def _three(log: str, lines: Sequence[str]) -> list[Clue]:
    """The strongest clue of each mechanism, a line being quoted twice only when there is no other; then what any failure may have.

    A clue of weight 1 never adds a mechanism. It gives a mechanism that any failure may have something better to quote.
    """
    found: dict[Mechanism, Clue] = {}
    weak: dict[Mechanism, Clue] = {}
    quoted: set[str] = set()
    for clue in clues(log):
        if clue.weight == 1:
            weak.setdefault(clue.mechanism, clue)
        elif clue.mechanism not in found and clue.evidence not in quoted and len(found) < len(KEYS):
            found[clue.mechanism] = clue
            quoted.add(clue.evidence)
    spare = cycle([line for line in lines if line not in quoted] or lines)
    same_place = is_in_one_place(log.split("\n"))
    for mechanism, claim in _FALLBACK:
        if mechanism == "environment" and same_place:
            continue
        if mechanism not in found and len(found) < len(KEYS):
            found[mechanism] = weak.get(mechanism) or Clue(mechanism, 1, next(spare), claim, 0)
    return list(found.values())


def _experiment(
    clue: Clue, others: Sequence[Clue], experiments: Sequence[Experiment], used: Container[str]
) -> Experiment:
    """Of those that fit the clue, one under which it foretells something else than one of the others does, and that none of them uses yet.

    Of equal ones, the one that tells it from more of them, then the kind that suits the mechanism best, then the cheaper, then the last.
    """
    kinds = [*(clue.preferred or _PREFERRED[clue.mechanism]), *MOVED_BY]

    def rank(at: int) -> tuple[bool, bool, int, int, int]:
        one = experiments[at]
        foretold = moves(clue.mechanism, one)
        apart = sum(_moves(other, one, experiments) != foretold for other in others)
        return not apart, one.id in used, -apart, kinds.index(one.kind), -at

    return experiments[min(_fitting(clue, experiments), key=rank)]


def _fitting(clue: Clue, experiments: Sequence[Experiment]) -> Sequence[int]:
    """The places of those of which its mechanism foretells what the clue itself says; where none is offered, all."""
    fitting = [
        at
        for at, one in enumerate(experiments)
        if one.kind in (clue.preferred or MOVED_BY) and _moves(clue, one, experiments) == moves(clue.mechanism, one)
    ]
    return fitting or range(len(experiments))


def _moves(clue: Clue, experiment: Experiment, experiments: Sequence[Experiment]) -> bool:
    """Whether the failure would move if the clue were right: as by its mechanism, but only under what the clue speaks of."""
    if clue.preferred and experiment.kind not in clue.preferred:
        return False
    if experiment.kind == "without step" and experiment.step not in _steps(clue, experiments):
        return False
    return moves(clue.mechanism, experiment)


def _steps(clue: Clue, experiments: Sequence[Experiment]) -> Collection[int]:
    """The steps that the evidence names, of those that can be left out; by default the nearest to the failure."""
    steps = [one.step for one in experiments if one.step]
    return [step for step in steps if re.search(rf"\bstep {step}\b", clue.evidence)] or steps[-1:]


def _hypothesis(clue: Clue, experiment: Experiment, failure: Failure) -> Hypothesis:
    if_true, if_false = outcomes(clue.mechanism, experiment)
    return Hypothesis(
        mechanism=clue.mechanism,
        claim=clue.claim,
        evidence=clue.evidence,
        experiment=experiment.id,
        if_true=if_true,
        if_false=if_false,
        suspect=_suspect(clue, failure),
    )


def _suspect(clue: Clue, failure: Failure) -> str | None:
    """The file that the evidence names; else, for a fault of the code, the last one that the log names; of the check, the test.

    None where the log names none.
    """
    named = [source for source in failure.sources if source in clue.evidence]
    if named:
        return named[-1]
    if clue.mechanism == "oracle":
        return check_in(failure)
    if clue.mechanism not in IN_THE_CODE:
        return None
    there = [source for source in failure.sources if source.rpartition("/")[2] in failure.log]
    return there[-1] if there else code_in(failure)
