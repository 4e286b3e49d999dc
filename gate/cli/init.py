"""`gate init`: a first gate.toml, fixtures and an example property for the program of a repository."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.options import SandboxOption
from gate.console import judging, put, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gate.replay.sandbox import SandboxMode
    from gate.starter.laying import Laid
    from gate.starter.start import Start

_NEXT = (
    ("gate corpus draw", "draws the cases"),
    ("gate corpus freeze --baseline .", "sets aside what does not do the same twice"),
    ("gate pin", "records the judge; commit gate.toml and what it names"),
)
_RUN = {
    True: (
        "gate run --base HEAD --against-itself",
        "should end in 0; then a patch: gate run --base main --head my-patch",
    ),
    False: (
        "gate run --baseline . --against-itself",
        "should end in 0; then a patch: gate run --baseline OLD --candidate NEW",
    ),
}
"""By whether the project lies in a git work tree."""


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
    from gate.starter.laying import ignoring, in_git, lay, plan

    with judging(interrupted="nothing was written"):
        if program is not None and script is not None:
            raise ConfigError("expected one of --program and --script, got both", next_step="Leave one of them out.")
        if baseline is not None and base is not None:
            raise ConfigError("expected one of --baseline and --base, got both", next_step="Leave one of them out.")
        root = _root(project, writes=not dry_run)
        started = _started(root, program, script, baseline=baseline, base=base, sandbox=sandbox)
        ignored = ignoring(root)
        laid = plan(root, started.files) if dry_run else lay(root, started.files)
        if ignored is not None and not dry_run:
            _append(root, ignored)
        _told(started, laid, ignored=ignored is not None, git=in_git(root), dry_run=dry_run)


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

    from gate.parser.reading import read_program
    from gate.replay.sandbox import find_sandbox
    from gate.starter.start import start, tree_of

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


def _told(started: Start, laid: Laid, *, ignored: bool, git: bool, dry_run: bool) -> None:
    for note in started.notes:
        _said(f"note: {note}")
    if started.others:
        _said(f"note: also found: {', '.join(started.others)}; take another with --script NAME")
    for name in dict.fromkeys((*started.kept, *laid.kept)):
        put(f"kept {name}")
    if dry_run:
        _shown(started.files, laid)
        if ignored:
            put("would append to .gitignore: .gate/")
        return
    _summary(started, laid)
    say("Next:")
    for command, what in (*_NEXT, _RUN[git]):
        say(f"  {command:<40} {what}")


def _summary(started: Start, laid: Laid) -> None:
    fixtures = [name for name in laid.written if name.startswith(f"{started.names.fixtures}/")]
    for name in laid.written:
        if name not in fixtures:
            put(f"wrote {name}{_counts(started) if name == 'gate.toml' else ''}")
    if fixtures and started.pack is not None:
        put(
            f"wrote {started.names.fixtures}/: {len(fixtures)} files, {started.pack.harvested} of them copied from the repository"
        )
    if not laid.written:
        put("nothing to write: gate.toml, fixtures and properties are there")


def _counts(started: Start) -> str:
    if started.grammar is None or started.tried is None:
        return ""
    commands = started.grammar.commands
    arguments = sum(len(command.args) + len(command.before) for command in commands)
    return f": {len(commands)} commands with {arguments} arguments, read from {started.tried.parsed.source}"


def _shown(files: Mapping[str, bytes], laid: Laid) -> None:
    from gate.diff.escape import escaped

    for name in laid.written:
        put(f"would write {name}:")
        for line in files[name].splitlines():
            put(f"  {escaped(line)}")
