"""From one JSON object to one entry. Nothing is guessed: a wrong type is an error, never a conversion."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from gate.domain import CaseId
from gate.octets import Base64, from_wire
from gate.policy.expected import Digest, Expected, Text
from gate.policy.model import BoundEntry, Entry, EntryError, Lines, OpenEntry
from gate.policy.wording import EXPIRY_SENTENCE, quoted
from gate.strictjson import JSONPath

OPEN_KEYS = ("case", "step", "reason")
"""The keys of the unbound form, all of them required."""

ENTRY_KEYS = ("case", "command", "step", "field", "old", "new", "reason", "reviewer", "expires")
"""Every key that an entry can have, in the order in which the gate writes them."""

_BOUND_REQUIRED = ("field", "old", "new", "reason", "reviewer")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_VALUE_FORMS = 'null, a string, {"sha256": "…"} or {"b64": "…"}'
_KINDS: Mapping[type, str] = {
    dict: "an object",
    list: "a list",
    str: "the string",
    bool: "the word",
    type(None): "null",
}


class EntryShapeError(ValueError):
    """An object that is no entry. `path` leads from the entry to the fault."""

    def __init__(self, path: JSONPath, what: str, *, next_step: str = "") -> None:
        super().__init__(what)
        self.path = path
        self.what = what
        self.next_step = next_step


def entry_of(raw: Mapping[str, Any], *, lines: Lines | None = None) -> Entry:
    """The entry that `raw` says; its keys are all in `ENTRY_KEYS`. Raises EntryShapeError.

    It is read as unbound only when it has no key beside `case`, `step` and `reason`.
    """
    try:
        if all(key in OPEN_KEYS for key in raw):
            return _open(raw, lines)
        return _bound(raw, lines)
    except EntryError as fault:
        raise EntryShapeError((fault.key,), fault.what) from fault


def kind(value: Any) -> str:
    """What a JSON value is, in words: `a list`, `the string "soon"`, `the number 3`."""
    name = _KINDS.get(type(value), "the number")
    if isinstance(value, str):
        return f"{name} {quoted(value[:60])}"
    if isinstance(value, bool):
        return f"{name} {str(value).lower()}"
    return f"{name} {value}" if isinstance(value, int | float) else name


def _open(raw: Mapping[str, Any], lines: Lines | None) -> OpenEntry:
    for key in OPEN_KEYS:
        _require(raw, key, "case, step and reason")
    return OpenEntry(case=CaseId(_string(raw, "case")), step=_step(raw), reason=_string(raw, "reason"), lines=lines)


def _bound(raw: Mapping[str, Any], lines: Lines | None) -> BoundEntry:
    for key in _BOUND_REQUIRED:
        _require(raw, key, "case or command, field, old, new, reason and reviewer")
    return BoundEntry(
        case=CaseId(_string(raw, "case")) if "case" in raw else None,
        command=_string(raw, "command") if "command" in raw else None,
        step=_step(raw) if "step" in raw else None,
        field=_string(raw, "field"),
        old=_expected(raw, "old"),
        new=_expected(raw, "new"),
        reason=_string(raw, "reason"),
        reviewer=_string(raw, "reviewer"),
        expires=_date(raw) if "expires" in raw else None,
        lines=lines,
    )


def _require(raw: Mapping[str, Any], key: str, needed: str) -> None:
    if key not in raw:
        raise EntryShapeError((key,), f"missing key; this form has {needed}")


def _string(raw: Mapping[str, Any], key: str) -> str:
    found = raw[key]
    if isinstance(found, str):
        return found
    number = isinstance(found, int | float) and not isinstance(found, bool)
    hint = f"Put it in double quotes: {quoted(str(found))}." if number else ""
    raise EntryShapeError((key,), f"expected a string, got {kind(found)}", next_step=hint)


def _step(raw: Mapping[str, Any]) -> int:
    found = raw["step"]
    if isinstance(found, int) and not isinstance(found, bool):
        return found
    raise EntryShapeError(("step",), f"expected a whole number, got {kind(found)}")


def _expected(raw: Mapping[str, Any], key: str) -> Expected:
    found = raw[key]
    if found is None:
        return None
    if isinstance(found, str):
        return Text(data=from_wire(found))
    if isinstance(found, dict) and tuple(found) == ("sha256",):
        return _digest(key, found["sha256"])
    if isinstance(found, dict) and tuple(found) == ("b64",):
        return _octets(key, found["b64"])
    got = (
        f"an object with the keys {', '.join(quoted(name) for name in found)}"
        if isinstance(found, dict)
        else kind(found)
    )
    number = isinstance(found, int | float) and not isinstance(found, bool)
    hint = f"A value is text: write {quoted(str(found))}." if number else ""
    raise EntryShapeError((key,), f"expected {_VALUE_FORMS}, got {got}", next_step=hint)


def _digest(key: str, found: Any) -> Digest:
    if isinstance(found, str) and _SHA256.fullmatch(found):
        return Digest(sha256=found)
    raise EntryShapeError((key, "sha256"), f"expected 64 lower-case hexadecimal digits, got {kind(found)}")


def _octets(key: str, found: Any) -> Text:
    if not isinstance(found, str):
        raise EntryShapeError((key, "b64"), f"expected a base64 string, got {kind(found)}")
    try:
        return Text(data=from_wire(Base64(b64=found)))
    except ValueError as error:
        raise EntryShapeError((key, "b64"), f"expected base64, got {kind(found)}") from error


def _date(raw: Mapping[str, Any]) -> date:
    found = raw["expires"]
    if isinstance(found, str) and _DATE.fullmatch(found):
        try:
            return date.fromisoformat(found)
        except ValueError:
            pass
    raise EntryShapeError(
        ("expires",),
        f"expected a date YYYY-MM-DD, got {kind(found)}",
        next_step=f"Write a day of the calendar; {EXPIRY_SENTENCE}. Leave the key out for no end.",
    )
