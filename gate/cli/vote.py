"""`gate vote` and `gate repair`: the ballots of the properties, and giving a frozen one its vote back."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.options import Format, FormatOption, ProjectOption, SandboxOption, WorkersOption
from gate.console import finish, judging, put, say
from gate.exit_codes import ExitCode

if TYPE_CHECKING:
    from gate.pipeline.repair import Repaired
    from gate.pipeline.vote import Vote

_ONE_BASELINE = "Name the build before the patch with --baseline, or its commit with --base."


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("vote")(vote)
    app.command("repair")(repair)


def vote(
    *,
    baseline: Annotated[Path | None, typer.Option(help="The build before the patch.")] = None,
    candidate: Annotated[Path | None, typer.Option(help="The build with the patch.")] = None,
    base: Annotated[str | None, typer.Option(help="The commit before the patch; the properties are its.")] = None,
    head: Annotated[str | None, typer.Option(help="The commit with the patch.")] = None,
    against_itself: Annotated[
        bool, typer.Option("--against-itself", help="Let the properties vote on the baseline.")
    ] = False,
    project: ProjectOption = Path(),
    workers: WorkersOption = None,
    sandbox: SandboxOption = "auto",
    format: FormatOption = Format.TEXT,  # noqa: A002 - the option's name
) -> None:
    """Let the properties vote on the candidate, and end in 0, 1, 2 or 3. The corpus is not replayed.

    A property that wavers is frozen: its name is written to freeze_set.json.
    """
    from gate.cli.sides import asked, voted
    from gate.pipeline.integrity import refuse_privileged_event

    with judging(of_patch=True):
        refuse_privileged_event(os.environ)
        sides = asked(folders=(baseline, candidate), commits=(base, head), against_itself=against_itself)
        done = voted(project, sides, workers=workers, sandbox=sandbox)
    put(_shown(done, json=format is Format.JSON))
    raise finish(done.exit_code)


def _shown(done: Vote, *, json: bool) -> str:
    from gate.console import in_colour, report_width
    from gate.report.votes import encode_votes
    from gate.report.votes_text import render_votes

    if json:
        return encode_votes(done.votes, done.exit_code)
    return render_votes(done.votes, done.exit_code, width=report_width(), colour=in_colour())


def repair(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The frozen property: its file is test_NAME.py.")],
    *,
    owner: Annotated[str, typer.Option(help="Who repaired it.")],
    note: Annotated[str, typer.Option(help="What was wrong with it.")],
    baseline: Annotated[Path | None, typer.Option(help="The build to run it on.")] = None,
    base: Annotated[str | None, typer.Option(help="The commit whose tree to run it on.")] = None,
    project: ProjectOption = Path(),
    workers: WorkersOption = None,
    sandbox: SandboxOption = "auto",
) -> None:
    """Run a repaired property ten times on the baseline; where all runs agree, write the evidence and give its vote back.

    Mend the property and pin it first. Runs that do not agree end in 3 and change nothing; a property that fails every time has
    its vote back and ends in 1.
    """
    from gate.cli.progress import progress
    from gate.config.load import load_project
    from gate.errors import ConfigError
    from gate.pipeline.repair import Repair, repair_at_commit
    from gate.pipeline.repair import repair as repair_at

    with judging():
        if (baseline is None) == (base is None):
            raise ConfigError(
                f"expected one baseline, got {'none' if base is None else 'two'}", next_step=_ONE_BASELINE
            )
        asked = Repair(name=name, owner=owner, note=note, today=datetime.now(UTC).date())
        loaded = load_project(project)
        with progress() as listen:
            if baseline is not None:
                done = repair_at(loaded, baseline, asked, workers=workers, sandbox=sandbox, listen=listen)
            else:
                done = repair_at_commit(loaded, str(base), asked, workers=workers, sandbox=sandbox, listen=listen)
    raise finish(_told(name, done))


def _told(name: str, done: Repaired) -> ExitCode:
    from gate.voting.tally import power_sentence

    if done.evidence is None:
        put(f"{name}: {done.why}; it stays frozen, and nothing was written")
        return ExitCode.ABSTAIN
    put(f"{name}: {done.ballot.reason}; it votes again")
    say(power_sentence(len(done.ballot.runs)))
    say(f"wrote {done.evidence}; commit it with the freeze set and the property, in a commit of the judge alone")
    if done.ballot.kind == "fail":
        say("It fails on the baseline in the same way every time: the next run will say so, whatever the patch does.")
        return ExitCode.STOP
    return ExitCode.CLEAN
