"""The fresh directories of a case: work (a copy of the fixture pack), home and tmp (both empty)."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Set
from dataclasses import dataclass
from hashlib import file_digest, sha256

from gate.domain import CaseId

FIXED_TIME = 1_000_000_000
"""Modification time of every fixture and of every folder in a fresh directory, in seconds: 2001-09-09T01:46:40Z.

Both sides see the same, so a program that prints times or sorts by them says the same.
"""

_SMALL_FILE = 1 << 16
_SMALL_FILES = 1 << 24

LEAST_FREE = 1 << 20
"""Bytes of free disk below which what a step did may have failed for want of room."""


def case_folder(case: CaseId) -> str:
    """The name of a case's directory in a slot: always 11 characters, a function of the id alone."""
    return "c" + sha256(case.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def is_full(folder: bytes) -> bool:
    """Whether the disk below `folder` has no room left for a user like us: fewer bytes than `LEAST_FREE`, or no new file."""
    disk = os.statvfs(folder)
    blocks, files = (disk.f_bavail, disk.f_favail) if os.geteuid() else (disk.f_bfree, disk.f_ffree)
    return (disk.f_blocks > 0 and blocks * disk.f_frsize < LEAST_FREE) or (disk.f_files > 0 and files == 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The directories of one case, absolute."""

    root: bytes

    @property
    def work(self) -> bytes:
        """Where the steps start."""
        return self.root + b"/work"

    @property
    def home(self) -> bytes:
        """HOME."""
        return self.root + b"/home"

    @property
    def tmp(self) -> bytes:
        """TMPDIR."""
        return self.root + b"/tmp"


class Template:
    """The fixture pack, ready to be copied many times. Small files are held in memory, 16 MiB at most."""

    __slots__ = ("_digests", "_files", "_folders", "_links", "_root")

    def __init__(self, root: bytes) -> None:
        """Read what stands at `root`, which nobody changes from now on. A missing folder is an empty pack."""
        self._root = root
        self._folders: list[bytes] = []
        self._links: list[tuple[bytes, bytes]] = []
        self._files: list[tuple[bytes, int, bytes | None]] = []
        self._digests: dict[bytes, str] = {}
        room = _SMALL_FILES
        todo = [b""]
        while todo and os.path.isdir(root):  # noqa: PTH112 - bytes
            prefix = todo.pop()
            with os.scandir(root + b"/" + prefix) as listing:
                items = sorted(listing, key=lambda item: item.name)
            for item in items:
                name = prefix + item.name
                if item.is_symlink():
                    self._links.append((name, os.readlink(item.path)))  # noqa: PTH115 - bytes
                elif item.is_dir(follow_symlinks=False):
                    self._folders.append(name)
                    todo.append(name + b"/")
                else:
                    room = self._add_file(name, item.path, item.stat(follow_symlinks=False), room)

    def _add_file(self, name: bytes, path: bytes, status: os.stat_result, room: int) -> int:
        data = None
        if status.st_size <= min(_SMALL_FILE, room):
            with open(path, "rb", buffering=0) as stream:  # noqa: PTH123 - bytes
                data = stream.read()
            room -= len(data)
        self._files.append((name, stat.S_IMODE(status.st_mode), data))
        return room

    def digest(self, name: bytes) -> str:
        """Hex SHA-256 of the fixture file `name`."""
        if name not in self._digests:
            with open(self._root + b"/" + name, "rb") as stream:  # noqa: PTH123 - bytes
                self._digests[name] = file_digest(stream, "sha256").hexdigest()
        return self._digests[name]

    def lay(self, place: Place) -> None:
        """Make the directories of `place` anew. Raises OSError."""
        if os.path.lexists(place.root):
            remove(place.root)
        self._make(place, _Movable(None, frozenset()))

    def lay_from(self, used: Place, place: Place, untouched: Set[bytes]) -> None:
        """Make the directories of `place`, which is missing, anew, with what nobody touched in `used`. Raises OSError.

        `untouched`: paths as `gate.replay.stamps` gives them, a folder with all below. To make all files of a large pack anew for each
        case is what a replay would spend its time on: ext4 gives the inode of a removed file to no new one for a minute, and steps over
        each of those whenever it makes a file. All times are as if everything were new: they tell nothing of the case before.
        """
        self._make(place, _Movable(used, untouched))

    def _make(self, place: Place, movable: _Movable) -> None:
        for folder in (place.root, place.work, place.home, place.tmp):
            os.mkdir(folder)  # noqa: PTH102 - bytes
        work = place.work + b"/"
        times = (FIXED_TIME, FIXED_TIME)
        # What moves comes in its turn: some file systems list names in the order in which they came.
        for name in self._folders:
            if not movable.moved(name, work):
                os.mkdir(work + name)  # noqa: PTH102 - bytes
        for name, mode, data in self._files:
            if not movable.moved(name, work):
                self._lay_file(work + name, name, mode, data)
            os.utime(work + name, times)
        for name, target in self._links:
            if not movable.moved(name, work):
                os.symlink(target, work + name)  # noqa: PTH211 - bytes
            os.utime(work + name, times, follow_symlinks=False)
        # Deepest first and last of all: making a name in a folder moves the folder's time.
        for folder in (*(work + name for name in reversed(self._folders)), place.work, place.home, place.tmp):
            os.utime(folder, times)

    def _lay_file(self, path: bytes, name: bytes, mode: int, data: bytes | None) -> None:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with open(handle, "wb", buffering=0) as stream:  # noqa: PTH123 - a handle
            if data is not None:
                stream.write(data)
            else:
                with open(self._root + b"/" + name, "rb", buffering=0) as source:  # noqa: PTH123 - bytes
                    shutil.copyfileobj(source, stream, 1 << 20)


class _Movable:
    """What moves from the directories of an earlier case and is not made anew."""

    __slots__ = ("_moved", "_untouched", "_used")

    def __init__(self, used: Place | None, untouched: Set[bytes]) -> None:
        self._used = used
        self._untouched = untouched
        self._moved: set[bytes] = set()

    def moved(self, name: bytes, work: bytes) -> bool:
        """Whether that name stands below `work` by now: with the folder around it, or moved there by itself. Folders come first."""
        if name.rpartition(b"/")[0] not in self._moved:
            if self._used is None or b"work/" + name not in self._untouched:
                return False
            os.rename(self._used.work + b"/" + name, work + name)  # noqa: PTH104 - bytes
        self._moved.add(name)
        return True


_DEEP = 2000
"""Bytes of a path below the folder that is removed, far below what the system takes."""


def remove(path: bytes) -> None:
    """Remove a folder and all below, whatever modes its folders have; a missing one is fine. Links are not followed.

    Raises OSError for what cannot be removed.
    """
    if os.path.islink(path):  # noqa: PTH114 - bytes
        os.unlink(path)  # noqa: PTH108 - bytes
        return
    try:
        _remove(path)
    except PermissionError:
        _open_up(path)
        _remove(path)


def _remove(path: bytes) -> None:
    """Level by level and not by recursion: a program can nest folders deeper than Python nests calls, and than a path can name.

    What lies too deep is first moved up to the top.
    """
    todo = [path] if os.path.lexists(path) else []
    folders: list[bytes] = []
    while todo:
        folder = todo.pop()
        if len(folder) - len(path) > _DEEP:
            near = path + b"/.deep%d" % len(folders)
            os.rename(folder, near)  # noqa: PTH104 - bytes
            folder = near
        folders.append(folder)
        with os.scandir(folder) as listing:
            for item in listing:
                if item.is_dir(follow_symlinks=False):
                    todo.append(item.path)
                else:
                    os.unlink(item.path)  # noqa: PTH108 - bytes
    for folder in reversed(folders):
        os.rmdir(folder)  # noqa: PTH106 - bytes


def _open_up(path: bytes) -> None:
    todo = [path]
    while todo:
        folder = todo.pop()
        os.chmod(folder, 0o700)  # noqa: PTH101 - bytes
        with os.scandir(folder) as listing:
            todo += [item.path for item in listing if item.is_dir(follow_symlinks=False)]
