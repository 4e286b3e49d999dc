"""The place of one run: a claimed slot with the fixtures laid, an engine, and a folder for what the run writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from gate.pipeline.events import Listener, Remark
from gate.pipeline.inputs import Inputs
from gate.pipeline.sides import Sides
from gate.replay.build import SideName, Source
from gate.replay.engine import LocalEngine
from gate.replay.fixtures import lay_template
from gate.replay.sandbox import Sandbox, SandboxMode, find_sandbox
from gate.replay.sandbox_hidden import hidden_folders
from gate.replay.slot import Slot, claim_slot
from gate.replay.store import LocalStore


@contextmanager
def stage(
    inputs: Inputs,
    sources: Mapping[SideName, Source],
    *,
    workers: int | None,
    listen: Listener,
    sandbox: SandboxMode = "off",
) -> Iterator[Sides]:
    """Both sides, ready to be replayed while the block runs. Afterwards the slot is empty and nothing of it is running.

    Raises SandboxError where one is required and none works.
    """
    project = inputs.project
    walls = find_sandbox(sandbox)
    if sandbox == "auto" and not walls.active:
        listen(Remark(text=f"note: no sandbox, builds and steps run with your rights: {walls.why}"))
    store = LocalStore(root=project.state)
    with claim_slot(project.state.parent) as slot:
        places = (project.state.parent, project.root, *(source.tree for source in sources.values()))
        walls = _apart(walls, places, slot, listen)
        with LocalEngine(workers=workers, sandbox=walls) as engine:
            lay_template(project.fixtures, inputs.judge.pack, slot)
            yield Sides(
                project=project,
                sources=sources,
                slot=slot,
                engine=engine,
                sandbox=walls,
                store=store,
                run_folder=store.new_run(),
                listen=listen,
            )


def _apart(walls: Sandbox, places: Iterable[Path], slot: Slot, listen: Listener) -> Sandbox:
    """The sandbox, with everything hidden in which a side could find the other one."""
    if not walls.active:
        return walls
    hidden, left_open = hidden_folders(places)
    for folder in left_open:
        listen(
            Remark(
                text=f"note: the sandbox cannot hide {folder}, which holds what programs need: a build can read there"
            )
        )
    return replace(walls, hidden=(*hidden, slot.root.parents[1]))
