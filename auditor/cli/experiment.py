"""`auditor experiment`: run what a hypothesis asks for, and keep what was seen beside it. Nothing is judged."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from auditor.cli.draft import ProjectOption
from auditor.cli.suggestions import Format, FormatOption
from gate import api
from gate.api import judging, put, say

if TYPE_CHECKING:
    from auditor.drafting.experimenter import Done

_INTERRUPTED = "what was seen before is kept beside its hypothesis"


def experiment(
    suggestion: Annotated[str, typer.Argument(metavar="SUGGESTION", help="The id of a suggestion of hypotheses.")],
    item: Annotated[
        str | None,
        typer.Argument(metavar="[ITEM]", help="h1, h2 or h3; by default each whose experiment was not run yet."),
    ] = None,
    *,
    baseline: Annotated[
        Path | None, typer.Option(help="The build before the patch.", show_default="as for the run")
    ] = None,
    candidate: Annotated[Path | None, typer.Option(help="The build with the patch.")] = None,
    base: Annotated[str | None, typer.Option(help="The commit before the patch; the judge is read from it.")] = None,
    head: Annotated[str | None, typer.Option(help="The commit with the patch.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Run it also where an outcome is kept already.")] = False,
    project: ProjectOption = Path(),
    run: Annotated[
        Path | None,
        typer.Option(
            "--run", metavar="DIR", help="The recorded run.", show_default="the newest that the suggestion speaks of"
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="Processes that replay.", show_default="one a core"),
    ] = None,
    sandbox: Annotated[
        Literal["auto", "require", "off"],
        typer.Option(
            "--sandbox",
            help="auto: where there is one; require: exit code 2 without one; off: builds and steps run with your rights.",
        ),
    ] = "auto",
    form: FormatOption = Format.TEXT,
) -> None:
    """Run the experiments that hypotheses chose, on the two builds of their run, and keep what was seen beside them.

    Ends in 0 when they ran, whatever they showed: an experiment explains, and is no ballot. Ends in 2 when one could not be run; what
    was seen before that stays kept.
    """
    from auditor.cli.progress import progress
    from auditor.drafting.drafter import Desk
    from auditor.drafting.experimenter import Experimenter
    from auditor.review.clock import now
    from auditor.service.settings import OFFLINE, load_settings

    with judging(interrupted=_INTERRUPTED):
        api.refuse_privileged_event(os.environ)
        named = _named((baseline, candidate), (base, head))
        run = _run_of(project, suggestion, item, run)
        desk = Desk(root=project, run=run, settings=load_settings(project, os.environ, model=OFFLINE))
        experimenter = Experimenter(
            root=project,
            run=run,
            sides=named or api.made_from(project, run),
            workers=workers,
            sandbox=sandbox,
            progress=progress,
            redactor=desk.redactor,
            now=now,
        )
        done = _told(experimenter.run_for(suggestion, item, again=again), form)
        if form is Format.JSON:
            put(_json(suggestion, done))


def _named(
    folders: tuple[Path | None, Path | None], commits: tuple[str | None, str | None]
) -> api.Trees | api.Commits | None:
    """The two builds that were named; None where none was. Raises GateError for a combination that means nothing."""
    if all(side is None for side in (*folders, *commits)):
        return None
    return api.asked(folders, commits, against_itself=None)


def _run_of(project: Path, suggestion: str, item: str | None, run: Path | None) -> Path | None:
    """The run that was named; else the one that the suggestion speaks of, which is told where it is not the latest."""
    from auditor.drafting.experiment_run import run_of
    from auditor.drafting.experimenter import items_of
    from auditor.suggestions.store import read_suggestion

    held = read_suggestion(project, suggestion).suggestion
    items_of(held, item)
    found = run_of(project, held) if run is None else None
    if found is not None:
        say(f"{held.id} speaks of {_plain(str(found))}, which is not the latest run")
    return found or run


def _told(outcomes: Iterable[Done], form: Format) -> tuple[Done, ...]:
    """Each outcome, told as soon as it is there: whoever interrupts the next has seen it."""
    done = []
    for one in outcomes:
        done.append(one)
        if one.already:
            say(f"{one.item.id}: ran before, at {_plain(one.ran.when)}; --again repeats it")
        if form is Format.TEXT:
            put("\n".join(_lines(one)) + "\n")
    return tuple(done)


def _lines(one: Done) -> Iterator[str]:
    from auditor.drafting.experiments import words_of

    draft, ran = one.item.draft, one.ran
    yield _plain(f"{one.item.id} {draft.mechanism}: {draft.claim}")
    yield _plain(f"  {ran.experiment}: {words_of(one.experiment)}")
    reading, *seen = ran.words.split("\n")
    yield _plain(f"  {ran.outcome}: {reading}")
    yield from (_plain(f"    {line}") for line in seen)
    yield _plain(f"  expected if it holds: {draft.if_true}")
    yield _plain(f"  expected if not: {draft.if_false}")


def _json(suggestion: str, done: Iterable[Done]) -> str:
    import msgspec

    from auditor.suggestions.format import as_json

    told = [{**msgspec.to_builtins(one.ran), "already": one.already} for one in done]
    return as_json({"id": suggestion, "experiments": told}).rstrip("\n")


def _plain(text: str) -> str:
    from auditor.suggestions.plain import plain

    return plain(text)
