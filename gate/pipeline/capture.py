"""Recording the golden of a baseline."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gate.config.model import Project
from gate.pipeline.events import Listener
from gate.pipeline.golden import golden, golden_key
from gate.pipeline.inputs import read_inputs
from gate.pipeline.stage import stage
from gate.replay.build import read_source
from gate.replay.sandbox import SandboxMode
from gate.replay.store import Run, write_run


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """A golden that is kept."""

    file: Path
    """The trace of its first run."""
    runs: tuple[Run, ...]


def capture(
    project: Project,
    baseline: Path,
    *,
    workers: int | None,
    fresh: bool,
    listen: Listener,
    sandbox: SandboxMode = "off",
) -> Captured:
    """Replay the baseline and keep its golden; with `fresh` whatever was kept of it before is dropped first. Raises GateError."""
    inputs = read_inputs(project)
    source = read_source("baseline", baseline)
    with stage(inputs, {"baseline": source}, workers=workers, sandbox=sandbox, listen=listen) as sides:
        if fresh:
            sides.store.forget_golden(golden_key(inputs, sides))
        runs, _ = golden(inputs, sides)
        file = sides.run_folder / "golden.jsonl"
        write_run(file, inputs.header(source), runs[0])
        return Captured(file=file, runs=runs)
