"""What `gate init` says of a started project, as lines. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gate.diff.escape import escaped
from gate.parser.parsed import Source
from gate.starter.grammar_of import StarterGrammar
from gate.starter.laying import Laid

_MOST_NOTES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the caller named, as it was typed, so that the next commands name it too."""

    project: str = "."
    baseline: str | None = None
    base: str | None = None
    git: bool = False
    """Whether the project lies in a git work tree."""


def next_lines(asked: Asked) -> tuple[str, ...]:
    """The commands that come next, each with what it does."""
    where = "" if asked.project == "." else f" --project {shlex.quote(asked.project)}"
    tree = shlex.quote(asked.baseline or asked.project)
    read = f"--base {shlex.quote(asked.base)}" if asked.base else f"--baseline {tree}"
    if asked.baseline is None and asked.git:
        side, patch = "--base HEAD", f"gate run --base main --head my-patch{where}"
    else:
        old = "OLD" if asked.baseline is None else tree
        side, patch = f"--baseline {tree}", f"gate run --baseline {old} --candidate NEW{where}"
    rows = (
        (f"gate corpus draw{where}", "draws the cases"),
        (f"gate corpus freeze {read}{where}", "sets aside what does not do the same twice"),
        (f"gate pin{where}", "records the judge; commit gate.toml and what it names"),
        (f"gate run {side} --against-itself{where}", f"should end in 0; then a patch: {patch}"),
    )
    width = max(40, *(len(command) + 1 for command, _ in rows))
    return tuple(f"  {command:<{width}} {what}" for command, what in rows)


def counts(grammar: StarterGrammar, source: Source) -> str:
    """How much a grammar holds."""
    arguments = sum(len(command.args) + len(command.before) for command in grammar.commands)
    return f"{_many(len(grammar.commands), 'command')} with {_many(arguments, 'argument')}, read from {source}"


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def files_told(files: int, harvested: int, gathered: int) -> str:
    """How many files a pack has, and whence."""
    made = f", {gathered} made of texts in its tests" if gathered else ""
    return f"{_many(files, 'file')}, {harvested} of them copied from the repository{made}"


def notes_told(notes: Sequence[str]) -> Iterator[str]:
    """What could not be read of the program, the first of it."""
    yield from notes[:_MOST_NOTES]
    if len(notes) > _MOST_NOTES:
        yield f"{len(notes) - _MOST_NOTES} more of this sort: gate.toml begins with them"


def shown_files(files: Mapping[str, bytes], laid: Laid) -> Iterator[str]:
    """The files that would be written, whole: their own text, but for control characters, what is not seen and what is no UTF-8."""
    for name in laid.written:
        yield f"would write {name}:"
        *lines, last = files[name].split(b"\n")
        yield from (f"  {_shown(line)}" for line in lines)
        if last:
            yield f"  {_shown(last)}"
            yield "  (no newline at its end)"


def _shown(line: bytes) -> str:
    return "\\".join(map(escaped, line.split(b"\\")))
