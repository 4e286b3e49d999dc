"""What each mechanism foretells of each kind of experiment: one table, from which the choice of an experiment and its sentences follow."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.drafting.values import Experiment, Failure, Mechanism

_BASELINE = "baseline build"
IN_THE_CODE: frozenset[Mechanism] = frozenset({"logic", "state", "order", "concurrency"})

MOVED_BY: Mapping[str, frozenset[Mechanism]] = {
    _BASELINE: IN_THE_CODE,
    "hash seed": frozenset({"order", "randomness"}),
    "time zone": frozenset({"time"}),
    "locale": frozenset({"environment"}),
    "without step": frozenset({"state", "input"}),
    "one worker": frozenset({"concurrency"}),
    "property seed": frozenset({"randomness"}),
    "more repeats": frozenset({"concurrency", "randomness", "time"}),
}
"""By kind of experiment, the cheaper ones first, the mechanisms of a failure that moves under it: vanishes, changes, wavers.

On the baseline build alone it moves where it is not shown. Under any other mechanism it stays as it is.
"""

_VARIED = {
    "hash seed": "another hash seed",
    "time zone": "another time zone",
    "locale": "another locale",
    "property seed": "another seed",
    "one worker": "one worker",
}


def moves(mechanism: str, experiment: Experiment) -> bool:
    """Whether the failure would move if this mechanism were its cause. A word that is no mechanism foretells that it stays."""
    return mechanism in MOVED_BY[experiment.kind]


def is_told(failure: Failure, experiment: Experiment) -> bool:
    """Whether the failure itself says what the experiment shows: of a group, that the baseline build did something else."""
    return experiment.kind == _BASELINE and failure.subject.startswith("group ")


def outcomes(mechanism: Mechanism, experiment: Experiment) -> tuple[str, str]:
    """What the experiment shows when the mechanism is the cause, and what when it is not."""
    moved, stays = _told(mechanism, experiment)
    return (moved, stays) if moves(mechanism, experiment) else (stays, moved)


def _told(mechanism: Mechanism, experiment: Experiment) -> tuple[str, str]:
    """How it is said that the failure moves, and that it stays."""
    if experiment.kind == _BASELINE:
        return "the baseline build does not show it in any run", "the baseline build shows the same"
    if experiment.kind == "more repeats":
        return "some of the repeats do not show it", "every repeat shows it in the same way"
    if experiment.kind == "property seed" and mechanism == "input":
        return "the other seed finds another input, or none", "the other seed ends in the same smallest input"
    without = experiment.kind == "without step"
    what = f"without step {experiment.step}" if without else f"with {_VARIED[experiment.kind]}"
    return f"{what} it vanishes or shows other values", f"{what} it stays exactly as it is"
