"""The offline drafter's hypotheses: three mechanisms from the shape of a log, each with the offered experiment that tells most.

No model, no network, no key. Where the log shows fewer than three shapes, the rest are the mechanisms that any failure may have, with
a line that is quoted as it is and a claim that says little.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import cycle

from auditor.drafting.checks_hypotheses import KEYS, check_hypotheses
from auditor.drafting.checks_suspects import check_in, code_in
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
_VARIED = {
    "hash seed": "another hash seed",
    "time zone": "another time zone",
    "locale": "another locale",
    "property seed": "another seed",
    "one worker": "one worker",
}
_MOVED_BY: dict[str, frozenset[Mechanism]] = {
    "hash seed": frozenset({"order", "randomness"}),
    "time zone": frozenset({"time"}),
    "locale": frozenset({"environment"}),
    "property seed": frozenset({"randomness"}),
    "without step": frozenset({"state", "input"}),
    "one worker": frozenset({"concurrency"}),
    "more repeats": frozenset({"concurrency", "randomness", "time"}),
}
"""The mechanisms that an experiment would make visible; the others stay as they are under it."""

_ON_BOTH: frozenset[Mechanism] = frozenset({"oracle", "input", "environment", "time", "randomness"})
_IN_THE_CODE: frozenset[Mechanism] = frozenset({"logic", "state", "order", "concurrency"})
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

    None, and why, where there is nothing to quote or nothing to run.
    """
    lines = quotable(failure.log)
    if not lines or not experiments:
        why = "the log has no line that can be quoted" if experiments else "no experiment was offered"
        return Drafted(model="offline", prompt=OFFLINE, items=(), rejected=(Rejected(key="h1", why=why),), missing=KEYS)
    chosen = _three(failure.log, lines)
    items: list[Hypothesis] = []
    used: set[str] = set()
    for clue in chosen:
        experiment = _experiment(clue, experiments, used)
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


def _experiment(clue: Clue, experiments: Sequence[Experiment], used: set[str]) -> Experiment:
    """The first kind that fits the mechanism: the one whose step the evidence names, taken or not, else the last that is not taken."""
    for kind in clue.preferred or _PREFERRED[clue.mechanism]:
        fitting = [one for one in experiments if one.kind == kind]
        named = [one for one in fitting if one.step and re.search(rf"\bstep {one.step}\b", clue.evidence)]
        if left := named or [one for one in fitting if one.id not in used]:
            return left[-1]
    return next((one for one in experiments if one.id not in used), experiments[0])


def _hypothesis(clue: Clue, experiment: Experiment, failure: Failure) -> Hypothesis:
    if_true, if_false = _outcomes(clue.mechanism, experiment)
    return Hypothesis(
        mechanism=clue.mechanism,
        claim=clue.claim,
        evidence=clue.evidence,
        experiment=experiment.id,
        if_true=if_true,
        if_false=if_false,
        suspect=_suspect(clue, failure),
    )


def _outcomes(mechanism: Mechanism, experiment: Experiment) -> tuple[str, str]:
    """What the experiment shows when the mechanism is the cause, and what when it is not."""
    if experiment.kind == "baseline build":
        both, candidate = "the baseline build shows the same", "the baseline build does not show it in any run"
        return (both, candidate) if mechanism in _ON_BOTH else (candidate, both)
    if experiment.kind == "more repeats":
        moved, stays = "some of the repeats do not show it", "every repeat shows it in the same way"
    elif experiment.kind == "property seed" and mechanism == "input":
        moved, stays = "the other seed ends in the same smallest input", "the other seed finds another input, or none"
        return moved, stays
    else:
        what = (
            f"without step {experiment.step}"
            if experiment.kind == "without step"
            else f"with {_VARIED[experiment.kind]}"
        )
        moved, stays = f"{what} it vanishes or shows other values", f"{what} it stays exactly as it is"
    return (moved, stays) if mechanism in _MOVED_BY[experiment.kind] else (stays, moved)


def _suspect(clue: Clue, failure: Failure) -> str | None:
    """The file that the evidence names; else, for a fault of the code, the last one that the log names; of the check, the test.

    None where the log names none.
    """
    named = [source for source in failure.sources if source in clue.evidence]
    if named:
        return named[-1]
    if clue.mechanism == "oracle":
        return check_in(failure)
    if clue.mechanism not in _IN_THE_CODE:
        return None
    there = [source for source in failure.sources if source.rpartition("/")[2] in failure.log]
    return there[-1] if there else code_in(failure)
