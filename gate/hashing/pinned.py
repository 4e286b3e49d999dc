"""Entries of a fixture pack as they stand in the pins file."""

from __future__ import annotations

import msgspec

from gate.hashing.pack import Entry
from gate.octets import Wire, from_wire, to_wire


class PinnedFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="file"):
    """A file of the fixture pack."""

    path: Wire
    executable: bool
    size: int
    sha256: str


class PinnedLink(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="link"):
    """A symbolic link of the fixture pack."""

    path: Wire
    target: Wire


class PinnedDirectory(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="directory"
):
    """An empty folder of the fixture pack."""

    path: Wire


PinnedEntry = PinnedFile | PinnedLink | PinnedDirectory
"""Told apart by the key `kind`."""


def to_pinned(entry: Entry) -> PinnedEntry:
    """How an entry is written."""
    path = to_wire(entry.path)
    match entry.kind:
        case "file":
            return PinnedFile(path=path, executable=entry.executable, size=entry.size, sha256=entry.sha256)
        case "link":
            return PinnedLink(path=path, target=to_wire(entry.target))
        case "directory":
            return PinnedDirectory(path=path)


def from_pinned(pinned: PinnedEntry) -> Entry:
    """The entry that was written. Raises ValueError for a path that leaves the folder and for fields that do not fit."""
    path = from_wire(pinned.path)
    match pinned:
        case PinnedFile():
            return Entry(path=path, kind="file", executable=pinned.executable, size=pinned.size, sha256=pinned.sha256)
        case PinnedLink():
            return Entry(path=path, kind="link", target=from_wire(pinned.target))
        case PinnedDirectory():
            return Entry(path=path, kind="directory")
