"""Reading `policy.json`: every fault is one error with file, line and key, and nothing is read by halves."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from gate.errors import PolicyError
from gate.policy.entries import ENTRY_KEYS, EntryShapeError, entry_of, kind
from gate.policy.model import DuplicateEntryError, Entry, Lines, Policy
from gate.policy.wording import quoted
from gate.strictjson import Document, JSONPath, StrictJSONError, parse

_FORMS = "docs/policy.md shows both forms of an entry."
_WHOLE = f"An entry binds whole values: it has no patterns, tolerances or denials. {_FORMS}"
_TOP_KEYS = ("version", "allowed")


def read_policy(path: Path, *, missing_ok: bool = False) -> Policy:
    """The policy in the file `path`.

    Raises PolicyError when it cannot be read or used. With `missing_ok` a file that is not there is the empty policy, which allows
    nothing.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        if missing_ok:
            return Policy(name=path.name)
        raise PolicyError(
            f"{path}: expected a policy, found no such file",
            next_step='Write {"allowed": []} into it to allow nothing.',
        ) from error
    except OSError as error:
        raise PolicyError(
            f"{path}: expected a readable file, got: {error.strerror}",
            next_step="Make it a plain file that can be read.",
        ) from error
    return parse_policy(data, name=str(path))


def parse_policy(data: bytes, *, name: str = "policy.json") -> Policy:
    """The policy that the bytes of a file say. Raises PolicyError naming `name`, the line and the key."""
    try:
        document = parse(data)
    except StrictJSONError as error:
        raise PolicyError(
            f"{name}:{error.line}:{error.column}: expected strict JSON: {error.what}",
            next_step=f"Mend the file. {_FORMS}",
        ) from error
    return _Reading(document, name).policy()


class _Reading:
    """One document on its way to a policy."""

    def __init__(self, document: Document, name: str) -> None:
        self._document = document
        self._name = name

    def policy(self) -> Policy:
        top = self._top()
        entries = tuple(self._entry(("allowed", position), raw) for position, raw in enumerate(top["allowed"]))
        try:
            return Policy(entries=entries, version=top.get("version"), name=Path(self._name).name)
        except DuplicateEntryError as error:
            first = self._document.line(("allowed", error.first))
            self._fail(
                ("allowed", error.second),
                f"expected each binding once, but line {first} has the same",
                "Delete one of the two; where reasons or dates differ, decide which one holds.",
            )

    def _top(self) -> dict[str, Any]:
        top = self._document.value
        if not isinstance(top, dict):
            self._fail((), f'expected {{"allowed": [...]}}, got {kind(top)}', _FORMS)
        for key in top:
            if key not in _TOP_KEYS:
                self._unknown((key,), _TOP_KEYS)
        if "allowed" not in top:
            self._fail((), 'missing key "allowed"', 'Write {"allowed": []} to allow nothing.')
        if not isinstance(top["allowed"], list):
            self._fail(("allowed",), f"expected a list, got {kind(top['allowed'])}", _FORMS)
        if "version" in top and (type(top["version"]) is not int or top["version"] != 1):
            self._fail(("version",), "expected 1, the only version", 'Write "version": 1, or leave it out.')
        return top

    def _entry(self, path: JSONPath, raw: Any) -> Entry:
        if not isinstance(raw, dict):
            self._fail(path, f"expected an object, got {kind(raw)}", _FORMS)
        for key in raw:
            if key not in ENTRY_KEYS:
                self._unknown((*path, key), ENTRY_KEYS)
        place = self._document.positions[path]
        try:
            return entry_of(raw, lines=Lines(first=place.line, last=place.last_line))
        except EntryShapeError as error:
            self._fail((*path, *error.path), error.what, error.next_step or _FORMS)

    def _unknown(self, path: JSONPath, known: tuple[str, ...]) -> NoReturn:
        close = get_close_matches(str(path[-1]), known, n=1)
        guess = f"Did you mean {quoted(close[0])}? " if close else ""
        self._fail(path, f"unknown key; expected one of {', '.join(known)}", f"{guess}{_WHOLE}")

    def _fail(self, path: JSONPath, what: str, next_step: str) -> NoReturn:
        raise PolicyError(f"{self._name}:{self._document.line(path)}: {_key(path)}: {what}", next_step=next_step)


def _key(path: JSONPath) -> str:
    """The way to a value as people write it, e.g. `allowed[2].field`."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{quoted(part)[1:-1]}" for part in path]
    return "".join(parts).removeprefix(".") or "top level"
