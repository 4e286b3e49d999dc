"""The freeze set: which properties lost their vote, since when, and on what was seen.

A freeze has no end of its own, unlike the lease of a quarantined test: a name leaves the set through a repair alone
(`gate.voting.repairs`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from gate import strictjson
from gate.errors import PropertyError
from gate.files import write_atomically

OUTCOMES = ("pass", "fail", "mixed")
"""What one run of a property can show. A run that was void froze nothing."""

SHA256 = re.compile(r"sha256:[0-9a-f]{64}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MEND = "Restore the file as the gate wrote it; docs/freeze.md shows an entry."
_AT = re.compile(r" - at `\$(?P<way>.*)`$")
_WAY = re.compile(r"\.(?P<key>[A-Za-z0-9_]+)|\[(?P<index>\d+)\]")
_UNKNOWN = re.compile(r"unknown field `(?P<key>.*)`$")
_MAX_NAME = 200

T = TypeVar("T")


class FrozenError(ValueError):
    """An entry that means nothing. `key` is where it stands in the file, `what` says what was expected."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(f"{key}: {what}")
        self.key = key
        self.what = what


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """A property without a vote. None and () stand for what nobody wrote down. Raises FrozenError."""

    name: str
    """NAME of `properties/test_NAME.py`."""
    since: date | None = None
    ballots: tuple[str, ...] = ()
    """The outcomes of the runs that were seen, in their order, each one of `OUTCOMES`."""
    seeds: tuple[int, ...] = ()
    """The Hypothesis seeds of these runs."""
    property: str | None = None
    """`sha256:HEX` over the property file as it was."""
    owner: str | None = None
    note: str | None = None

    def __post_init__(self) -> None:
        if not is_name(self.name):
            raise FrozenError("name", f"expected the name of a property, got {self.name[:60]!a}")
        for outcome in self.ballots:
            if outcome not in OUTCOMES:
                raise FrozenError("ballots", f"expected {', '.join(OUTCOMES)}, got {outcome[:60]!a}")
        if self.property is not None and SHA256.fullmatch(self.property) is None:
            raise FrozenError("property", f"expected 'sha256:' and 64 hex digits, got {self.property[:80]!a}")
        for key, words in (("owner", self.owner), ("note", self.note)):
            if words is not None and not is_said(words):
                raise FrozenError(key, f"expected words on one line, or null, got {words[:60]!a}")

    def same_freeze(self, other: Frozen) -> bool:
        """Whether both speak of one freeze: who owns it and what was noted may have changed since."""
        return replace(self, owner=None, note=None) == replace(other, owner=None, note=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class FreezeSet:
    """Every frozen property, sorted by name. Raises ValueError for a name that stands there twice."""

    entries: tuple[Frozen, ...] = ()

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.entries, key=lambda entry: entry.name))
        for first, second in pairwise(ordered):
            if first.name == second.name:
                raise ValueError(f"frozen twice: {first.name}")
        object.__setattr__(self, "entries", ordered)

    @property
    def names(self) -> tuple[str, ...]:
        """The frozen names, sorted."""
        return tuple(entry.name for entry in self.entries)

    def find(self, name: str) -> Frozen | None:
        """The entry of `name`; None where it is not frozen. Names are compared whole."""
        return next((entry for entry in self.entries if entry.name == name), None)


def is_name(name: str) -> bool:
    """Whether a property can have this name: it is part of a file's name, and stands in no other folder."""
    return 0 < len(name) <= _MAX_NAME and name.isprintable() and not name.startswith(".") and not set(name) & set("/\\")


def is_said(words: str) -> bool:
    """Whether somebody said something: one line, not blank, nothing that a terminal obeys."""
    return bool(words.strip()) and words.isprintable()


def freeze(freeze_set: FreezeSet, entry: Frozen) -> FreezeSet:
    """The set with `entry` in it. What is frozen already stays as it was first seen."""
    if freeze_set.find(entry.name) is not None:
        return freeze_set
    return FreezeSet(entries=(*freeze_set.entries, entry))


def assign(freeze_set: FreezeSet, name: str, owner: str, note: str | None = None) -> FreezeSet:
    """The set in which `owner` looks after `name`; a note of None leaves the note. Raises PropertyError: not frozen, nothing said."""
    entry = require_frozen(freeze_set, name)
    for key, words in (("--owner", owner), ("--note", note)):
        if words is not None and not is_said(words):
            raise PropertyError(
                f"{key}: expected words on one line, got {words[:60]!a}", next_step="Say who looks after the property."
            )
    changed = replace(entry, owner=owner.strip(), note=entry.note if note is None else note.strip())
    return FreezeSet(entries=(*without(freeze_set, name).entries, changed))


def without(freeze_set: FreezeSet, name: str) -> FreezeSet:
    """The set without `name`, which only a repair may ask for. A name that is not in it changes nothing."""
    return FreezeSet(entries=tuple(entry for entry in freeze_set.entries if entry.name != name))


def removed(old: FreezeSet, new: FreezeSet) -> tuple[Frozen, ...]:
    """The entries of the names that left, as they were, sorted."""
    return tuple(entry for entry in old.entries if new.find(entry.name) is None)


