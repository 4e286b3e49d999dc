"""The baseline's runs: where they come from, and whether the baseline still reproduces them."""

from __future__ import annotations

from collections.abc import Sequence

from gate.config.model import Project
from gate.diff.compare import compare_cases
from gate.diff.evidence import gather
from gate.diff.findings import Delta
from gate.diff.noise import Noise
from gate.domain import Record
from gate.errors import ReplayError
from gate.hashing.framing import framed_digest
from gate.pipeline.sides import Sides
from gate.replay.build import build_key
from gate.replay.store import Run

RECIPE = "gate-golden-1"


def golden_key(project: Project, sides: Sides, *, corpus: str, fixtures: str, environment: str) -> str:
    """What a golden depends on: the build, the corpus, the fixtures, the environment, and how steps are run."""
    config = project.config
    program = config.program
    replay = config.replay
    told = (
        build_key(sides.sources["baseline"], config.build, at=sides.slot.build),
        corpus,
        fixtures,
        environment,
        (program.runner, program.argv, program.path, tuple(sorted(program.env.items()))),
        (
            replay.repeats,
            str(replay.timeout),
            replay.keep_bytes,
            replay.limit_bytes,
            replay.ignore_files,
            replay.ignore_content,
        ),
    )
    return framed_digest(RECIPE, told).rpartition(":")[2]


def stale_steps(kept: Sequence[Run], fresh: Sequence[Run], noise: Noise) -> tuple[Delta, ...]:
    """Where the baseline, run now, steadily differs from the runs that were kept of it (reported fault 27).

    Both are runs of the same cases in the same order. A check that wavers within either is unstable, not stale.
    """
    pairs = tuple(zip(by_case(kept), by_case(fresh), strict=True))
    evidence = gather([(*old, *new) for old, new in pairs], noise)
    return compare_cases(pairs, noise, evidence).deltas


def by_case(runs: Sequence[Run]) -> tuple[tuple[tuple[Record, ...], ...], ...]:
    """Runs turned on their side: for each case its records in each run."""
    return tuple(zip(*runs, strict=True))


def refuse_stale(deltas: Sequence[Delta]) -> None:
    """Raise ReplayError when the baseline no longer reproduces its golden. Whatever did that, it was not this patch."""
    if deltas:
        places = ", ".join(f"{delta.case}/{delta.step}" for delta in deltas[:10])
        more = f" and {len(deltas) - 10} more" if len(deltas) > 10 else ""
        raise ReplayError(
            f"the baseline no longer reproduces its kept golden at {places}{more}: something other than this patch changed",
            next_step="Look at those steps for a date, a service or a file of the machine; then record anew: gate capture --fresh",
        )
