"""The runs of one case, laid out by check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from gate.diff.canonical import Form, form
from gate.diff.findings import Placeholder
from gate.diff.matching import Hit, Piece
from gate.diff.noise import PROTECTED, Noise
from gate.domain import Record, Value

CONTENT = "files:"
"""How the field of a file's content begins; its name follows."""

COMMAND = "command"
POSITION = "position"


class Place(NamedTuple):
    """One record of a case: its step number, and which of the records with that number it is (from 1)."""

    step: int
    occurrence: int


class Check(NamedTuple):
    """One check of a case. Sorted, they stand as a report tells them: how the step ended first."""

    step: int
    occurrence: int
    rank: int
    field: str

    @property
    def place(self) -> Place:
        """The record that it belongs to."""
        return Place(self.step, self.occurrence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One run of one case. `forms` and `commands` are in the order in which they were observed."""

    forms: dict[Check, Form]
    commands: dict[Place, str]


_COMMAND_RANK, _POSITION_RANK, _LISTING_RANK, _CONTENT_RANK = 1, 2, 6, 7
_RANKS = {"stdout": 3, "stderr": 4, "files": _LISTING_RANK}

LISTING = Check(0, 0, _LISTING_RANK, "files")
"""Rank and name of the check that lists file effects."""


def read_runs(runs: Sequence[Sequence[Record]], noise: Noise) -> list[Reading]:
    """Lay out the runs of one case; what they have in common is read once.

    A record without fields has one check, its command: that it is there at all is what is compared.
    """
    known: _Known = {}
    return [_read(run, noise, known) for run in runs]


_Known = dict[tuple[str, str, str, Value], Form]
"""Forms by field, its check, command and value."""


def _read(run: Sequence[Record], noise: Noise, known: _Known) -> Reading:
    forms: dict[Check, Form] = {}
    commands: dict[Place, str] = {}
    seen: dict[int, int] = {}
    for record in run:
        seen[record.step] = seen.get(record.step, 0) + 1
        place = Place(record.step, seen[record.step])
        commands[place] = record.command
        if not record.fields:
            forms[_command_check(place)] = _text(record.command)
        for name in sorted(record.fields):
            check = _free(forms, place, _content_alias(name, record.command, noise))
            key = (name, check.field, record.command, record.fields[name])
            held = known.get(key)
            if held is None:
                held = form(key[3], field_name=name, command=record.command, noise=noise, alias=check.field)
                known[key] = held
            forms[check] = held
    return Reading(forms=forms, commands=commands)


def with_places(readings: Sequence[Reading]) -> list[Reading]:
    """The readings of all runs of both sides, with checks for what lies outside the fields, where runs differ in it.

    `command`: the command word of a record. `position`: where it stands among the records that all runs have.
    """
    extra: list[dict[Check, Form]] = [{} for _ in readings]
    for place in {place for reading in readings for place in reading.commands}:
        if len({reading.commands[place] for reading in readings if place in reading.commands}) > 1:
            for reading, forms in zip(readings, extra, strict=True):
                if place in reading.commands:
                    forms[_command_check(place)] = _text(reading.commands[place])
    for place, positions in _moved(readings).items():
        for position, forms in zip(positions, extra, strict=True):
            forms[Check(*place, _POSITION_RANK, POSITION)] = _text(str(position))
    if not any(extra):
        return list(readings)
    return [replace(reading, forms={**reading.forms, **forms}) for reading, forms in zip(readings, extra, strict=True)]


def _moved(readings: Sequence[Reading]) -> dict[Place, list[int]]:
    common = set(readings[0].commands).intersection(*(reading.commands for reading in readings))
    orders = [[place for place in reading.commands if place in common] for reading in readings]
    if all(order == orders[0] for order in orders):
        return {}
    positions = [{place: position for position, place in enumerate(order, 1)} for order in orders]
    rows = {place: [position[place] for position in positions] for place in common}
    return {place: row for place, row in rows.items() if len(set(row)) > 1}


def _rank(name: str) -> int:
    if name in PROTECTED:
        return 0
    return _RANKS.get(name, _CONTENT_RANK if name.startswith(CONTENT) else 5)


def _command_check(place: Place) -> Check:
    return Check(*place, _COMMAND_RANK, COMMAND)


def _text(text: str) -> Form:
    return Form(parts=(text.encode("utf-8", "surrogatepass"),) if text else ())


def _free(forms: dict[Check, Form], place: Place, name: str) -> Check:
    """The check of that name; where another file's name has the same canonical form, `name#2` and so on."""
    check, count = Check(*place, _rank(name), name), 1
    while check in forms:
        count += 1
        check = Check(*place, _rank(name), f"{name}#{count}")
    return check


def _content_alias(name: str, command: str, noise: Noise) -> str:
    """A content field under the canonical form of its file's name, so that runs with random names meet in one check.

    The listing in `files` still has to show evidence for that name.
    """
    if not name.startswith(CONTENT):
        return name
    pieces = noise.scope("files", command).split(name[len(CONTENT) :].encode("utf-8", "surrogatepass"))
    if not any(isinstance(piece, Hit) for piece in pieces):
        return name
    return CONTENT + b"".join(map(_shown, pieces)).decode("utf-8", "backslashreplace")


def _shown(piece: Piece) -> bytes:
    if isinstance(piece, bytes):
        return piece
    return str(Placeholder(rule=piece.matcher.name, shape=piece.matcher.shape(piece.raw))).encode()
