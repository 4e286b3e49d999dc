"""`auditor demo`: a toy project whose patch comes with green tests, and what the gate says about it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from gate.api import finish, in_colour, judging, put, report_width, say

SIDES = ("baseline", "candidate", "mended")

_FIRST = """\
Exit code {code}. Nine tests are green on both builds, and yet: four steps do what nobody asked for, and the property retry_cap fails,
the same way each time: the patch gives a busy remote one attempt too many. The corpus never pushes, so no replay could show it.
The property list_order asks for an order that nobody promised and draws its keys past Hypothesis, so it passes and fails on one and the
same build. Such an oracle proves nothing: it has no vote until a person repairs it (gate freeze list, gate repair).
"""

_SECOND = """\
Exit code {code}. In `mended` the patch does only what it was meant to do. Every check agrees or is allowed and the other properties pass,
but list_order is frozen. An abstention is never hidden inside a 0.
"""

_NEXT = """\
The demo project is in {folder}. To go on from here:
  cd {folder}
{commands}
Then allow one more change in gate/policy.json, or mend the candidate, and run the gate again."""


def demo(
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="The folder to copy the project into.")] = Path(
        "auditor-demo"
    ),
    force: Annotated[
        bool, typer.Option("--force", help="Put the shipped files back into a former demo that was edited.")
    ] = False,
) -> None:
    """Set up a toy project, run its tests on each build, and let the gate judge the patch, then the patch with its side effects mended.

    An edited former demo is left alone: the next free name (DIR-2, DIR-3, …) is taken. Ends with the gate's exit code for the
    patch, which is 1.
    """
    from auditor.demo.folder import set_up
    from auditor.demo.suite import green_tests
    from auditor.demo.verdict import judge, next_commands

    with judging():
        folder = set_up(into, force=force)
        if folder != into.absolute():
            say(f"{into} was edited and stays as it is; the demo goes into {_shown(folder)}")
        for side in SIDES:
            put(f"{side}: {green_tests(folder / side, folder / 'tests' / 'test_kv.py')} tests green")
        outcome = judge(folder, "candidate", width=report_width(), colour=in_colour())
        put(f"\n{outcome.report}\n\n{_FIRST.format(code=int(outcome.exit_code))}")
        mended = judge(folder, "mended", width=report_width(), colour=in_colour())
        put(f"{mended.report}\n\n{_SECOND.format(code=int(mended.exit_code))}")
    commands = "\n".join(f"  {shlex.join(words)}" for words in next_commands())
    put(_NEXT.format(folder=shlex.quote(_shown(folder)), commands=commands))
    raise finish(outcome.exit_code)


def _shown(folder: Path) -> str:
    """The folder as a person in the current directory would type it."""
    here = Path.cwd()
    return str(folder.relative_to(here) if folder.is_relative_to(here) else folder)
