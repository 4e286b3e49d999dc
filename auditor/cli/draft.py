"""`auditor draft`: suggestions for a person to review, from what a run of the gate left. Nothing here moves a verdict."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.api import judging, put, say

if TYPE_CHECKING:
    from auditor.drafting.drafter import Desk
    from auditor.suggestions.model import AnySuggestion, Draft

ProjectOption = Annotated[Path, typer.Option("--project", metavar="DIR", help="The folder that holds gate.toml.")]
RunOption = Annotated[
    Path | None, typer.Option("--run", metavar="DIR", help="The recorded run.", show_default=".gate/latest")
]
ModelOption = Annotated[
    str | None,
    typer.Option("--model", help="The model to ask; `offline` asks none.", show_default="auditor.toml's, else offline"),
]
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
    with judging():
        desk = _desk(project, run, model, dry_run=dry_run)
        if golden:
            _kept(project, desk.golden())
            return
        text, path = _intent(project, intent, base, head)
        _kept(project, desk.policy(text, intent_path=path))


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
    with judging():
        _kept(project, _desk(project, run, model, dry_run=dry_run).hypotheses(subject, candidate=candidate))


def wording(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The frozen property.")],
    *,
    project: ProjectOption = Path(),
    run: RunOption = None,
    model: ModelOption = None,
    dry_run: DryRunOption = False,
) -> None:
    """A second draft of a frozen property's statement. Words, and no vote."""
    with judging():
        _kept(project, _desk(project, run, model, dry_run=dry_run).wording(name))


def _desk(project: Path, run: Path | None, model: str | None, *, dry_run: bool) -> Desk:
    from auditor.drafting.drafter import Desk
    from auditor.drafting.request import Request, dry_run_text
    from auditor.service.settings import load_settings

    def show(request: Request) -> None:
        put(dry_run_text(request.messages).rstrip("\n"))

    settings = load_settings(project, os.environ, model=model)
    return Desk(root=project, run=run, settings=settings, show=show if dry_run else None)


def _intent(project: Path, file: Path | None, base: str | None, head: str | None) -> tuple[str, str | None]:
    """The stated intent, and where it can be read again."""
    from auditor.errors import AuditorError
    from gate import api

    if (file is None) == (base is None or head is None):
        raise AuditorError(
            "expected one statement of intent",
            next_step="Name a file with --intent, or two commits with --base and --head.",
        )
    if file is None:
        return api.intent(project, str(base), str(head)), None
    try:
        text = file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise AuditorError(
            f"{file}: expected a text in UTF-8, got: {error}", next_step="Name a file that can be read."
        ) from None
    place, root = file.resolve(), project.resolve()
    return text, place.relative_to(root).as_posix() if place.is_relative_to(root) else None


def _kept(project: Path, suggestion: AnySuggestion | None) -> None:
    from auditor.suggestions.plain import plain
    from auditor.suggestions.store import keep

    if suggestion is None:
        return
    file = keep(project, suggestion)
    for item in suggestion.items:
        put(plain(f"{item.id}: {_line(item.draft)}"))
    for refused in suggestion.rejected:
        put(plain(f"not taken: {refused.key}: {refused.why}"))
    say(f"wrote {file}; look at it: auditor suggestions show {suggestion.id}, decide: auditor review {suggestion.id}")


def _line(draft: Draft) -> str:
    """One line of a draft: what it says, in a few words."""
    from auditor.drafting.values import Classified, Guarded, Hypothesis

    match draft:
        case Classified():
            quote = f' ("{draft.quote}")' if draft.quote else ""
            return f"{draft.kind}{quote}: {draft.reason}"
        case Hypothesis():
            return f"{draft.mechanism}: {draft.claim} Experiment {draft.experiment}."
        case Guarded():
            return f"{draft.command} {draft.field}: {draft.promise}: {draft.reason}"
        case _:
            return draft.statement
