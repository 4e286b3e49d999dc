"""`gate init`: a first gate.toml, fixtures and an example property for the program of a repository."""

from __future__ import annotations

import os
import shlex
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.options import SandboxOption
from gate.console import judging, put, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.replay.sandbox import SandboxMode
    from gate.starter.laying import Laid
    from gate.starter.start import Start
    from gate.starter.started_text import Asked


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(init)


def init(
    *,
    program: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS", help="What starts the program, with a file of the tree among the words: 'node cli.js'."
        ),
    ] = None,
    script: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which of the programs that are found to take.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be written, whole; write nothing.")
    ] = False,
    project: Annotated[
        Path,
        typer.Option(
            "--project",
            file_okay=False,
            help="The folder of the program's repository.",
            show_default="the current folder",
        ),
    ] = Path(),
    baseline: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="The tree to read the program of.", show_default="the project's folder"),
    ] = None,
    base: Annotated[str | None, typer.Option(metavar="REF", help="The commit whose tree to read instead.")] = None,
    sandbox: SandboxOption = "auto",
) -> None:
    """Write a first gate.toml, fixtures and an example property for the program that is found here. Never overwrites.

    The program is built and started in the sandbox, and its own parser is read; where that cannot be, its --help.
    """
    from gate.errors import ConfigError
    from gate.starter.laying import in_git, lay, plan
    from gate.starter.started_text import Asked

    with judging(interrupted="nothing was written"), _no_patch():
        if program is not None and script is not None:
            raise ConfigError("expected one of --program and --script, got both", next_step="Leave one of them out.")
        if baseline is not None and base is not None:
            raise ConfigError("expected one of --baseline and --base, got both", next_step="Leave one of them out.")
        root = _root(project, writes=not dry_run)
        asked = Asked(
            project=str(project), baseline=None if baseline is None else str(baseline), base=base, git=in_git(root)
        )
        started = _started(root, program, script, baseline=baseline, base=base, sandbox=sandbox)
        ignored = _ignored(root)
        laid = plan(root, started.files) if dry_run else lay(root, started.files)
        if ignored is not None and not dry_run:
            _append(root, ignored)
        _told(started, laid, asked, ignored=ignored is not None, dry_run=dry_run)


@contextmanager
def _no_patch() -> Iterator[None]:
    """Tell what the file system refused as a fault of a project that is started: there is no patch yet that it could be due to."""
    from gate.errors import StarterError

    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise StarterError(
            f"{error.filename}: {reason}" if error.filename else reason,
            next_step="Mend the cause, and run gate init again.",
        ) from error


def _ignored(root: Path) -> bytes | None:
    from gate.errors import StarterError
    from gate.starter.laying import ignoring

    try:
        return ignoring(root)
    except StarterError as error:
        _said(f"note: {error.what}. {error.next_step}")
        return None


def _root(project: Path, *, writes: bool) -> Path:
    from gate.errors import ConfigError

    root = project.resolve()
    if not root.is_dir():
        raise ConfigError(
            f"{project}: expected the folder of a program, found none", next_step="Name it with --project."
        )
    if writes and not os.access(root, os.W_OK):
        raise ConfigError(
            f"{project}: expected a folder that may be written, got one that may not",
            next_step="Nothing was done. Run as its owner.",
        )
    return root


def _started(
    root: Path,
    program: str | None,
    script: str | None,
    *,
    baseline: Path | None,
    base: str | None,
    sandbox: SandboxMode,
) -> Start:
    import tempfile

    from gate.diff.escape import escaped_name
    from gate.errors import ConfigError
    from gate.parser.reading import read_program
    from gate.replay.sandbox import find_sandbox
    from gate.starter.start import start, tree_of

    if baseline is not None and not baseline.is_dir():
        raise ConfigError(
            f"--baseline {escaped_name(str(baseline))}: expected the folder of a tree, found {'a file' if baseline.exists() else 'none'}",
            next_step="Name a folder, or leave it out: the project's own is read then.",
        )
    walls = find_sandbox(sandbox)
    if not walls.active:
        say(f"note: no sandbox, the build and the program run with your rights: {walls.why}")
    words = _words(program)

    def from_tree(tree: Path) -> Start:
        return start(root, tree, program=words, script=script, sandbox=walls, read=read_program, say=_said)

    if base is None:
        return from_tree(baseline.resolve() if baseline is not None else root)
    with tempfile.TemporaryDirectory(prefix="gate-init-") as folder:
        return from_tree(tree_of(root, base, under=Path(folder)))


def _words(program: str | None) -> list[str] | None:
    if program is None:
        return None
    try:
        return shlex.split(program)
    except ValueError as error:
        raise typer.BadParameter(
            f"--program: expected words as a shell takes them, got {program!a}: {error}"
        ) from error


def _said(line: str) -> None:
    from gate.diff.escape import escaped_name

    say(escaped_name(line))


def _append(root: Path, data: bytes) -> None:
    from gate.files import write_atomically

    write_atomically(root / ".gitignore", data)
    put("wrote .gitignore: .gate/")


def _told(started: Start, laid: Laid, asked: Asked, *, ignored: bool, dry_run: bool) -> None:
    from gate.starter.started_text import next_lines, notes_told, shown_files

    unread = started.tried.parsed.notes if started.tried is not None else ()
    for note in (*started.notes, *notes_told(unread)):
        _said(f"note: {note}")
    if started.others:
        _said(f"note: also found: {', '.join(started.others)}; take another with --script NAME")
    for name in dict.fromkeys((*started.kept, *laid.kept)):
        put(f"kept {name}")
    if dry_run:
        for line in shown_files(started.files, laid):
            put(line)
        if ignored:
            put("would append to .gitignore: .gate/")
        return
    if not laid.written:
        put("nothing to write: gate.toml, fixtures and properties are there")
        return
    _summary(started, laid)
    say("Next:")
    for line in next_lines(asked):
        say(line)


def _summary(started: Start, laid: Laid) -> None:
    from gate.starter.started_text import counts, files_told

    fixtures = [name for name in laid.written if name.startswith(f"{started.names.fixtures}/")]
    for name in laid.written:
        if name == "gate.toml" and started.grammar is not None and started.tried is not None:
            put(f"wrote {name}: {counts(started.grammar, started.tried.parsed.source)}")
        elif name not in fixtures:
            put(f"wrote {name}")
    if fixtures and started.pack is not None:
        put(
            f"wrote {started.names.fixtures}/: {files_told(len(fixtures), started.pack.harvested, started.pack.gathered)}"
        )
