"""Whether what an experiment of the gate did show is what a mechanism foretells, by the auditor's own table."""

from __future__ import annotations

from auditor.drafting.foretold import moves
from auditor.drafting.values import Experiment
from evals.faults.values import Seen


def moved(seen: Seen) -> bool:
    """Whether the failure moved: it went away or became another, or the baseline alone did not show it."""
    return seen.outcome not in {"persists", "shown"}


def borne_out(mechanism: str, experiment: Experiment, seen: Seen) -> bool:
    """Whether what was seen is what this mechanism would show."""
    return moves(mechanism, experiment) == moved(seen)
