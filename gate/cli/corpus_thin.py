"""`gate corpus thin`: set aside the drawn cases that do what another case does."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.corpus_file import WHOLE
from gate.cli.options import Format, FormatOption, ProjectOption, SandboxOption, WorkersOption
from gate.console import judging, put, say
from gate.counted import counted

if TYPE_CHECKING:
    from gate.config.model import Project
    from gate.pipeline.corpus_thin import Thinning


def thin(
    *,
    baseline: Annotated[Path | None, typer.Option(help="The build to run the cases on.")] = None,
    base: Annotated[str | None, typer.Option(help="The commit whose tree to run them on.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go; write nothing.")] = False,
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help="Run what was thinned before as well: what behaves otherwise now comes back into the corpus.",
        ),
    ] = False,
    project: ProjectOption = Path(),
    workers: WorkersOption = None,
    sandbox: SandboxOption = "auto",
    format: FormatOption = Format.TEXT,  # noqa: A002 - the option's name
) -> None:
    """Of drawn cases that do the same on the baseline in every field of every step, keep the shortest, and set the others aside.

    A hand-written case stays always, and so does one that alone covers something. A case that is set aside is no longer compared.
    """
    from gate.cli.progress import progress
    from gate.config.load import load_project
    from gate.errors import ConfigError
    from gate.pipeline.corpus_thin import thin_corpus, thin_corpus_at_commit

    with judging(interrupted=WHOLE):
        if (baseline is None) == (base is None):
            raise ConfigError(
                f"expected one baseline, got {'none' if base is None else 'two'}",
                next_step="Name the build with --baseline, or the commit with --base.",
            )
        audited = load_project(project)
        with progress() as listen:
            if baseline is not None:
                done = thin_corpus(
                    audited,
                    baseline,
                    dry_run=dry_run,
                    again=again,
                    workers=workers,
                    sandbox=sandbox,
                    listen=listen,
                )
            else:
                done = thin_corpus_at_commit(
                    audited,
                    str(base),
                    dry_run=dry_run,
                    again=again,
                    workers=workers,
                    sandbox=sandbox,
                    listen=listen,
                )
    if format is Format.JSON:
        put(_json(done))
    else:
        for line in _lines(done, dry_run=dry_run):
            put(line)
    _tell_written(audited, done)


def _lines(done: Thinning, *, dry_run: bool) -> Iterable[str]:
    for each in done.dropped:
        yield f"{'would drop' if dry_run else 'dropped'} {each.case}: it behaves like {each.like}"
    for case in done.returned:
        yield f"{'would keep' if dry_run else 'kept'} {case}: it was thinned before, and is needed now"
    went, stay = len(done.dropped), done.alike - len(done.dropped)
    verb = "would go" if dry_run else "went"
    yield f"{counted(done.alike, 'case')} do what another one does, in {done.runs} runs of the baseline: {went} {verb}, {stay} stay"
    yield f"{counted(done.kept, 'case')} {'would be ' if dry_run else ''}left in the corpus"


def _json(done: Thinning) -> str:
    import msgspec

    from gate.corpus.format import ascii_line

    return ascii_line(msgspec.json.encode({"version": 1, **msgspec.to_builtins(done)})).decode("ascii")


def _tell_written(project: Project, done: Thinning) -> None:
    if not done.changed:
        say("nothing was written")
        return
    say(f"wrote the corpus and what is set aside of it, in {project.config.folder}/")
    if project.pins_file.exists():
        say("The pins no longer hold: renew them in a commit of its own: gate pin")
