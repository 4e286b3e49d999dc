"""`auditor suggestions`: list, show and reject drafts, for people and for scripts. Nothing here accepts."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.cli.review import ProjectOption, ReviewerOption, RunOption
from gate.api import in_colour, judging, put, report_width, say

if TYPE_CHECKING:
    from auditor.review.look import Looked
    from auditor.review.screen import View
    from auditor.suggestions.model import AnySuggestion
    from auditor.suggestions.store import Listing


class Format(StrEnum):
    """How a result is given."""

    TEXT = "text"
    JSON = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="For a person, or for a program.")]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a suggestion.")]


def register(app: typer.Typer) -> None:
    """Add the group `auditor suggestions` to `app`."""
    group = typer.Typer(
        no_args_is_help=True, help="The drafts in suggestions/: list, show, reject. Accepting takes a person: review."
    )
    group.command("list")(list_all)
    group.command("show")(show)
    group.command("reject")(reject)
    app.add_typer(group, name="suggestions")


def list_all(project: ProjectOption = Path(), form: FormatOption = Format.TEXT) -> None:
    """List every suggestion: id, status, how many items are proposed, about what, by which model. Broken files are named."""
    from auditor.suggestions.format import as_json
    from auditor.suggestions.store import list_suggestions

    with judging(interrupted="nothing was accepted"):
        found = list_suggestions(project)
        if form is Format.JSON:
            put(as_json(_listed(found)).rstrip("\n"))
            return
        for stored in found.stored:
            put(_row(stored.suggestion))
        for broken in found.broken:
            say(f"broken: {broken.what}")
        if not found.stored and not found.broken:
            say("there is no suggestion; auditor draft --help says how to draft")


def show(
    suggestion: IdArgument, project: ProjectOption = Path(), run: RunOption = None, form: FormatOption = Format.TEXT
) -> None:
    """Show one suggestion with all its items, where it is from, and what was decided.

    What accepting would silence is asked of the gate, for the run. With `--format json`: the file as it stands, nothing of it checked
    anew.
    """
    from auditor.review import screen
    from auditor.suggestions.format import render
    from auditor.suggestions.store import read_suggestion

    with judging(interrupted="nothing was accepted"):
        held = read_suggestion(project, suggestion).suggestion
        if form is Format.JSON:
            put(render(held).decode("utf-8").rstrip("\n"))
            return
        width, colour = report_width(), in_colour()
        told = (screen.origin(held, width=width, colour=colour), screen.head(held, width=width, colour=colour))
        shown = (screen.listed(view, width=width, colour=colour) for view in _views(held, project, run))
        put("\n\n".join(text for text in (*told, *shown) if text))


def _views(held: AnySuggestion, project: Path, run: Path | None) -> Iterator[View]:
    from auditor.review.gate_door import GateDoor
    from auditor.review.look import look
    from auditor.review.screen import View

    for position, item in enumerate(held.items, start=1):
        looked = _hidden(held, project, run, look(GateDoor(project_root=project, run=run), project, held, item))
        yield View(
            position=position,
            total=len(held.items),
            suggestion=held,
            item=item,
            silenced=looked.silenced,
            unbound=looked.unbound,
            barriers=looked.barriers if item.status == "proposed" else (),
            own_reason=looked.own_reason,
            unverified=looked.unverified,
            stated=looked.stated,
            unheld=looked.unheld,
        )


def _hidden(held: AnySuggestion, project: Path, run: Path | None, looked: Looked) -> Looked:
    """What the gate said, without the secrets of the run: this output goes into logs. Numbers of placeholders are none of the draft's."""
    import os
    from dataclasses import replace

    from auditor.drafting.drafter import Desk
    from auditor.drafting.redact import Redactor, secrets_of
    from auditor.drafting.redact_values import clean_silenced
    from auditor.service.settings import OFFLINE, load_settings
    from auditor.suggestions.format import render

    if not looked.silenced:  # there may be no run to know secrets of
        return replace(looked, barriers=Redactor(secrets=secrets_of(os.environ)).apply_all(looked.barriers))
    settings = load_settings(project, os.environ, model=OFFLINE)
    redactor = Desk(root=project, run=run, settings=settings).redactor()
    redactor.learn((render(held).decode("utf-8"),))
    silenced = clean_silenced(redactor, looked.silenced)
    return replace(looked, silenced=silenced, barriers=redactor.apply_all(looked.barriers))


def reject(
    suggestion: IdArgument,
    *,
    why: Annotated[str, typer.Option("--why", help="The reason; kept with the suggestion.")],
    item: Annotated[str | None, typer.Option("--item", help="One item; by default all that are proposed.")] = None,
    project: ProjectOption = Path(),
    reviewer: ReviewerOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Reject what is proposed in one suggestion. No policy changes, and no verdict."""
    from auditor.review.reject import reject_items
    from auditor.suggestions.format import as_json

    with judging(interrupted="nothing was accepted"):
        gone = reject_items(project, suggestion, item=item, why=why, reviewer=reviewer)
        if form is Format.JSON:
            put(as_json({"id": suggestion, "rejected": list(gone)}).rstrip("\n"))
        else:
            put(f"{suggestion}: rejected {', '.join(gone)}")


def _listed(found: Listing) -> dict[str, object]:
    return {
        "suggestions": [_summary(stored.suggestion) for stored in found.stored],
        "broken": [{"file": broken.file, "what": broken.what} for broken in found.broken],
    }


def _summary(held: AnySuggestion) -> dict[str, object]:
    return {
        "id": held.id,
        "kind": held.kind,
        "status": held.status,
        "subject": held.subject,
        "model": held.provenance.model,
        "items": [{"id": item.id, "status": item.status} for item in held.items],
    }


def _row(held: AnySuggestion) -> str:
    from auditor.suggestions.plain import plain

    proposed = sum(item.status == "proposed" for item in held.items)
    return plain(
        f"{held.id}  {held.status}  {proposed} of {len(held.items)} proposed  {held.subject}  {held.provenance.model}"
    )
