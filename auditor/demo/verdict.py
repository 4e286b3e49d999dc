"""What the gate says about the demo's patch. The only place of the demo that calls the gate."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from pathlib import Path

from gate import api


def judge(folder: Path, candidate: str, *, width: int, colour: bool) -> api.Outcome:
    """Pin the judge of the demo project in `folder` as it stands, then replay both builds and judge the patch in `candidate`.

    Raises GateError when the gate can give no verdict.
    """
    api.pin(folder)
    return api.run(folder, folder / "baseline", folder / candidate, width=width, colour=colour)


def next_commands() -> tuple[tuple[str, ...], ...]:
    """Commands worth trying next inside the demo folder, each as its words. They end in exit codes 1, 1 and 3 on the shipped files."""
    gate = _gate()
    return (
        (*gate, "run", "--baseline", "baseline", "--candidate", "candidate"),
        (*gate, "diff", "golden.trace", "patched.trace", "gate/policy.json"),
        (*gate, "vote", "--baseline", "baseline", "--candidate", "mended"),
    )


def _gate() -> tuple[str, ...]:
    """How this installation's gate is called from a shell: by name where the name finds it, else by path, else as a module."""
    script = Path(sysconfig.get_path("scripts")) / "gate"
    if not script.is_file():
        return (sys.executable, "-m", "gate")
    found = shutil.which("gate")
    return ("gate",) if found is not None and Path(found).samefile(script) else (str(script),)
