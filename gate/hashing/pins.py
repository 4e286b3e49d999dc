"""The pins file: the recorded digests of the judge, in a form that a review can read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from gate import strictjson
from gate.errors import PinsError
from gate.files import write_atomically
from gate.hashing.pack import PACK_RECIPE, Pack, require_portable
from gate.hashing.pinned import PinnedEntry, from_pinned, to_pinned

PINS_VERSION = 1
"""Of the file's form. Files of another version are refused, never converted."""

DIGEST = re.compile(r"(?:[a-z][a-z0-9-]*:)?sha256:[0-9a-f]{64}")
"""What the judge is pinned with: over raw bytes, or with the recipe's name in front."""

_REPIN = "Look at what changed and re-pin with review, in a commit of its own: gate pin"
_RESTORE = "Restore the file as `gate pin` wrote it, or re-pin with review: gate pin"


class PinnedPack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fixture pack: its digest and what the digest is over."""

    digest: str
    entries: tuple[PinnedEntry, ...]


class PinnedProperties(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The property files: their digest, what it is over, and the tests that each property has to run."""

    digest: str
    entries: tuple[PinnedEntry, ...]
    tests: dict[str, tuple[str, ...]]
    """By property name: the ids of its tests, sorted. `gate.hashing.properties` says how they are read."""


class Pins(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The recorded digests of the judge."""

    version: int
    canonical: int
    """The version of the canonical form that verdicts are given in."""
    judge: dict[str, str]
    """Digest by name: `config` and `corpus` over raw file bytes, `noise` over the rules."""
    fixtures: PinnedPack
    properties: PinnedProperties | None = None
    """None: the project has no property files."""

    @property
    def pack(self) -> Pack:
        """The pinned fixture pack. Raises ValueError for entries that make none; never for pins from `read_pins`."""
        return Pack(entries=tuple(map(from_pinned, self.fixtures.entries)))

    @property
    def property_pack(self) -> Pack:
        """The pinned property files, none without properties. Raises ValueError as `pack` does."""
        return Pack() if self.properties is None else Pack(entries=tuple(map(from_pinned, self.properties.entries)))


def make_pins(
    pack: Pack, judge: Mapping[str, str], *, canonical: int, properties: PinnedProperties | None = None
) -> Pins:
    """Pins of the current version for what was found. Raises ValueError for a digest of the judge that names no SHA-256."""
    for name, digest in judge.items():
        if DIGEST.fullmatch(digest) is None:
            raise ValueError(f"no digest to pin {name!a} with: {digest!a}")
    entries = tuple(map(to_pinned, pack.entries))
    return Pins(
        version=PINS_VERSION,
        canonical=canonical,
        judge=dict(sorted(judge.items())),
        fixtures=PinnedPack(digest=pack.digest, entries=entries),
        properties=properties,
    )


def pin_properties(pack: Pack, tests: Mapping[str, tuple[str, ...]]) -> PinnedProperties | None:
    """What is pinned of the property files; None where there are none."""
    if not pack.entries:
        return None
    return PinnedProperties(
        digest=pack.digest, entries=tuple(map(to_pinned, pack.entries)), tests=dict(sorted(tests.items()))
    )


def write_pins(path: Path, pins: Pins) -> None:
    """Write the pins atomically: the same pins are the same bytes, pure ASCII, one entry a line."""
    write_atomically(path, render_pins(pins).encode("ascii"))


def render_pins(pins: Pins) -> str:
    """The text of a pins file. Everything but ASCII is escaped, so that no editor can change a name's unicode form."""
    judge = (f"    {json.dumps(name)}: {json.dumps(digest)}" for name, digest in sorted(pins.judge.items()))
    lines = (
        "{",
        f'  "version": {pins.version},',
        f'  "canonical": {pins.canonical},',
        *_block('  "judge": {', judge, "  },"),
        '  "fixtures": {',
        f'    "digest": {json.dumps(pins.fixtures.digest)},',
        *_block('    "entries": [', _entries(pins.fixtures.entries), "    ]"),
        *_properties(pins.properties),
        "}",
    )
    return "\n".join(lines) + "\n"


def _properties(pinned: PinnedProperties | None) -> Iterator[str]:
    if pinned is None:
        yield "  }"
        return
    yield "  },"
    yield '  "properties": {'
    yield f'    "digest": {json.dumps(pinned.digest)},'
    yield from _block('    "entries": [', _entries(pinned.entries), "    ],")
    tests = (f"      {json.dumps(name)}: {json.dumps(ids)}" for name, ids in sorted(pinned.tests.items()))
    yield from _block('    "tests": {', tests, "    }")
    yield "  }"


def _entries(entries: tuple[PinnedEntry, ...]) -> Iterator[str]:
    return (f"      {json.dumps(msgspec.to_builtins(entry))}" for entry in entries)


def _block(head: str, items: Iterator[str], foot: str) -> Iterator[str]:
    *others, last = [head, *items]
    yield from (line if line is head else line + "," for line in others)
    yield last
    yield foot


def read_pins(path: Path) -> Pins:
    """The pins in the file. Raises PinsError naming file, line and key; also when the fixtures' digest is not that of their entries."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise PinsError(
            f"{path}: expected the pins of the judge, found no file", next_step="Pin them: gate pin"
        ) from None
    return parse_pins(data, name=path.name)


def parse_pins(data: bytes, *, name: str = "pins.json") -> Pins:
    """The pins that the bytes of a file state. Raises PinsError as `read_pins` does."""
    if b"\r" in data:
        line = data.count(b"\n", 0, data.index(b"\r")) + 1
        raise PinsError(
            f"{name}:{line}: expected line feeds alone, got a carriage return",
            next_step=f"Line endings were rewritten on checkout: add '{name} -text' to .gitattributes and check it out again.",
        )
    try:
        document = strictjson.parse(data)
    except strictjson.StrictJSONError as error:
        raise PinsError(f"{name}:{error.line}: {error.what}", next_step=_RESTORE) from error
    _require_current(document.value, name)
    try:
        pins = msgspec.convert(document.value, Pins)
    except msgspec.ValidationError as error:
        raise _located(document, name, str(error)) from error
    _require_sound(pins, document, name)
    return pins


def _require_current(value: Any, name: str) -> None:
    """Old files are told by their versions, before anything in them is held against today's form."""
    if not isinstance(value, dict):
        return
    if type(value.get("version")) is int and value["version"] != PINS_VERSION:
        raise PinsError(f"{name}: expected version {PINS_VERSION}, got {value['version']}", next_step=_REPIN)
    fixtures = value.get("fixtures")
    digest = fixtures.get("digest") if isinstance(fixtures, dict) else None
    if isinstance(digest, str) and not digest.startswith(f"{PACK_RECIPE}:"):
        raise PinsError(f"{name}: expected a digest of {PACK_RECIPE}, got {digest[:80]!a}", next_step=_REPIN)


_AT = re.compile(r" - at `\$(?P<way>.*)`$")
_WAY = re.compile(r"\.(?P<key>[a-z0-9_]+)|\[(?P<index>\d+)\]")
_UNKNOWN = re.compile(r"unknown field `(?P<key>.*)`$")


def _located(document: strictjson.Document, name: str, message: str) -> PinsError:
    """A validation error of msgspec (`… - at `$.fixtures.entries[3].size``) with file, line and key."""
    at = _AT.search(message)
    way: strictjson.JSONPath = ()
    if at is not None:
        way = tuple(int(part["index"]) if part["index"] else part["key"] for part in _WAY.finditer(at["way"]))
        message = message[: at.start()]
    if unknown := _UNKNOWN.search(message):
        way, message = (*way, unknown["key"]), "unknown key"
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in way).lstrip(".")
    return PinsError(f"{name}:{document.line(way)}: {key or 'top level'}: {message}", next_step=_RESTORE)


