"""Recording seeded faults: the gate judges each in a throw-away project, and every experiment that it offers is run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import gettempdir

from auditor.drafting.experiments import asked, experiments, step_of
from auditor.drafting.material import failure, traces_of
from auditor.drafting.readings import reading
from auditor.drafting.redact import Redactor
from auditor.drafting.values import Experiment, Failure
from evals.errors import EvalsError
from evals.faults.programs import source_digest
from evals.faults.project import Laid, laid
from evals.faults.recorded import Recorded, read_recorded, render
from evals.faults.table import FAULTS, fault_digest
from evals.faults.values import Fault, Seen
from evals.written import write
from gate import api

STABLE = "persists"


def python_version() -> str:
    """`3.11`, of the interpreter that programs are recorded under."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def record_all(
    faults: Sequence[Fault], path: Path, begin: Callable[[int], Callable[[], object]], say: Callable[[str], object]
) -> tuple[Recorded, ...]:
    """Record these faults into a file and give all that it holds then. What stands there as it would be recorded is not recorded again.

    The file is written anew after each fault, so that whoever interrupts it loses one. Raises EvalsError for a fault that does not fail in
    the same way each time.
    """
    held = {one.fault: one for one in (read_recorded(path)[0] if path.is_file() else ()) if one.fault in FAULTS}
    waiting = [fault for fault in faults if not is_current(fault, held.get(fault.id))]
    advance = begin(len(waiting))
    for fault in waiting:
        say(fault.id)
        held[fault.id] = record(fault)
        write(path, b"".join(map(render, _in_order(held))))
        advance()
    return _in_order(held)


def is_current(fault: Fault, held: Recorded | None) -> bool:
    """Whether a recorded line is of this fault, this program and this Python."""
    here = (fault_digest(fault), source_digest(fault.program), python_version())
    return held is not None and (held.digest, held.source, held.python) == here


def _in_order(held: Mapping[str, Recorded]) -> tuple[Recorded, ...]:
    return tuple(held[name] for name in FAULTS if name in held)


def record(fault: Fault) -> Recorded:
    """What the gate sees of a fault, and what each offered experiment shows. The same each time, on one version of program and Python.

    Raises EvalsError where it does not fail stably, or where something of this machine stands in what would be kept.
    """
    with laid(fault) as place:
        api.pin(place.root)
        sides = api.Trees(baseline=place.baseline, candidate=place.candidate)
        ended = api.run(place.root, sides, sandbox="off")
        if ended.exit_code is not api.ExitCode.STOP:
            raise _unstable(fault, f"its run ended in {int(ended.exit_code)}")
        left, traces = api.recorded(place.root), traces_of(place.root)
        told = failure(left, traces, fault.subject, candidate=place.candidate)
        shown = Failure(subject=told.subject, log=Redactor().apply(told.log), sources=told.sources)
        offered = experiments(left, traces, told)
        seen = tuple(_seen(place, sides, left, offered, one) for one in offered)
    made = Recorded(
        fault=fault.id,
        digest=fault_digest(fault),
        python=python_version(),
        source=source_digest(fault.program),
        failure=shown,
        experiments=offered,
        seen=seen,
    )
    _require_steady(fault, made)
    _require_portable(fault, render(made).decode())
    return made


def _seen(
    place: Laid, sides: api.Trees, left: api.Recorded, offered: Sequence[Experiment], experiment: Experiment
) -> Seen:
    """As `auditor experiment` runs it."""
    wanted = asked(experiment, about=step_of(offered, experiment, left))
    shown = api.experiment(place.root, sides, wanted, sandbox="off")
    return Seen(
        experiment=experiment.id,
        outcome=shown.finding,
        follows=Redactor().apply(reading(wanted, shown)),
        voted=not (shown.ballots and shown.ballots[-1].kind in {"void", "frozen"}),
    )


def _require_steady(fault: Fault, made: Recorded) -> None:
    for experiment, seen in zip(made.experiments, made.seen, strict=True):
        if experiment.kind == "more repeats" and seen.outcome != STABLE:
            raise _unstable(fault, f"{experiment.words}: {seen.outcome}")


def _unstable(fault: Fault, why: str) -> EvalsError:
    return EvalsError(
        f"{fault.id}: expected a failure that is always the same: {why}", next_step="Choose another fault."
    )


def _require_portable(fault: Fault, text: str) -> None:
    for place in _places():
        if place in text:
            raise EvalsError(
                f"{fault.id}: expected nothing of this machine in its recording, got {place!a}",
                next_step="Choose another case for it.",
            )


def _places() -> Iterable[str]:
    """Paths that no other machine has."""
    known = (sys.prefix, sys.base_prefix, gettempdir(), os.environ.get("HOME", ""))
    return sorted({place for place in known if len(place) > 1})
