"""What an experiment of the gate would show for each mechanism, and whether what it did show speaks for one."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.drafting.values import Experiment
from evals.faults.values import Seen

_BASELINE = "baseline build"
_IN_THE_CODE = frozenset({"logic", "state", "order", "concurrency"})
_MOVED_BY: Mapping[str, frozenset[str]] = {
    "hash seed": frozenset({"order", "randomness"}),
    "time zone": frozenset({"time"}),
    "locale": frozenset({"environment"}),
    "property seed": frozenset({"randomness"}),
    "without step": frozenset({"state", "input"}),
    "one worker": frozenset({"concurrency"}),
    "more repeats": frozenset({"concurrency", "randomness", "time"}),
}
"""Under another circumstance a failure moves (vanishes, changes, wavers) where that circumstance is its cause, and else persists."""


def moves(mechanism: str, experiment: Experiment) -> bool:
    """Whether the failure would go away or become another, if this mechanism were its cause.

    On the baseline build alone it goes away where the fault is in the candidate's code.
    """
    if experiment.kind == _BASELINE:
        return mechanism in _IN_THE_CODE
    return mechanism in _MOVED_BY[experiment.kind]


def moved(seen: Seen) -> bool:
    """Whether it did."""
    return seen.outcome not in {"persists", "shown"}


def borne_out(mechanism: str, experiment: Experiment, seen: Seen) -> bool:
    """Whether what was seen is what this mechanism would show."""
    return moves(mechanism, experiment) == moved(seen)
