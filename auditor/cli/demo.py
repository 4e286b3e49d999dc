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

_DRAFTS = """\
How does a step become allowed? In {unreviewed} the same patch stands before a policy that allows nothing: all six steps are flagged.
From what INTENT.md says the auditor drafts, offline, which of them are meant, and why retry_cap fails. Drafts have no vote:
"""

_REVIEW = """\
A person decides. Accept, edit or reject each draft, then see what that changes; accept d2 and d3, and the same two steps are allowed:
  cd {unreviewed}
{commands}
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

    Between the two it drafts, offline, what a reviewer would look at: which differences are intended, and why a property fails.
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
        _draft(folder)
        mended = judge(folder, "mended", width=report_width(), colour=in_colour())
        put(f"{mended.report}\n\n{_SECOND.format(code=int(mended.exit_code))}")
    put(_NEXT.format(folder=shlex.quote(_shown(folder)), commands=_listed(next_commands())))
    raise finish(outcome.exit_code)


def _draft(folder: Path) -> None:
    """Draft of the patch, and tell it. A fault of drafting is told, and no verdict waits for it."""
    from auditor.cli.drafted import advising, kept, lines_of, titled
    from auditor.demo.folder import UNREVIEWED
    from auditor.demo.verdict import review_commands

    unreviewed = folder / UNREVIEWED
    with advising():
        from auditor.demo.drafts import suggestions_of
        from auditor.suggestions.plain import fold

        made = suggestions_of(folder)
        place = shlex.quote(_shown(unreviewed))
        put(_DRAFTS.format(unreviewed=place))
        for suggestion in made:
            _, held = kept(unreviewed, suggestion)
            folded = ("\n      ".join(fold(line, report_width() - 6)) for line in lines_of(held))
            put("\n".join([titled(held), *(f"  {line}" for line in folded), ""]))
        put(_REVIEW.format(unreviewed=place, commands=_listed(review_commands())))


def _listed(commands: tuple[tuple[str, ...], ...]) -> str:
    return "\n".join(f"  {shlex.join(words)}" for words in commands)


def _shown(folder: Path) -> str:
    """The folder as a person in the current directory would type it."""
    here = Path.cwd()
    return str(folder.relative_to(here) if folder.is_relative_to(here) else folder)
