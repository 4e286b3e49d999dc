"""What the gate says about the demo's patch. The only place of the demo that calls the gate."""

from __future__ import annotations

from pathlib import Path

from auditor.errors import DemoError
from gate import api
from gate.errors import GateError


def judge(folder: Path, *, width: int, colour: bool) -> api.Outcome:
    """Pin the judge of the demo project in `folder` as it stands, then replay both builds and judge the patch.

    Raises DemoError when the gate can give no verdict.
    """
    try:
        api.pin(folder)
        return api.run(folder, folder / "baseline", folder / "candidate", width=width, colour=colour)
    except GateError as error:
        raise DemoError(error.what, next_step=error.next_step) from error


def next_commands() -> tuple[tuple[str, ...], ...]:
    """Commands worth trying next inside the demo folder, each as its words. Both end in exit code 1 on the shipped files."""
    return (
        ("gate", "run", "--baseline", "baseline", "--candidate", "candidate"),
        ("gate", "diff", "golden.trace", "patched.trace", "gate/policy.json"),
    )
