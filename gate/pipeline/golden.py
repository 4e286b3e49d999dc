"""The baseline's runs: where they come from."""

from __future__ import annotations

from collections.abc import Sequence

from gate.diff.noise import CANONICAL_VERSION
from gate.domain import Record
from gate.errors import ReplayError
from gate.hashing.framing import framed_digest
from gate.pipeline.events import Remark
from gate.pipeline.inputs import Inputs
from gate.pipeline.sides import Sides
from gate.pipeline.unusable import refuse_dead_corpus, refuse_dead_steps
from gate.replay.build import build_key
from gate.replay.store import Run

RECIPE = "gate-golden-2"
"""2: each case has hash seeds of its own. What was kept under an older recipe is never found."""


def golden(inputs: Inputs, sides: Sides) -> tuple[tuple[Run, ...], bool]:
    """The baseline's runs, and whether they were kept from before; else they are replayed now and kept.

    Raises ReplayError where they are no evidence, BuildError where the baseline does not build.
    """
    key = golden_key(inputs, sides)
    _refuse_another_form(sides, key)
    kept = sides.store.golden(key, inputs.cases)
    if kept is not None:
        sides.listen(Remark(text="baseline: unchanged, its kept golden is used (gate capture --fresh records it anew)"))
        return kept, True
    runs = sides.replay("baseline", inputs.cases, range(inputs.project.config.replay.repeats), purpose="replaying")
    refuse_dead_steps(by_case(runs))
    refuse_dead_corpus(inputs.cases, runs, inputs.project.config.program, inputs.noise)
    sides.store.keep_golden(key, inputs.header(sides.sources["baseline"]), runs)
    return runs, False


def _refuse_another_form(sides: Sides, key: str) -> None:
    """Raise ReplayError for a kept golden of another canonical form: what it shows is to be frozen anew on purpose, not by the way."""
    form = sides.store.golden_form(key)
    if form not in (None, CANONICAL_VERSION):
        raise ReplayError(
            f"the baseline's kept golden: expected canonical form {CANONICAL_VERSION}, got {form}: another version of the gate recorded it",
            next_step=f"Record it anew: gate capture --fresh --baseline {sides.sources['baseline'].tree}",
        )


def golden_key(inputs: Inputs, sides: Sides) -> str:
    """What a golden depends on: the build, the corpus, the fixtures, the environment, and how steps are run."""
    config = inputs.project.config
    program, replay = config.program, config.replay
    told = (
        build_key(sides.sources["baseline"], config.build, at=sides.slot.build, sandbox=sides.sandbox),
        sides.sandbox.kind,
        inputs.judge.corpus,
        inputs.judge.pack.digest,
        inputs.environment,
        (program.runner, program.argv, program.path, tuple(sorted(program.env.items()))),
        (replay.repeats, str(replay.timeout), replay.keep_bytes, replay.limit_bytes),
        (replay.ignore_files, replay.ignore_content),
    )
    return framed_digest(RECIPE, told).rpartition(":")[2]


def by_case(runs: Sequence[Run]) -> tuple[tuple[tuple[Record, ...], ...], ...]:
    """Runs turned on their side: for each case its records in each run."""
    return tuple(zip(*runs, strict=True))