def require_frozen(freeze_set: FreezeSet, name: str) -> Frozen:
    """The entry of `name`. Raises PropertyError that names the nearest frozen ones."""
    if (entry := freeze_set.find(name)) is not None:
        return entry
    close = ", ".join(get_close_matches(name, freeze_set.names, n=3))
    if not freeze_set.entries:
        raise PropertyError(
            f"{name!a}: expected a frozen property, but none is frozen",
            next_step="Every property votes: nothing has to be assigned or repaired.",
        )
    raise PropertyError(
        f"{name!a}: expected the name of a frozen property, got one that is not frozen",
        next_step=f"Did you mean {close}?" if close else "See what is frozen: gate freeze list",
    )


def read_freeze_set(path: Path) -> FreezeSet:
    """The freeze set in the file; without a file nothing is frozen. Raises PropertyError naming file, line and key."""
    try:
        return parse_freeze_set(path.read_bytes(), name=str(path))
    except FileNotFoundError:
        return FreezeSet()


def parse_freeze_set(data: bytes, *, name: str = "freeze_set.json") -> FreezeSet:
    """The freeze set that the bytes of a file say. An entry may be a bare name, and `{"name"}` alone. Raises PropertyError."""
    document, file = read_as(data, _File, name=name, next_step=_MEND)
    lines: dict[str, int] = {}
    entries = []
    for position, raw in enumerate(file.frozen):
        path: strictjson.JSONPath = ("frozen", position)
        try:
            entry = entry_of(FrozenEntry(name=raw) if isinstance(raw, str) else raw)
        except FrozenError as fault:
            raise fault_at(document, name, (*path, fault.key), fault.what, next_step=_MEND) from fault
        if entry.name in lines:
            what = f"expected each property once, but line {lines[entry.name]} has {entry.name!a} already"
            raise fault_at(document, name, path, what, next_step="Keep the entry that was there first.")
        lines[entry.name] = document.line(path)
        entries.append(entry)
    return FreezeSet(entries=tuple(entries))


def write_freeze_set(path: Path, freeze_set: FreezeSet) -> None:
    """Write the set atomically: the same set is the same bytes."""
    write_atomically(path, render_freeze_set(freeze_set).encode("ascii"))


def render_freeze_set(freeze_set: FreezeSet) -> str:
    """The text of the file: one entry a line, sorted by name, pure ASCII.

    The comma has a line of its own, so that to add or remove an entry changes no other entry's line: git merges what two
    branches froze unless both stand at one place (reported fault 98).
    """
    lines = list(_separated(json.dumps(_bare_or_whole(entry)) for entry in freeze_set.entries))
    return "\n".join(("{", '  "frozen": [', *lines, "  ]", "}")) + "\n"


def wire(entry: Frozen) -> dict[str, Any]:
    """The entry with all its keys, as it stands in a file."""
    built: dict[str, Any] = msgspec.to_builtins(entry)
    return built


def entry_of(raw: FrozenEntry) -> Frozen:
    """The entry that was read. Raises FrozenError."""
    keys = {field: getattr(raw, field) for field in raw.__struct_fields__}
    return Frozen(**{**keys, "since": None if raw.since is None else day(raw.since, "since")})


def day(text: str, key: str) -> date:
    """A day of the calendar. Raises FrozenError."""
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise FrozenError(key, f"expected a date YYYY-MM-DD, got {text[:40]!a}")


def read_as(data: bytes, form: type[T], *, name: str, next_step: str) -> tuple[strictjson.Document, T]:
    """The strict JSON of a file as the form `form`, beside the places of its values. Raises PropertyError naming file, line and key."""
    if b"\r" in data:
        line = data.count(b"\n", 0, data.index(b"\r")) + 1
        raise PropertyError(
            f"{name}:{line}: expected line feeds alone, got a carriage return",
            next_step="Line endings were rewritten on checkout: mark the file '-text' in .gitattributes and check it out again.",
        )
    try:
        document = strictjson.parse(data)
    except strictjson.StrictJSONError as error:
        raise PropertyError(f"{name}:{error.line}: expected strict JSON: {error.what}", next_step=next_step) from error
    try:
        return document, msgspec.convert(document.value, form)
    except msgspec.ValidationError as error:
        message = str(error)
        way: strictjson.JSONPath = ()
        if at := _AT.search(message):
            way = tuple(int(part["index"]) if part["index"] else part["key"] for part in _WAY.finditer(at["way"]))
            message = message[: at.start()]
        if unknown := _UNKNOWN.search(message):
            way, message = (*way, unknown["key"]), "unknown key"
        raise fault_at(document, name, way, message[0].lower() + message[1:], next_step=next_step) from error


def fault_at(
    document: strictjson.Document, name: str, way: strictjson.JSONPath, what: str, *, next_step: str
) -> PropertyError:
    """The error that says what is wrong at `way` in the file `name`."""
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in way).lstrip(".")
    return PropertyError(f"{name}:{document.line(way)}: {key or 'top level'}: {what}", next_step=next_step)


class FrozenEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry as a file has it; `entry_of` says whether it means something."""

    name: str
    since: str | None = None
    ballots: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    property: str | None = None
    owner: str | None = None
    note: str | None = None


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    frozen: tuple[FrozenEntry | str, ...]


def _bare_or_whole(entry: Frozen) -> str | dict[str, Any]:
    return entry.name if entry == Frozen(name=entry.name) else wire(entry)


def _separated(items: Iterable[str]) -> Iterator[str]:
    for position, item in enumerate(items):
        yield from (("    ,", f"    {item}") if position else (f"    {item}",))
