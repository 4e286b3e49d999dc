"""A folder as a value: its entries, its digest, and how it is read from disk."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import FileIO
from itertools import pairwise
from pathlib import Path
from typing import Literal

from gate.errors import BuildError, FixtureError, GateError
from gate.hashing.framing import framed_digest
from gate.hashing.links import escapes
from gate.hashing.names import ancestors, collision, composed, shown, spelled

PACK_RECIPE = "gate-pack-1"
"""Names the recipe of a pack's digest. A change of the recipe is a change of this name."""

OWN_NAMES = frozenset({b".git", b".gate"})
"""Top-level names that are no part of a build tree: they differ between two checkouts of one commit."""

CACHES = frozenset({b"__pycache__", b".pytest_cache", b".hypothesis"})
"""Folders that Python, pytest and Hypothesis leave beside property files. They are no part of a property."""

Kind = Literal["file", "link", "directory"]

_LFS = b"version https://git-lfs.github.com/spec/v1"
_HEX = re.compile(r"[0-9a-f]{64}")
_SMALL = 1 << 18
_SPECIAL = ("is a special file (FIFO, socket or device)", "Remove it: only files, links and folders have a content.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file, a link or an empty directory. Impossible combinations raise ValueError."""

    path: bytes
    """Relative to the folder, `/` between names, never `.` or `..`: safe to join to a folder."""
    kind: Kind
    executable: bool = False
    """The owner's executable bit, the only one that counts. False unless a file."""
    size: int = 0
    """Bytes of a file; 0 for the other kinds."""
    sha256: str = ""
    """Hex digest of a file's raw bytes; empty for the other kinds."""
    target: bytes = b""
    """The text of a link; empty for the other kinds."""

    def __post_init__(self) -> None:
        names = self.path.split(b"/")
        if b"" in names or b"." in names or b".." in names or b"\0" in self.path:
            raise ValueError(f"not a path inside a folder: {shown(self.path)}")
        if self.kind == "file":
            well = self.size >= 0 and _HEX.fullmatch(self.sha256) is not None and not self.target
        else:
            well = not (self.executable or self.size or self.sha256)
            well = well and (self.kind == "link") == bool(self.target) and b"\0" not in self.target
        if not well:
            raise ValueError(f"fields do not fit a {self.kind}: {shown(self.path)}")

    @property
    def mode(self) -> str:
        """`755` or `644` for a file: what a copy of it gets."""
        return "755" if self.executable else "644"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """What a folder holds. Raises ValueError unless the paths are sorted, different, and none lies under another."""

    entries: tuple[Entry, ...] = ()
    """Sorted by path bytes. A directory is an entry only where it is empty."""

    def __post_init__(self) -> None:
        paths = [entry.path for entry in self.entries]
        for before, after in pairwise(paths):
            if before >= after:
                raise ValueError(f"entries are not sorted or not unique at {shown(after)}")
        known = set(paths)
        for path in paths:
            for above in ancestors(path):
                if above in known:
                    raise ValueError(f"{shown(path)} lies under {shown(above)}, which is an entry itself")

    @property
    def digest(self) -> str:
        """`gate-pack-1:sha256:HEX` over all entries; an empty pack has one too."""
        return framed_digest(
            PACK_RECIPE, ((e.path, e.kind, e.executable, e.size, e.sha256, e.target) for e in self.entries)
        )


def scan_pack(folder: Path) -> Pack:
    """The fixture pack in `folder`; a missing folder is an empty pack.

    Raises FixtureError naming the file for what cannot be the same everywhere: a special or unreadable file, a git-lfs
    pointer, a link that is absolute or leads out of the folder, names that differ in letter case or unicode form alone.
    """
    try:
        folder.lstat()
    except FileNotFoundError:
        return Pack()
    except OSError as error:
        raise _unreadable(os.fsencode(folder), error, _of_fixture) from error
    pack = _scan(os.fsencode(folder), frozenset(), _of_fixture, pointers=False)
    require_portable(pack)
    return pack


def scan_properties(folder: Path) -> Pack:
    """The property files in `folder` and what stands beside them, without what test runs leave behind. Raises as `scan_pack` does."""
    entries = scan_pack(folder).entries
    return Pack(entries=tuple(entry for entry in entries if not CACHES.intersection(entry.path.split(b"/"))))


def scan_tree(folder: Path, *, skip: frozenset[bytes] = OWN_NAMES) -> Pack:
    """A build's tree, any links and any names in it, without the top-level names in `skip`.

    Raises BuildError for a missing folder (silence is not a build), a special file and an unreadable one.
    """
    return _scan(os.fsencode(folder), skip, _of_tree, pointers=True)


def require_portable(pack: Pack) -> None:
    """Raise FixtureError unless the pack stays inside its folder and unpacks to the same names on every file system."""
    links = {entry.path: entry.target for entry in pack.entries if entry.kind == "link"}
    for path, target in links.items():
        if target.startswith(b"/") or escapes(path, links):
            how = "is absolute" if target.startswith(b"/") else "leads out of the fixtures"
            raise FixtureError(
                f"fixture {shown(path)}: expected a link inside the fixtures, but {shown(target)} {how}",
                next_step="Put what it points to among the fixtures, or remove the link.",
            )
    pair = collision(entry.path for entry in pack.entries)
    if pair is not None:
        first, second = pair
        way = "unicode form" if composed(first) == composed(second) else "letter case"
        raise FixtureError(
            f"fixtures {spelled(first)} and {spelled(second)} differ only in {way}: they are one file on some systems",
            next_step="Rename one of them.",
        )


Refusal = Callable[[bytes, str, str], GateError]


def _of_fixture(path: bytes, fault: str, next_step: str) -> GateError:
    return FixtureError(f"fixture {shown(path)}: {fault}", next_step=next_step)


def _of_tree(path: bytes, fault: str, next_step: str) -> GateError:
    return BuildError(f"file {shown(path)} of the build: {fault}", next_step=next_step)


def _scan(root: bytes, skip: frozenset[bytes], refusal: Refusal, *, pointers: bool) -> Pack:
    try:
        a_folder = stat.S_ISDIR(os.lstat(root).st_mode)
    except OSError as error:
        raise _unreadable(root, error, refusal) from error
    if not a_folder:
        raise refusal(root, "expected a folder, got a file or a link", "Make it a folder of its own.")
    found = sorted(_walk(root, skip, refusal, pointers=pointers), key=lambda entry: entry.path)
    return Pack(entries=tuple(found))


def _walk(root: bytes, skip: frozenset[bytes], refusal: Refusal, *, pointers: bool) -> Iterator[Entry]:
    todo = [b""]
    while todo:
        prefix = todo.pop()
        found = _listing(root, prefix, refusal)
        if prefix and not found:
            yield Entry(path=prefix.removesuffix(b"/"), kind="directory")
        for item in found:
            path = prefix + item.name
            if path in skip:
                continue
            if item.is_symlink():
                yield Entry(path=path, kind="link", target=os.readlink(item.path))  # noqa: PTH115 - no bytes in pathlib
            elif item.is_dir(follow_symlinks=False):
                todo.append(path + b"/")
            elif item.is_file(follow_symlinks=False):
                yield _file(path, item.path, refusal, pointers=pointers)
            else:
                raise refusal(path, *_SPECIAL)


def _listing(root: bytes, prefix: bytes, refusal: Refusal) -> list[os.DirEntry[bytes]]:
    try:
        with os.scandir(root + b"/" + prefix) as listing:
            return list(listing)
    except OSError as error:
        raise _unreadable(prefix or root, error, refusal) from error


def _unreadable(path: bytes, error: OSError, refusal: Refusal) -> GateError:
    return refusal(path, f"cannot be read: {error.strerror}", "Give the gate permission to read it, or remove it.")


def _file(path: bytes, place: bytes, refusal: Refusal, *, pointers: bool) -> Entry:
    try:
        # O_NONBLOCK: should a FIFO have taken the file's place meanwhile, its open would wait for a writer.
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb", buffering=0) as stream:  # noqa: PTH123 - a handle, not a path
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise refusal(path, *_SPECIAL)
            return _regular(path, stream, status, refusal, pointers=pointers)
    except OSError as error:
        raise _unreadable(path, error, refusal) from error


def _regular(path: bytes, stream: FileIO, status: os.stat_result, refusal: Refusal, *, pointers: bool) -> Entry:
    # Most files are small, and one read of those is several times as quick as `file_digest`.
    head = stream.read(_SMALL)
    if not pointers and head.startswith(_LFS):
        raise refusal(path, "expected the data, got a git-lfs pointer to it", "Fetch the data: run git lfs pull")
    if len(head) == status.st_size:
        digest = hashlib.sha256(head)
    else:
        stream.seek(0)
        digest = hashlib.file_digest(stream, "sha256")
    if stream.tell() != status.st_size:
        raise refusal(path, "changed while it was read", "Stop what writes to it, and run again.")
    return Entry(
        path=path,
        kind="file",
        executable=bool(status.st_mode & stat.S_IXUSR),
        size=status.st_size,
        sha256=digest.hexdigest(),
    )
