"""`gate freeze`: the weekly review of the properties without a vote, and who looks after them.

There is no command that thaws: a vote comes back through `gate repair` alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.options import Format, ProjectOption
from gate.console import judging, put

if TYPE_CHECKING:
    from gate.voting.freeze_set import FreezeSet, Frozen

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="The frozen property: NAME of properties/test_NAME.py.")
]
OwnerOption = Annotated[str, typer.Option("--owner", help="Who looks after the property until it is repaired.")]
NoteOption = Annotated[str | None, typer.Option("--note", help="What is known; without it the note stays as it is.")]
ListFormatOption = Annotated[Format, typer.Option("--format", help="text for people, json for machines.")]

_HEAD = ("name", "since", "age", "owner", "ballots", "note")
_UNKNOWN = "unknown"


def register(app: typer.Typer) -> None:
    """Add the group `gate freeze` to `app`."""
    group = typer.Typer(no_args_is_help=True, help="The properties that lost their vote, for the weekly review.")
    group.command("list")(list_frozen)
    group.command("assign")(assign)
    app.add_typer(group, name="freeze")


def list_frozen(
    project: ProjectOption = Path(),
    format: ListFormatOption = Format.TEXT,  # noqa: A002 - the option's name
) -> None:
    """Show what is frozen, since when and in whose hands, and how much of the vote still counts. Judges nothing: ends in 0."""
    from gate.config.load import load_project
    from gate.hashing.properties import read_properties
    from gate.voting.freeze_set import read_freeze_set

    with judging():
        loaded = load_project(project)
        freeze_set = read_freeze_set(loaded.freeze_file)
        names = [found.name for found in read_properties(loaded.properties)]
    told = _json(freeze_set, names, _today()) if format is Format.JSON else _text(freeze_set, names, _today())
    put(told)


def assign(name: NameArgument, owner: OwnerOption, project: ProjectOption = Path(), note: NoteOption = None) -> None:
    """Say who looks after a frozen property. It stays frozen."""
    from gate.config.load import load_project
    from gate.files import only_writer
    from gate.voting.freeze_set import assign as assigned
    from gate.voting.freeze_set import read_freeze_set, require_frozen, write_freeze_set

    with judging():
        _refuse_in_ci()
        loaded = load_project(project)
        with only_writer(loaded.judge_lock):
            freeze_set = assigned(read_freeze_set(loaded.freeze_file), name, owner, note)
            write_freeze_set(loaded.freeze_file, freeze_set)
        put(f"{name}: frozen, owner {require_frozen(freeze_set, name).owner}")


def _today() -> date:
    return datetime.now(UTC).date()


def _refuse_in_ci() -> None:
    from gate.errors import PropertyError

    if os.environ.get("CI", "").lower() not in ("", "0", "false"):
        raise PropertyError(
            "gate freeze assign: expected a person at work, but CI is set; CI never writes the judge",
            next_step="Run it in a working tree and commit the file.",
        )


def _text(freeze_set: FreezeSet, names: Sequence[str], today: date) -> str:
    rows = [_HEAD, *(_row(entry, today) for entry in freeze_set.entries)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join((*(table if freeze_set.entries else ()), _counts(freeze_set, names), *_stale(freeze_set, names)))


def _row(entry: Frozen, today: date) -> tuple[str, ...]:
    return (
        entry.name,
        _UNKNOWN if entry.since is None else entry.since.isoformat(),
        _UNKNOWN if entry.since is None else _plural((today - entry.since).days, "day"),
        entry.owner or "nobody",
        " ".join(entry.ballots) or _UNKNOWN,
        entry.note or "-",
    )


def _counts(freeze_set: FreezeSet, names: Sequence[str]) -> str:
    """How much of the vote still counts; a frozen name without a file is no part of it."""
    voting = sum(freeze_set.find(name) is None for name in names)
    frozen = len(names) - voting
    verb = "votes" if voting == 1 else "vote"
    return f"{voting} of {_plural(len(names), 'property')} {verb}, {frozen} {'is' if frozen == 1 else 'are'} frozen"


def _stale(freeze_set: FreezeSet, names: Sequence[str]) -> Iterator[str]:
    for name in _without_file(freeze_set, names):
        yield f"stale: {name} is frozen, but there is no test_{name}.py: renamed or deleted"


def _without_file(freeze_set: FreezeSet, names: Sequence[str]) -> list[str]:
    return [name for name in freeze_set.names if name not in names]


def _plural(count: int, noun: str) -> str:
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun.removesuffix('y')}ies" if noun == "property" else f"{count} {noun}s"


def _json(freeze_set: FreezeSet, names: Sequence[str], today: date) -> str:
    from gate.voting.freeze_set import wire

    frozen = [
        {**wire(entry), "age_days": None if entry.since is None else (today - entry.since).days}
        for entry in freeze_set.entries
    ]
    voting = [name for name in names if freeze_set.find(name) is None]
    told = {"frozen": frozen, "properties": len(names), "voting": len(voting)}
    return json.dumps({**told, "stale": _without_file(freeze_set, names)}, indent=2)
