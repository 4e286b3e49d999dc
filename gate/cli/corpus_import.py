"""`gate corpus import`: cases from the transcripts that a project's tests and documents already hold."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.corpus_file import WHOLE, alone, existing, keep, set_aside
from gate.cli.options import ProjectOption
from gate.console import judging, put
from gate.counted import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.config.model import Project
    from gate.corpus.merging import Merged
    from gate.corpus.transcripts.model import Reading, Refusal
    from gate.corpus.transcripts.reading import Transcript
    from gate.domain import Case

FilesArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...", help="cram or prysk .t, trycmd .trycmd or .toml, Markdown .md, JSON Lines .jsonl."
    ),
]
ProgramOption = Annotated[
    str, typer.Option("--program", metavar="NAME", help="How the transcripts call the program; may be several words.")
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show what would be imported; write nothing.")]


def import_(
    files: FilesArgument, program: ProgramOption, *, dry_run: DryRunOption = False, project: ProjectOption = Path()
) -> None:
    """Add hand-written cases from transcripts: every line that is exactly one invocation of the program becomes a step.

    Lists what is not imported, with file, line and reason. Ends in 0 when a case was imported, in 2 when none was.
    """
    from gate.config.load import load_project
    from gate.corpus.merging import merged
    from gate.replay.commands import require_words

    with judging(interrupted=WHOLE):
        audited = load_project(project)
        readings = _readings(audited, files, _words(program))
        read = tuple(case for reading in readings for case in reading.cases)
        refusals = tuple(refusal for reading in readings for refusal in reading.refusals)
        require_words(audited.config.program.argv, read)
        with nullcontext() if dry_run else alone(audited):
            result = merged(existing(audited), read, aside=set_aside(audited))
            if result.added and result.corpus is not None and not dry_run:
                keep(audited, result.corpus)
        _show(result, refusals, dry_run=dry_run)
        _require_some(result)


def _words(program: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(program))
    except ValueError:
        words = ()
    if not words or not all(word.isprintable() and word for word in words):
        raise typer.BadParameter(f"expected the program's name as a shell takes it, got {program!r}")
    return words


def _readings(project: Project, files: Sequence[Path], program: tuple[str, ...]) -> tuple[Reading, ...]:
    from gate.corpus.transcripts.reading import read_transcript

    def fixture(name: str) -> bytes | None:
        root = project.fixtures.resolve()
        path = (root / name).resolve()
        inside = path.is_relative_to(root) and not Path(name).is_absolute()
        return _whole(path) if inside and path.is_file() else None

    once = {path.resolve(): path for path in reversed(files)}
    wanted = [path for path in files if once[path.resolve()] is path]
    return tuple(read_transcript(_transcript(project, path), program=program, read=fixture) for path in wanted)


def _transcript(project: Project, path: Path) -> Transcript:
    """The label is the path from the project's root where it is inside, so that an id is the same from every folder."""
    from gate.corpus.transcripts.reading import Transcript

    resolved, root = path.resolve(), project.root.resolve()
    label = resolved.relative_to(root).as_posix() if resolved.is_relative_to(root) else path.name
    data = _bounded(path)
    beside = path.with_suffix(".stdin")
    return Transcript(
        name=ascii(str(path))[1:-1],
        label=label,
        data=data,
        stdin=_whole(beside) if path.suffix == ".toml" and beside.is_file() else None,
        folder=path.with_suffix(".in").is_dir(),
    )


def _bounded(path: Path) -> bytes:
    """The file, or one byte more than is ever read of it."""
    from gate.corpus.transcripts.plain_text import MOST_BYTES

    with path.open("rb") as stream:
        return stream.read(MOST_BYTES + 1)


def _whole(path: Path) -> bytes:
    """A file that becomes the standard input of a step."""
    from gate.corpus.transcripts.plain_text import MOST_BYTES
    from gate.errors import CorpusError

    data = _bounded(path)
    if len(data) > MOST_BYTES:
        raise CorpusError(
            f"{path}: expected a standard input of at most {MOST_BYTES // 1024 // 1024} MiB, got a larger file",
            next_step="Leave the transcript out, or make the file smaller.",
        )
    return data


def _show(result: Merged, refusals: Sequence[Refusal], *, dry_run: bool) -> None:
    from gate.corpus.literal import case_lines

    for case in result.added:
        put(f"{'would import' if dry_run else 'imported'} {case.id}: {counted(len(case.steps), 'step')}")
        if dry_run:
            put("\n".join(list(case_lines(case))[1:]))
    for told, pairs in (("there already", result.known), ("set aside", result.aside)):
        for left, other in pairs:
            put(f"{told}: {left}{'' if left == other else f', as {other}'}")
    for refusal in refusals:
        put(f"refused {refusal.file}:{refusal.line}: {refusal.reason}")
    put(_summary(result.added, refusals, dry_run=dry_run))


def _summary(added: Sequence[Case], refusals: Sequence[Refusal], *, dry_run: bool) -> str:
    steps = counted(sum(len(case.steps) for case in added), "step")
    verb = "would import" if dry_run else "imported"
    return f"{verb} {counted(len(added), 'case')} of {steps}; refused {counted(len(refusals), 'line')}"


def _require_some(result: Merged) -> None:
    from gate.errors import CorpusError

    if result.added:
        return
    if result.known or result.aside:
        raise CorpusError(
            "expected a case that is new, got only such as are there already or set aside", next_step="Nothing to do."
        )
    raise CorpusError(
        "expected at least one line that is exactly one invocation of the program, got none",
        next_step="The lines above say why. Where they name another command, give the program's name as they write it: --program NAME",
    )
