"""Showing that a patch of the judge does not change the program: its files could be ones that the program reads."""

from __future__ import annotations

from pathlib import Path

from gate.config.model import Project
from gate.diff.findings import Comparison, Delta, Unstable
from gate.errors import CorpusError, DriftError, FixtureError, IntegrityError, PinsError
from gate.pipeline.events import Listener, Remark
from gate.pipeline.inputs import Inputs, read_inputs
from gate.pipeline.observe import observe
from gate.pipeline.stage import stage
from gate.replay.build import SideName, Source, read_source
from gate.replay.sandbox import SandboxMode


def require_indifferent(
    old: Project,
    new: Project,
    *,
    base: Path,
    head: Path,
    workers: int | None,
    listen: Listener,
    sandbox: SandboxMode = "off",
) -> None:
    """Raise IntegrityError unless the program does the same in the tree `head`, which brings the new judge, as in the tree `base`.

    A module or a plugin among the new fixtures would change what the program does, and no later patch would show it: both of its
    sides would have it. Held by the old judge, which the patch cannot choose, without its policy; where the old judge cannot be used,
    by the new one. What wavers in `base` already is not this patch's.
    """
    inputs = _inputs(old, new, listen)
    sources: dict[SideName, Source] = {
        "baseline": read_source("baseline", base),
        "candidate": read_source("candidate", head),
    }
    with stage(inputs, sources, workers=workers, sandbox=sandbox, listen=listen) as sides:
        comparison = observe(inputs, sides).compare(inputs.noise)
        folder = sides.run_folder
    if found := different(comparison):
        first = found[0]
        raise IntegrityError(
            f"the patch changes files of the judge alone, and the program behaves differently with them: case {first.case}, "
            f"step {first.step} ({first.command}), {len(found)} in all",
            next_step=f"Give the judge's files names and folders that the program does not read; both traces are in {folder}.",
        )


def different(comparison: Comparison) -> tuple[Delta | Unstable, ...]:
    """What the candidate does otherwise: deltas, and checks that waver only there."""
    return (*comparison.deltas, *(check for check in comparison.unstable if check.side == "candidate"))


def _inputs(old: Project, new: Project, listen: Listener) -> Inputs:
    try:
        return read_inputs(old)
    except (CorpusError, DriftError, FixtureError, PinsError):
        listen(Remark(text="note: the base's own judge does not hold; the program is replayed under the new one"))
        return read_inputs(new)
