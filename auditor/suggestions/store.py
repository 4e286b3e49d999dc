"""The folder `suggestions` of an audited project: one file a suggestion. Whatever lies in it is data, and may be hostile."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

import msgspec

from auditor.errors import SuggestionError
from auditor.suggestions.format import ID, MAX_BYTES, parse, render
from auditor.suggestions.model import AnySuggestion, Ran
from auditor.suggestions.plain import plain
from gate.files import write_atomically

FOLDER = "suggestions"
_LIST = "List what is there: auditor suggestions list"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A suggestion and the bytes that it was read from."""

    path: Path
    data: bytes
    suggestion: AnySuggestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A file that is no suggestion."""

    file: str
    """Its name, escaped."""
    what: str
    """What is wrong with it, escaped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What the folder holds, by file name."""

    stored: tuple[Stored, ...] = ()
    broken: tuple[Broken, ...] = ()


def list_suggestions(project_root: Path) -> Listing:
    """Every `*.json` of the folder; what cannot be read is named. No folder: nothing. Raises SuggestionError on a link."""
    folder = _folder(project_root)
    stored: list[Stored] = []
    broken: list[Broken] = []
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        if path.name.startswith("."):
            continue  # half of one, of a writer that was ended
        try:
            stored.append(_read(path))
        except SuggestionError as error:
            broken.append(Broken(file=plain(path.name), what=error.what))
    return Listing(stored=tuple(stored), broken=tuple(broken))


def read_suggestion(project_root: Path, suggestion_id: str) -> Stored:
    """One suggestion. Raises SuggestionError when `suggestion_id` is none, is not there, or cannot be read."""
    if not ID.fullmatch(suggestion_id):
        raise SuggestionError(
            f"expected the id of a suggestion, such as policy-0123456789ab; got {plain(suggestion_id)}", next_step=_LIST
        )
    return _read(_folder(project_root) / f"{suggestion_id}.json")


def keep(project_root: Path, suggestion: AnySuggestion) -> Path:
    """Write a new suggestion. One of the same id stays as it is, with its decisions: it is the same draft.

    Raises SuggestionError for one that is too large to be read again, and where the file that stands there cannot be read.
    """
    path = _folder(project_root) / f"{suggestion.id}.json"
    if path.is_file() and not path.is_symlink():
        _read(path)
    else:
        write_atomically(path, _rendered(suggestion))
    return path


def replace(stored: Stored, suggestion: AnySuggestion) -> Stored:
    """Write what became of a suggestion. Raises SuggestionError when its file is no longer what was read."""
    if _bytes(stored.path) != stored.data:
        raise SuggestionError(
            f"{plain(str(stored.path))}: changed since it was read; nothing was written to it",
            next_step="Another review may be under way: end it, then begin again.",
        )
    data = _rendered(suggestion)
    write_atomically(stored.path, data)
    return Stored(path=stored.path, data=data, suggestion=suggestion)


def add_experiment(stored: Stored, ran: Ran) -> Stored:
    """Keep what an experiment showed, beside the item that asked for it. Raises SuggestionError, also when there is no such item."""
    held = stored.suggestion
    if ran.item not in [item.id for item in held.items]:
        raise SuggestionError(f"{held.id}: expected one of its items, got {plain(ran.item)}", next_step=_LIST)
    return replace(stored, msgspec.structs.replace(held, experiments=(*held.experiments, ran)))


def _rendered(suggestion: AnySuggestion) -> bytes:
    data = render(suggestion)
    if len(data) > MAX_BYTES:
        raise SuggestionError(
            f"{suggestion.id}: expected at most {MAX_BYTES} bytes, got {len(data)}; nothing was written",
            next_step="Lower `replay.limit_bytes` in gate.toml and run again, or write the entries by hand: docs/policy.md.",
        )
    return data


def _folder(project_root: Path) -> Path:
    folder = project_root / FOLDER
    if folder.is_symlink():
        raise SuggestionError(
            f"{plain(str(folder))}: expected a folder, got a link to somewhere else",
            next_step="Make it a folder of the project.",
        )
    return folder


def _read(path: Path) -> Stored:
    name = f"{FOLDER}/{path.name}"
    data = _bytes(path)
    suggestion = parse(data, name=name)
    if path.name != f"{suggestion.id}.json":
        raise SuggestionError(
            plain(f"{name}:1: expected the file to be called {suggestion.id}.json"), next_step="Give it that name."
        )
    return Stored(path=path, data=data, suggestion=suggestion)


def _bytes(path: Path) -> bytes:
    """At most one byte more than a suggestion may have, of a plain file: a link, a pipe or a device is never opened for long."""
    name = plain(f"{FOLDER}/{path.name}")
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise SuggestionError(f"{name}: expected a plain file, got something else", next_step="Remove it.")
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise SuggestionError(f"{name}: expected a suggestion, found no such file", next_step=_LIST) from error
    except OSError as error:
        raise SuggestionError(
            f"{name}: expected a plain file that can be read, got: {error.strerror}", next_step="Remove or mend it."
        ) from error
