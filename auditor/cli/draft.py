"""`auditor draft`: suggestions for a person to review, from what a run of the gate left. Nothing here moves a verdict."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.api import judging, put, say

if TYPE_CHECKING:
    from auditor.drafting.drafter import Desk
    from auditor.suggestions.model import AnySuggestion

ProjectOption = Annotated[Path, typer.Option("--project", metavar="DIR", help="The folder that holds gate.toml.")]
RunOption = Annotated[
    Path | None, typer.Option("--run", metavar="DIR", help="The recorded run.", show_default=".gate/latest")
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        envvar="AUDITOR_MODEL",
        help="The model to ask; `offline` asks none.",
        show_default="auditor.toml's, else offline",
    ),
]
_INTERRUPTED = "what was not drafted can be drafted again, and no verdict moved"

DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Print the exact request, and send and write nothing.")]


def register(app: typer.Typer) -> None:
    """Add the group `auditor draft` to `app`."""
    group = typer.Typer(no_args_is_help=True, help="Draft suggestions from what a run of the gate left.")
    group.command("policy")(policy)
    group.command("hypotheses")(hypotheses)
    group.command("wording")(wording)
    app.add_typer(group, name="draft")


def policy(
    *,
    intent: Annotated[
        Path | None, typer.Option(help="The file that says what the patch is meant to do.", dir_okay=False)
    ] = None,
    base: Annotated[
        str | None, typer.Option(help="With --head: the commit messages between the two are the intent.")
    ] = None,
    head: Annotated[str | None, typer.Option(help="The commit with the patch.")] = None,
    golden: Annotated[
        bool, typer.Option("--golden", help="Say what the golden trace promises; no intent is needed.")
    ] = False,
    project: ProjectOption = Path(),
    run: RunOption = None,
    model: ModelOption = None,
    dry_run: DryRunOption = False,
) -> None:
    """Sort what is flagged into intent and collateral, each with a quote of the stated intent or none."""
    from auditor.cli.drafted import intent_of

    with judging(interrupted=_INTERRUPTED):
        desk = _desk(project, run, model, dry_run=dry_run)
        if golden:
            _told(desk, desk.golden())
            return
        text, path = intent_of(project, intent, base, head)
        _told(desk, desk.policy(text, intent_path=path, commits=(base, head)))


def hypotheses(
    subject: Annotated[
        str | None,
        typer.Argument(metavar="[SUBJECT]", help="`property NAME` or `group d3`; by default the first failure."),
    ] = None,
    *,
    candidate: Annotated[
        Path | None,
        typer.Option(help="The build with the patch, to look up files that the log names.", file_okay=False),
    ] = None,
    project: ProjectOption = Path(),
    run: RunOption = None,
    model: ModelOption = None,
    dry_run: DryRunOption = False,
) -> None:
    """Three different mechanisms that could cause a stable failure, each with evidence and an experiment."""
    with judging(interrupted=_INTERRUPTED):
        desk = _desk(project, run, model, dry_run=dry_run)
        _told(desk, desk.hypotheses(subject, candidate=candidate))


def wording(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The frozen property.")],
    *,
    project: ProjectOption = Path(),
    run: RunOption = None,
    model: ModelOption = None,
    dry_run: DryRunOption = False,
) -> None:
    """A second draft of a frozen property's statement. Words, and no vote."""
    with judging(interrupted=_INTERRUPTED):
        desk = _desk(project, run, model, dry_run=dry_run)
        _told(desk, desk.wording(name))


def _desk(project: Path, run: Path | None, model: str | None, *, dry_run: bool) -> Desk:
    from auditor.drafting.drafter import Desk
    from auditor.drafting.request import Request, dry_run_text
    from auditor.service.settings import load_settings
    from auditor.suggestions.plain import plain

    def show(request: Request) -> None:
        put(dry_run_text(request.messages).rstrip("\n"))

    settings = load_settings(project, os.environ, model=model)
    for remark in settings.remarks:
        say(plain(remark))
    return Desk(root=project, run=run, settings=settings, show=show if dry_run else None)


def _told(desk: Desk, suggestion: AnySuggestion | None) -> None:
    """Keep a suggestion, and tell what it says and how to go on; None, after a dry run: nothing."""
    from auditor.cli.drafted import decided_lines, kept, lines_of

    if suggestion is None:
        return
    file, held = kept(desk.root, suggestion)
    for line in (*lines_of(held), *decided_lines(desk.root, desk.run, held)):
        put(line)
    say(f"wrote {file}; look at it: auditor suggestions show {held.id}, decide: auditor review {held.id}")
