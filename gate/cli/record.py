"""`gate record`: cases from the invocations that a command makes while it runs."""

from __future__ import annotations

import os
import shlex
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.corpus_file import alone, existing, set_aside
from gate.cli.options import ProjectOption
from gate.console import judging, put, say
from gate.counted import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.config.model import Project
    from gate.corpus.merging import Merged
    from gate.domain import Case
    from gate.recording.cases import Made
    from gate.recording.records import Recording
    from gate.recording.subject import Subject

CommandArgument = Annotated[
    list[str],
    typer.Argument(metavar="-- COMMAND...", help="What is run and recorded: the project's tests, or a shell."),
]
ProgramOption = Annotated[
    str | None,
    typer.Option("--program", metavar="WORDS", help="How the program is started, where gate.toml does not say."),
]
IdOption = Annotated[str, typer.Option("--id", metavar="PREFIX", help="What the ids of the cases begin with.")]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Run the command, show what would be added; write nothing.")
]
_SHOWN = 20
_WELL = "exit status 0"


def record(
    command: CommandArgument,
    *,
    program: ProgramOption = None,
    id_: IdOption = "recorded",
    dry_run: DryRunOption = False,
    project: ProjectOption = Path(),
) -> None:
    """Run a command, and add the invocations of the program that it makes as hand-written cases.

    Ends in 0 when a case was added, in 2 when none was; how the command itself ended is told, and changes nothing.
    """
    from gate.config.load import load_project

    with judging(interrupted="nothing was added"):
        _require_prefix(id_)
        audited = load_project(project)
        subject = _subject(audited, program)
        existing(audited)  # one that cannot be read is told before the command runs
        with tempfile.TemporaryDirectory(prefix="gate-record-") as folder:
            recording, ending = _recorded(Path(folder), subject, command)
            with nullcontext() if dry_run else alone(audited):
                made = _made(audited, subject, recording, id_)
                result = _merged(audited, made)
                files = _needed(made, result)
                if result.added and not dry_run:
                    _write(audited, result, files)
    with judging():
        _show(recording, made, result, files, dry_run=dry_run)
        _require_added(recording, result, ending)
    if not dry_run:
        _tell_written(audited, files)


def _require_prefix(prefix: str) -> None:
    import re

    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}", prefix) or prefix == "d":
        raise typer.BadParameter(
            f"expected 1 to 80 letters, digits, `_`, `.`, `-`, and not `d`, got {prefix!a}", param_hint="--id"
        )


def _subject(project: Project, program: str | None) -> Subject:
    from gate.errors import ConfigError
    from gate.recording.subject import subject_of
    from gate.starter.manifest import read_manifest

    try:
        words = tuple(shlex.split(program)) if program is not None else ()
    except ValueError:
        words = ()
    if program is not None and not words:
        raise typer.BadParameter(f"expected words as a shell takes them, got {program!a}", param_hint="--program")
    if project.config.program.runner == "trace":
        raise ConfigError(
            "gate.toml: program.runner: expected exec, got trace: such a program gets no words to record",
            next_step="Write its cases: gate corpus add",
        )
    subject = subject_of(project, read_manifest(project.root).scripts, words)
    if subject is None:
        raise ConfigError(
            "gate.toml: expected the name of a program in program.argv, a [[command]] or a console script, got none",
            next_step="Say how it is started: gate record --program 'python -m NAME' -- COMMAND",
        )
    return subject


def _recorded(folder: Path, subject: Subject, command: Sequence[str]) -> tuple[Recording, str]:
    from gate.recording.records import read_recording
    from gate.recording.running import run_recorded
    from gate.recording.stage import lay_stage

    folder = folder.resolve()
    environment = lay_stage(folder, subject, os.environ)
    say(f"recording {', '.join(map(_shown, subject.wanted[:_SHOWN]))}{' …' if len(subject.wanted) > _SHOWN else ''}")
    ending = run_recorded(command, environment)
    say(f"the command ended: {ending}")
    return read_recording(folder), ending


def _made(project: Project, subject: Subject, recording: Recording, prefix: str) -> Made:
    from gate.recording.cases import made_of
    from gate.recording.pack import pack_contents
    from gate.recording.running import is_alive, own_homes

    return made_of(
        recording.invocations,
        root=str(subject.root),
        prefix=prefix,
        named=subject.named,
        content=recording.content,
        pack=pack_contents(project.fixtures),
        alive=is_alive,
        exists=os.path.lexists,
        homes=own_homes(),
    )


