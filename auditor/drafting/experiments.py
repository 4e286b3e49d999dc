"""The experiments that fit a stable failure: the closed list with its arguments filled in. The gate runs them; nothing else is run."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from auditor.drafting.material import Traces, groups
from auditor.drafting.values import Experiment, Failure
from auditor.errors import AuditorError
from gate import api

MOST_STEPS = 6
"""Steps before the differing one that are offered to be left out: the nearest ones."""

_SEED = 7
_ZONE = "Asia/Tokyo"
_LOCALE = "C"
_REPEATS = 20


def experiments(left: api.Recorded, traces: Traces, failure: Failure) -> tuple[Experiment, ...]:
    """What the gate can run to tell the causes of `failure` apart, as `x1`, `x2`, …; never empty.

    Raises AuditorError for a failure that is not of this run.
    """
    kind, _, name = failure.subject.partition(" ")
    offered = _of_property(left, name) if kind == "property" else _of_group(left, traces, name)
    return tuple(msgspec.structs.replace(each, id=f"x{number}") for number, each in enumerate(offered, start=1))


def asked(experiment: Experiment) -> api.Experiment:
    """The experiment as the gate takes it."""
    return api.Experiment(
        kind=experiment.kind,
        case=experiment.case,
        step=experiment.step,
        property=experiment.property,
        value=experiment.value,
    )


def _of_property(left: api.Recorded, name: str) -> Iterator[Experiment]:
    ballot = next((each for each in left.ballots if each.property == name), None)
    if ballot is None or ballot.kind != "fail":
        raise _unknown(f"property {name}")
    seed = (ballot.seed or 0) + _SEED

    def offer(kind: api.ExperimentKind, words: str, value: str | None = None) -> Experiment:
        return Experiment(id="x", kind=kind, property=name, value=value, words=words)

    yield offer("baseline build", f"run property {name} on the baseline build alone")
    yield offer("property seed", f"run property {name} with Hypothesis seed {seed}", str(seed))
    yield offer("more repeats", f"run property {name} {_REPEATS} times", str(_REPEATS))
    yield offer("hash seed", f"run property {name} with hash seed {_SEED}", str(_SEED))
    yield offer("time zone", f"run property {name} in the time zone {_ZONE}", _ZONE)
    yield offer("locale", f"run property {name} in the locale {_LOCALE}", _LOCALE)


def _of_group(left: api.Recorded, traces: Traces, name: str) -> Iterator[Experiment]:
    group = next((each for each in groups(left) if each.id == name), None)
    if group is None:
        raise _unknown(f"group {name}")
    first = group.places[0]
    case = first.case

    def offer(kind: api.ExperimentKind, words: str, value: str | None = None, step: int | None = None) -> Experiment:
        return Experiment(id="x", kind=kind, case=case, step=step, value=value, words=words)

    yield offer("baseline build", f"replay case {case} on the baseline build alone")
    steps = sorted({each.step for each in traces.baseline if each.case == case and 0 < each.step < first.step})
    for step in steps[-MOST_STEPS:]:
        yield offer("without step", f"replay case {case} without step {step}", step=step)
    yield offer("hash seed", f"replay case {case} with hash seed {_SEED}", str(_SEED))
    yield offer("time zone", f"replay case {case} in the time zone {_ZONE}", _ZONE)
    yield offer("locale", f"replay case {case} in the locale {_LOCALE}", _LOCALE)
    yield offer("more repeats", f"replay case {case} {_REPEATS} times on each build", str(_REPEATS))
    yield offer("one worker", f"replay case {case} with one worker")


def _unknown(subject: str) -> AuditorError:
    return AuditorError(
        f"{subject[:80]!a}: expected a stable failure of this run", next_step="See what the run found: gate run"
    )
