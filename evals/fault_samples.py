"""Samples of hypotheses from seeded faults: what was recorded of a failure, and what is right, which the table of faults says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

import msgspec

from auditor.drafting.values import Experiment
from evals.errors import EvalsError
from evals.faults.recorded import Recorded
from evals.faults.table import FAULTS, fault_digest
from evals.faults.values import Fault, Seen
from evals.values import CauseQuestion, CauseSample

_AGAIN = "Record them again: python -m evals record hypotheses"


class FaultSample(msgspec.Struct, frozen=True, kw_only=True):
    """One fault. Only the question of `cause` reaches a drafter."""

    cause: CauseSample
    shown: Mapping[str, tuple[Experiment, Seen]]
    """By the id of an offered experiment: the experiment, and what it showed."""


def samples_of(recorded: Sequence[Recorded], faults: Mapping[str, Fault] = FAULTS) -> tuple[FaultSample, ...]:
    """One for each fault, in the order of the table. Raises EvalsError where a fault was not recorded as it stands there."""
    held = {one.fault: one for one in recorded}
    for name in sorted(held.keys() ^ faults.keys()):
        which = "a fault of that name" if name in held else "a recording of it"
        raise EvalsError(f"fault {name[:40]!a}: expected {which}, got none", next_step=_AGAIN)
    return tuple(_sample(held[name], fault) for name, fault in faults.items())


def question_of(recorded: Recorded) -> CauseQuestion:
    """What a drafter sees: the failure, and the experiments that the gate offers for it."""
    return CauseQuestion(failure=recorded.failure, experiments=recorded.experiments)


def _sample(recorded: Recorded, fault: Fault) -> FaultSample:
    if recorded.digest != fault_digest(fault):
        raise EvalsError(
            f"fault {fault.id}: expected the recording of this fault, got that of another", next_step=_AGAIN
        )
    question = question_of(recorded)
    cause = CauseSample(
        id=fault.id,
        cluster=sha256(msgspec.json.encode(question)).hexdigest()[:12],  # faults that look alike stand or fall together
        question=question,
        category=f"{fault.kind}, {recorded.failure.subject}",
        right=fault.right,
    )
    pairs = zip(recorded.experiments, recorded.seen, strict=True)
    return FaultSample(cause=cause, shown={experiment.id: (experiment, seen) for experiment, seen in pairs})
