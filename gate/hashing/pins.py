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


class Pins(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The recorded digests of the judge."""

    version: int
    canonical: int
    """The version of the canonical form that verdicts are given in."""
    judge: dict[str, str]
    """Digest by name: `config` and `corpus` over raw file bytes, `noise` over the rules."""
    fixtures: PinnedPack

    @property
    def pack(self) -> Pack:
        """The pinned fixture pack. Raises ValueError for entries that make none; never for pins from `read_pins`."""
        return Pack(entries=tuple(map(from_pinned, self.fixtures.entries)))


def make_pins(pack: Pack, judge: Mapping[str, str], *, canonical: int) -> Pins:
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
    )


def write_pins(path: Path, pins: Pins) -> None:
    """Write the pins atomically: the same pins are the same bytes, pure ASCII, one entry a line."""
    write_atomically(path, render_pins(pins).encode("ascii"))


def render_pins(pins: Pins) -> str:
    """The text of a pins file. Everything but ASCII is escaped, so that no editor can change a name's unicode form."""
    judge = (f"    {json.dumps(name)}: {json.dumps(digest)}" for name, digest in sorted(pins.judge.items()))
    entries = (f"      {json.dumps(msgspec.to_builtins(entry))}" for entry in pins.fixtures.entries)
    lines = (
        "{",
        f'  "version": {pins.version},',
        f'  "canonical": {pins.canonical},',
        *_block('  "judge": {', judge, "  },"),
        '  "fixtures": {',
        f'    "digest": {json.dumps(pins.fixtures.digest)},',
        *_block('    "entries": [', entries, "    ]"),
        "  }",
        "}",
    )
    return "\n".join(lines) + "\n"


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
    for position, entry in enumerate(pins.fixtures.entries):
        try:
            from_pinned(entry)
        except ValueError as error:
            line = document.line(("fixtures", "entries", position))
            raise PinsError(f"{name}:{line}: {error}", next_step=_RESTORE) from error
    line = document.line(("fixtures", "entries"))
    try:
        pack = pins.pack
    except ValueError as error:
        raise PinsError(f"{name}:{line}: {error}", next_step=_RESTORE) from error
    if pack.digest != pins.fixtures.digest:
        raise PinsError(
            f"{name}:{line}: expected entries with the digest {pins.fixtures.digest!a}, got {pack.digest}",
            next_step=_RESTORE,
        )
    require_portable(pack)
