"""The experiments that fit a stable failure: the closed list with its arguments filled in. The gate runs them; nothing else is run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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


def asked(experiment: Experiment, *, about: int | None = None) -> api.Experiment:
    """The experiment as the gate takes it. `about`: the one step that is looked at."""
    return api.Experiment(
        kind=experiment.kind,
        case=experiment.case,
        step=experiment.step,
        property=experiment.property,
        value=experiment.value,
        about=None if experiment.case is None else about,
    )


def step_of(offered: Sequence[Experiment], experiment: Experiment, left: api.Recorded) -> int | None:
    """The step whose difference the experiments were offered for; None where the run recorded none there, or of a property.

    A group's number moves when one before it is accepted, so it is not what is asked. The steps that may be left out are those before it.
    """
    before = [one.step for one in offered if one.case == experiment.case and one.kind == "without step" and one.step]
    step = max(before, default=0) + 1
    return step if any((delta.case, delta.step) == (experiment.case, step) for delta in left.deltas) else None


def words_of(experiment: Experiment) -> str:
    """What it does, in one line, from its parts alone."""
    if experiment.property is None:
        subject = f"replay case {experiment.case}"
        again = f"{experiment.value} times on each build"
    else:
        subject = f"run property {experiment.property}"
        again = f"{experiment.value} times"
    how = {
        "baseline build": "on the baseline build alone",
        "without step": f"without step {experiment.step}",
        "property seed": f"with Hypothesis seed {experiment.value}",
        "more repeats": again,
        "hash seed": f"with hash seed {experiment.value}",
        "time zone": f"in the time zone {experiment.value}",
        "locale": f"in the locale {experiment.value}",
        "one worker": "with one worker",
    }
    return f"{subject} {how[experiment.kind]}"


def _of_property(left: api.Recorded, name: str) -> Iterator[Experiment]:
    ballot = next((each for each in left.ballots if each.property == name), None)
    if ballot is None or ballot.kind != "fail":
        raise _unknown(f"property {name}")
    seed = (ballot.seed or 0) + _SEED

    def offer(kind: api.ExperimentKind, value: str | None = None) -> Experiment:
        return _worded(Experiment(id="x", kind=kind, property=name, value=value, words=""))

    yield offer("baseline build")
    yield offer("property seed", str(seed))
    yield offer("more repeats", str(_REPEATS))
    yield offer("hash seed", str(_SEED))
    yield offer("time zone", _ZONE)
    yield offer("locale", _LOCALE)


def _of_group(left: api.Recorded, traces: Traces, name: str) -> Iterator[Experiment]:
    group = next((each for each in groups(left) if each.id == name), None)
    if group is None:
        raise _unknown(f"group {name}")
    first = group.places[0]
    case = first.case

    def offer(kind: api.ExperimentKind, value: str | None = None, step: int | None = None) -> Experiment:
        return _worded(Experiment(id="x", kind=kind, case=case, step=step, value=value, words=""))

    yield offer("baseline build")
    steps = sorted({each.step for each in traces.baseline if each.case == case and 0 < each.step < first.step})
    for step in steps[-MOST_STEPS:]:
        yield offer("without step", step=step)
    yield offer("hash seed", str(_SEED))
    yield offer("time zone", _ZONE)
    yield offer("locale", _LOCALE)
    yield offer("more repeats", str(_REPEATS))
    yield offer("one worker")


def _worded(experiment: Experiment) -> Experiment:
    return msgspec.structs.replace(experiment, words=words_of(experiment))


def _unknown(subject: str) -> AuditorError:
    return AuditorError(
        f"{subject[:80]!a}: expected a stable failure of this run", next_step="See what the run found: gate run"
    )
