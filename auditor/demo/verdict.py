"""What the gate says about the demo's patch. The only place of the demo that calls the gate."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from pathlib import Path

from auditor.demo.folder import UNREVIEWED
from gate import api

_AS_MODULE = {
    "gate": (sys.executable, "-m", "gate"),
    "auditor": (sys.executable, "-c", "from auditor.cli.main import main; main()"),
}


def judge(folder: Path, candidate: str, *, width: int, colour: bool) -> api.Outcome:
    """Pin the judge of the demo project in `folder` as it stands, then replay both builds and judge the patch in `candidate`.

    Raises GateError when the gate can give no verdict.
    """
    api.pin(folder)
    sides = api.Trees(baseline=folder / "baseline", candidate=folder / candidate)
    return api.run(folder, sides, width=width, colour=colour)


def judge_unreviewed(folder: Path) -> api.Outcome:
    """As `judge`, of the patch in `candidate` by the project in `unreviewed`, whose policy allows nothing."""
    project = folder / UNREVIEWED
    api.pin(project)
    return api.run(project, api.Trees(baseline=folder / "baseline", candidate=folder / "candidate"))


def next_commands() -> tuple[tuple[str, ...], ...]:
    """Commands worth trying next inside the demo folder, each as its words. They end in exit codes 1, 1 and 3 on the shipped files."""
    gate = _program("gate")
    return (
        (*gate, "run", "--baseline", "baseline", "--candidate", "candidate"),
        (*gate, "diff", "golden.trace", "patched.trace", "gate/policy.json"),
        (*gate, "vote", "--baseline", "baseline", "--candidate", "mended"),
    )


def review_commands() -> tuple[tuple[str, ...], ...]:
    """Commands that go through the demo's suggestions inside the folder `unreviewed`, and judge anew: each as its words."""
    return (
        (*_program("auditor"), "review"),
        (*_program("gate"), "run", "--baseline", "../baseline", "--candidate", "../candidate"),
    )


def _program(name: str) -> tuple[str, ...]:
    """How this installation's program is called from a shell: by name where the name finds it, else by path, else as a module."""
    script = Path(sysconfig.get_path("scripts")) / name
    if not script.is_file():
        return _AS_MODULE[name]
    found = shutil.which(name)
    return (name,) if found is not None and Path(found).samefile(script) else (str(script),)