def _merged(project: Project, made: Made) -> Merged:
    """With the corpus as it stands now: the command may have changed it."""
    from gate.corpus.merging import merged

    return merged(existing(project), made.cases, aside=set_aside(project))


def _require_added(recording: Recording, result: Merged, ending: str) -> None:
    from gate.errors import CorpusError

    if result.added:
        return
    if recording.faults:
        raise CorpusError(
            f"{_failed(recording)}; expected a case that is new, got none",
            next_step="The fault is the recorder's, not the command's: report it. Cases are also written with: gate corpus add",
        )
    if not recording.invocations:
        failed = "" if ending == _WELL else f"; the command ended with {ending}"
        raise CorpusError(
            f"expected at least one invocation of the program, saw none{failed}",
            next_step=("See first why the command failed. Else say" if failed else "Say")
            + " how the command starts it: --program WORDS; docs/record.md has what is seen, and what is not.",
        )
    raise CorpusError("expected a case that is new, got none", next_step="The lines above say why.")


def _needed(made: Made, result: Merged) -> dict[str, bytes]:
    """The new files that an added case names, or finds by itself: all but those in the folder of a case that is there already."""
    told = b"\0".join(word for case in result.added for step in case.steps for word in step.argv)
    own = {path: "/".join(path.split("/")[:2]).encode() for path in made.files if path.startswith("recorded/")}
    return {path: data for path, data in made.files.items() if result.added and (path not in own or own[path] in told)}


def _show(recording: Recording, made: Made, result: Merged, files: dict[str, bytes], *, dry_run: bool) -> None:
    from gate.corpus.literal import case_lines
    from gate.diff.escape import escaped_name

    verb = "would add" if dry_run else "added"
    for case in result.added:
        put(f"{verb} {case.id}: {counted(len(case.steps), 'step')}: {_first(case)}")
        if dry_run:
            put("\n".join(list(case_lines(case))[1:]))
    for path in sorted(files):
        put(f"{verb} fixture {escaped_name(path)}")
    for left, other in (*result.known, *result.aside):
        put(f"there already: {left}{'' if left == other else f', as {other}'}")
    for reason, count in made.left:
        put(f"left out {counted(count, 'invocation')}: {reason}")
    if recording.damaged:
        put(f"left out {counted(recording.damaged, 'invocation')}: the record of it is damaged")
    _tell_limits(recording, made, result)
    put(_summary(recording, made, result, verb))


def _first(case: Case) -> str:
    from gate.corpus.literal import literal

    text = " ".join(map(literal, case.steps[0].argv)) or case.steps[0].command
    return text if len(text) <= 80 else text[:77] + "..."


def _tell_limits(recording: Recording, made: Made, result: Merged) -> None:
    terminals = sum(each.note == "terminal" for each in recording.invocations)
    if terminals:
        say(f"{counted(terminals, 'invocation')} had a terminal as standard input: their steps have an empty one")
    if made.variables:
        say(f"{counted(made.variables, 'variable')} with a path of this machine: their steps do without")
    if recording.faults and result.added:
        say(_failed(recording))


def _failed(recording: Recording) -> str:
    times = counted(len(recording.faults), "time")
    return f"the recorder itself failed {times}, first: {ascii(recording.faults[0])[1:-1]}"


def _summary(recording: Recording, made: Made, result: Merged, verb: str) -> str:
    left = sum(count for _, count in made.left) + recording.damaged
    seen = len(recording.invocations) + recording.damaged
    return (
        f"{counted(seen, 'invocation')}; {verb} {counted(len(result.added), 'case')} of "
        f"{counted(sum(len(case.steps) for case in result.added), 'step')}; {made.repeated} repeated; {left} left out"
    )


def _write(project: Project, result: Merged, files: dict[str, bytes]) -> None:
    from gate.corpus.format import write_corpus
    from gate.recording.pack import add_files, take_back

    if result.corpus is None:
        return
    add_files(project.fixtures, files)
    try:
        write_corpus(project.corpus_file, result.corpus)
    except BaseException:
        take_back(project.fixtures, [project.fixtures / name for name in files])
        raise


def _tell_written(project: Project, files: dict[str, bytes]) -> None:
    fixtures = f" and {counted(len(files), 'fixture')}" if files else ""
    say(f"wrote {project.corpus_file.relative_to(project.root)}{fixtures}")
    say("Next: gate corpus freeze --baseline . (sets aside what is not steady), then gate pin, in a commit of its own.")


def _shown(name: str) -> str:
    from gate.diff.escape import escaped_name

    return escaped_name(name)


def register(app: typer.Typer) -> None:
    """Add the command `record`."""
    app.command("record", no_args_is_help=True)(record)
