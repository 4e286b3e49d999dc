"""Where the labelled data sets are, and how a record is read. They are no part of this repository."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from evals.errors import EvalsError

VARIABLE = "AUDITOR_EVALSETS"
CHECKOUT = Path(__file__).resolve().parent.parent

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")

Record = dict[str, Any]


def find_folder(environ: Mapping[str, str]) -> Path | None:
    """The folder that `AUDITOR_EVALSETS` names, else `../shared/evalsets` beside the checkout; None where there is none.

    Raises EvalsError where the variable names no folder: what was asked for is not skipped in silence.
    """
    if named := environ.get(VARIABLE):
        if not Path(named).is_dir():
            raise EvalsError(
                f"{VARIABLE}: expected a folder, got {named[:80]!a}", next_step="Name the folder of the data sets."
            )
        return Path(named)
    beside = CHECKOUT.parent / "shared" / "evalsets"
    return beside if beside.is_dir() else None


def read(folder: Path, name: str) -> tuple[tuple[Record, ...], str]:
    """The records of a file of JSON Lines, and its SHA-256. Raises EvalsError with the line that is none, and for no record at all."""
    path = folder / name
    if not path.is_file():
        raise EvalsError(f"{name}: no such data set in the folder", next_step=f"See {VARIABLE} in docs/evals.md.")
    data = path.read_bytes()
    found: list[Record] = []
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            found.append(msgspec.json.decode(line, type=Record))
        except msgspec.DecodeError as error:
            raise EvalsError(f"{name}:{number}: expected one JSON object, got {error}", next_step=_AGAIN) from error
    if not found:
        raise EvalsError(f"{name}: the file holds no record", next_step=_AGAIN)
    ids = [text_of(record, "id", name) for record in found]
    if len(set(ids)) < len(ids):
        raise EvalsError(f"{name}: expected each id once, got one twice", next_step=_AGAIN)
    return tuple(found), sha256(data).hexdigest()


def text_of(record: Record, key: str, name: str) -> str:
    """The text of a field. Raises EvalsError for any other value, an absent one among it."""
    value = record.get(key)
    if not isinstance(value, str):
        raise EvalsError(f"{name}: field {key!r}: expected a text, got {type(value).__name__}", next_step=_AGAIN)
    return value


def folder_name(model: str) -> str:
    """The name of a model as that of a folder: with a piece of its digest where it has letters that a folder's may not have."""
    safe = _UNSAFE.sub("-", model)[:80].lstrip(".-")
    return safe if safe == model else f"{safe or 'model'}-{sha256(model.encode()).hexdigest()[:8]}"


_AGAIN = "Fetch the data set again; docs/evals.md says what a record holds."
