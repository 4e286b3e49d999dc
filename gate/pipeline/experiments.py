"""Experiments of a closed, typed list on a recorded difference or failure. They explain; none is a ballot, and none moves a verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import assert_never

import msgspec

from gate.config.model import Project
from gate.domain import Case
from gate.errors import ReplayError
from gate.pipeline.audit import Trees, sources_of
from gate.pipeline.events import Listener
from gate.pipeline.experiment_cases import Look, baseline_alone, both_builds
from gate.pipeline.experiment_votes import property_under
from gate.pipeline.inputs import Inputs, read_inputs
from gate.pipeline.kept import Kept, read_kept
from gate.pipeline.left import Experiment, Experimented
from gate.pipeline.same_inputs import require_same
from gate.pipeline.sides import Sides
from gate.pipeline.stage import stage
from gate.pipeline.votes import Booth
from gate.replay.sandbox import SandboxMode

FEW, MANY = 2, 100
"""Least and most repeats of an experiment."""

_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,30}(?:/[A-Za-z0-9_+-]{1,30}){0,2}")
_LOCALE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,20}(?:\.[A-Za-z0-9-]{1,15})?(?:@[A-Za-z]{1,15})?")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")
_LAST_SEED = 2**32 - 1
_VARIABLES = {"hash seed": "PYTHONHASHSEED", "time zone": "TZ", "locale": "LC_ALL"}
_LIST = "The kinds are closed; `auditor draft hypotheses` offers those that fit."
_OTHER_RUN = "Name the trees of that run, or run the gate again and draft anew."


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """How an experiment is run, beside the experiment itself."""

    workers: int | None
    sandbox: SandboxMode
    listen: Listener


def experiment(
    project: Project, trees: Trees, asked: Experiment, *, run: Path | None, conditions: Conditions
) -> Experimented:
    """Run one experiment on both builds and tell what became of what the run recorded.

    The trees, the corpus and the fixtures must be those of the run. Raises ReplayError for an experiment that means nothing, or that is
    about something the run did not record; else as a run does.
    """
    require_sound(asked)
    kept = read_kept(project, run)
    inputs = read_inputs(project)
    sources = sources_of(trees)
    trees_now = {side: source.digest for side, source in sources.items()}
    require_same(kept.card.digests, inputs, trees_now, properties=True, next_step=_OTHER_RUN)
    case = None if asked.case is None else _case(inputs, kept, asked)
    workers = 1 if asked.kind == "one worker" else conditions.workers
    held = _under(inputs, _variables(asked))
    with stage(held, sources, workers=workers, sandbox=conditions.sandbox, listen=conditions.listen) as sides:
        if case is not None:
            return _of_case(held, sides, kept, asked, case)
        Booth(held, sides)  # lays properties and voter before any code of a build runs
        return property_under(held, sides, kept, asked, _variables(asked))


def require_sound(asked: Experiment) -> None:
    """Raise ReplayError for an experiment whose parts do not fit each other."""
    if (asked.case is None) == (asked.property is None):
        raise _senseless(asked, "expected exactly one of a case and a property")
    if asked.kind == "without step" and (asked.case is None or asked.step is None):
        raise _senseless(asked, "expected a case and the step that is left out")
    if asked.kind != "without step" and asked.step is not None:
        raise _senseless(asked, "expected no step: only `without step` leaves one out")
    if asked.about is not None and asked.case is None:
        raise _senseless(asked, "expected no step to look at: a property has none")
    if asked.kind == "property seed" and asked.property is None:
        raise _senseless(asked, "expected a property")
    _require_value(asked)


def _require_value(asked: Experiment) -> None:
    value = asked.value
    match asked.kind:
        case "hash seed" | "property seed":
            sound = value is not None and bool(_NUMBER.fullmatch(value)) and int(value) <= _LAST_SEED
            words = f"a seed from 0 to {_LAST_SEED}"
        case "more repeats":
            sound = value is not None and bool(_NUMBER.fullmatch(value)) and FEW <= int(value) <= MANY
            words = f"a number of repeats from {FEW} to {MANY}"
        case "baseline build":
            sound = value is None or (bool(_NUMBER.fullmatch(value)) and FEW <= int(value) <= MANY)
            words = f"no value, or a number of repeats from {FEW} to {MANY}"
        case "time zone":
            sound, words = value is not None and bool(_ZONE.fullmatch(value)), "the name of a time zone, as Asia/Tokyo"
        case "locale":
            sound, words = (
                value is not None and bool(_LOCALE.fullmatch(value)),
                "the name of a locale, as C or de_DE.UTF-8",
            )
        case "without step" | "one worker":
            sound, words = value is None, "no value"
        case _:
            assert_never(asked.kind)
    if not sound:
        raise _senseless(asked, f"expected {words}, got {(value or 'none')[:60]!a}")


def _senseless(asked: Experiment, what: str) -> ReplayError:
    return ReplayError(f"experiment {asked.kind!a}: {what}", next_step=_LIST)


def _case(inputs: Inputs, kept: Kept, asked: Experiment) -> Case:
    """The case, where the run recorded a difference in it that the experiment can speak about."""
    found = next((case for case in inputs.cases if case.id == asked.case), None)
    if found is None:
        raise _senseless(asked, f"expected a case of the corpus, got {(asked.case or '')[:60]!a}")
    steps = {delta.step for delta in kept.deltas if delta.case == found.id}
    if not steps:
        raise _senseless(asked, f"the run recorded no difference in case {found.id}")
    if asked.about is not None:
        if asked.about not in steps:
            raise _senseless(asked, f"the run recorded no difference in step {asked.about} of case {found.id}")
        steps = {asked.about}
    if asked.step is None:
        return found
    if not 1 <= asked.step <= len(found.steps) or len(found.steps) == 1:
        raise _senseless(asked, f"expected one of the {len(found.steps)} steps of case {found.id}, and another to stay")
    if steps == {asked.step}:
        raise _senseless(asked, f"step {asked.step} is the one that differs: without it nothing is left to look at")
    return found


def _variables(asked: Experiment) -> dict[str, str]:
    name = _VARIABLES.get(asked.kind)
    return {} if name is None or asked.value is None else {name: asked.value}


def _under(inputs: Inputs, variables: Mapping[str, str]) -> Inputs:
    """The same inputs with variables added to the program's environment. What was pinned was verified before."""
    config = inputs.project.config
    program = msgspec.structs.replace(config.program, env={**config.program.env, **variables})
    return replace(inputs, project=replace(inputs.project, config=msgspec.structs.replace(config, program=program)))


def _of_case(inputs: Inputs, sides: Sides, kept: Kept, asked: Experiment, case: Case) -> Experimented:
    if asked.kind == "baseline build":
        return baseline_alone(inputs, sides, kept, Look(case=case, about=asked.about), repeats=_count(inputs, asked))
    left_out = asked.step if asked.kind == "without step" else None
    seeds: Sequence[int] = range(_count(inputs, asked))
    return both_builds(inputs, sides, kept, Look(case=case, about=asked.about, left_out=left_out), seeds=seeds)


def _count(inputs: Inputs, asked: Experiment) -> int:
    """Runs of each side: as many as were said, else as many as a difference gets in a run."""
    replay = inputs.project.config.replay
    told = asked.value if asked.kind in {"more repeats", "baseline build"} else None
    return replay.repeats + replay.confirm if told is None else int(told)
