"""The commands of `python -m evals` that read what is there and tell of it: runs side by side, and a team's decisions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from gate.api import judging, put, say

_LOST = "nothing was written"

Into = Annotated[
    Path | None,
    typer.Option(
        "--into", metavar="DIR", help="Write it there, too, as Markdown and HTML. By default it is printed alone."
    ),
]


def compare(
    runs: Annotated[
        list[Path], typer.Argument(metavar="A B...", help="The results of two runs or more, or their folders.")
    ],
    into: Into = None,
) -> None:
    """Compare runs in pairs with the first: the same samples, who was right where the other was not; then all figures side by side."""
    from evals.compared import compared
    from evals.reported import files_of
    from evals.results import read

    with judging(interrupted=_LOST):
        _tell(files_of(compared([read(path) for path in runs]), "compare"), into)


def decisions(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="A folder `suggestions`, or a project that has one.")
    ],
    into: Into = None,
) -> None:
    """Tell what people decided of drafts: how many were accepted, edited, rejected, by who drafted them.

    A file that cannot be read is named and not counted. If nothing was decided, the exit code is 2.
    """
    from evals.decided import decided
    from evals.decisions import read
    from evals.errors import EvalsError
    from evals.reported import files_of

    with judging(interrupted=_LOST):
        held = read(folders)
        _tell(files_of(decided(held), "decisions"), into)
        if not any(one.decided for one in held.made):
            raise EvalsError("expected decisions, found none", next_step="Review what is proposed: auditor review")


def _tell(files: Mapping[str, bytes], into: Path | None) -> None:
    """Print the Markdown, which is the first; write all of them where a folder is named."""
    from evals.written import write

    put(next(iter(files.values())).decode().rstrip("\n"))
    if into is not None:
        for name, data in files.items():
            write(into / name, data)
        say(f"written: {', '.join(str(into / name) for name in files)}")
