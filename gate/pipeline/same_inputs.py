"""Whether what is to be replayed is what a recorded run was about: an answer would else speak of something else."""

from __future__ import annotations

from collections.abc import Mapping

from gate.errors import ReplayError
from gate.pipeline.inputs import Inputs
from gate.replay.build import SideName
from gate.report.scorecard import Digests


def require_same(
    digests: Digests, inputs: Inputs, trees: Mapping[SideName, str], *, properties: bool, next_step: str
) -> None:
    """Raise ReplayError with the first digest that is another one than the run's. `properties`: whether theirs counts, too."""
    pairs = (
        ("baseline", digests.baseline, trees["baseline"]),
        ("candidate", digests.candidate, trees["candidate"]),
        ("corpus", digests.corpus, inputs.judge.corpus),
        ("fixtures", digests.fixtures, inputs.judge.pack.digest),
        ("noise", digests.noise, inputs.judge.noise),
        *((("properties", digests.properties, inputs.judge.properties),) if properties else ()),
    )
    for name, recorded, now in pairs:
        if recorded != now:
            raise ReplayError(f"{name}: expected that of the run ({recorded}), got {now}", next_step=next_step)