def _require_sound(pins: Pins, document: strictjson.Document, name: str) -> None:
    for part, digest in pins.judge.items():
        if DIGEST.fullmatch(digest) is None:
            line = document.line(("judge", part))
            raise PinsError(
                f"{name}:{line}: judge.{part!a}: expected 'sha256:' and 64 hex digits, got {digest[:80]!a}",
                next_step=_RESTORE,
            )
    require_portable(_sound_pack("fixtures", pins.fixtures, document, name))
    if pins.properties is not None:
        require_portable(_sound_pack("properties", pins.properties, document, name))


def _sound_pack(key: str, pinned: PinnedPack | PinnedProperties, document: strictjson.Document, name: str) -> Pack:
    entries = []
    for position, entry in enumerate(pinned.entries):
        try:
            entries.append(from_pinned(entry))
        except ValueError as error:
            line = document.line((key, "entries", position))
            raise PinsError(f"{name}:{line}: {error}", next_step=_RESTORE) from error
    line = document.line((key, "entries"))
    try:
        pack = Pack(entries=tuple(entries))
    except ValueError as error:
        raise PinsError(f"{name}:{line}: {error}", next_step=_RESTORE) from error
    if pack.digest != pinned.digest:
        raise PinsError(
            f"{name}:{line}: expected entries with the digest {pinned.digest!a}, got {pack.digest}",
            next_step=_RESTORE,
        )
    return pack
