"""`gate seal`: the sealed task for an agent, before it starts."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.options import ProjectOption
from gate.console import judging, put, say

if TYPE_CHECKING:
    from gate.pipeline.events import Event
    from gate.pipeline.seal import Seal


class SealFormat(StrEnum):
    """How the sealed task is written."""

    MARKDOWN = "markdown"
    JSON = "json"


BaseOption = Annotated[
    str, typer.Option("--base", help="The commit on which the agent starts; the judge is read from it.")
]
OutOption = Annotated[
    Path | None, typer.Option("--out", dir_okay=False, help="Write to this file.", show_default="standard output")
]
SealFormatOption = Annotated[SealFormat, typer.Option("--format", help="markdown for a reader, json for a program.")]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("seal")(seal)


def seal(
    project: ProjectOption = Path(),
    base: BaseOption = "HEAD",
    out: OutOption = None,
    format: SealFormatOption = SealFormat.MARKDOWN,  # noqa: A002 - the option's name
) -> None:
    """Write what an agent is told of its judge: invariants in words, forbidden paths, digests, and the command that judges.

    Nothing is run, and nothing of the work tree is read. A judge whose pins do not hold is exit code 2.
    """
    from gate.files import write_atomically
    from gate.pipeline.seal import render_json, render_markdown

    with judging():
        sealed = _sealed(project, base)
        text = render_json(sealed) if format is SealFormat.JSON else render_markdown(sealed)
        for name in sealed.unstated:
            say(f"warning: property {name} does not say in words what it states: give its file a docstring")
        if out is None:
            put(text)
        else:
            write_atomically(out, f"{text}\n".encode())
            say(f"wrote {out}")


def _sealed(root: Path, base: str) -> Seal:
    from gate.pipeline.integrity import CONTROL_GLOBS, judge_paths
    from gate.pipeline.refs import Commits, trees_of_commits
    from gate.pipeline.seal import seal as sealed_task
    from gate.replay.refs import commit_of, repository_root

    here = root.resolve()
    repository = repository_root(here).resolve()
    commit = commit_of(repository, base)
    with trees_of_commits(here, Commits(base=commit), listen=_told) as (project, _):
        return sealed_task(
            project,
            base=commit,
            inside=here.relative_to(repository),
            judge=judge_paths(project),
            control=(*CONTROL_GLOBS, "**/.gitattributes", "**/.gitignore"),
        )


def _told(event: Event) -> None:
    from gate.pipeline.events import Remark

    if isinstance(event, Remark):
        say(event.text)
