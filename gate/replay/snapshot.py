"""What stands below some folders, by lstat alone: names, kinds, and what tells whether a file was touched."""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from gate.errors import ReplayError

Mark = tuple[int, int, int, int, int]
"""Mode, size, mtime, ctime, inode; for a folder the mode alone, since its times tell of names that are seen anyway."""

Stamp = tuple[int, int, int]
"""The mtime, ctime and inode of a folder, which move when a name is made or removed in it."""

Names = tuple[tuple[bytes, bytes], ...]
"""Names as in a record, each with its path."""

MAX_ENTRIES = 100_000
"""Names below the folders of one case. More are refused: a record with a line for each would be of no use."""

_COARSE_SECONDS = 2
_ROUND_NS = 10_000_000
_CLOCK_REALTIME_COARSE = 5  # linux/time.h; Python has no name for it

_PROBES = 4
_TICK_NS = 10_000_000


class Globs:
    """Paths that are left out. Raises ValueError never: every text is a pattern.

    A pattern covers a whole path, as it stands in a record: `NAME` in the working directory, `~/NAME`, `$TMPDIR/NAME`.
    `*` and `?` stay within a name, `**` crosses names, `**/` at the start also matches nothing. What lies below a folder
    that is left out is left out too.
    """

    __slots__ = ("_match",)

    def __init__(self, patterns: Sequence[str]) -> None:
        either = "|".join(_translated(pattern) for pattern in patterns)
        self._match = re.compile(os.fsencode(either), re.DOTALL).fullmatch if patterns else None

    def cover(self, path: bytes) -> bool:
        """Whether `path` is left out by itself."""
        return self._match is not None and self._match(path) is not None

    def __bool__(self) -> bool:
        return self._match is not None


def _translated(pattern: str) -> str:
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    wild = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(wild.get(part) or re.escape(part) for part in parts)


class Snapshot:
    """One look at the folders of a case."""

    __slots__ = ("_opened", "fresh", "listed", "marks")

    def __init__(self) -> None:
        self.marks: dict[bytes, Mark] = {}
        """By name as in a record."""
        self.fresh: set[bytes] = set()
        """Names changed so recently that a later change could leave no mark: times move in ticks of some milliseconds."""
        self.listed: dict[bytes, tuple[Stamp, Names]] = {}
        """Folders by path, as far as their times will move with the next name that is made or removed in them."""
        self._opened: list[tuple[bytes, int]] = []

    def listing(self, folder: bytes) -> list[bytes]:
        """The names in `folder`; one that its own mode shuts is opened, until `shut`. Raises OSError."""
        try:
            return os.listdir(folder)  # noqa: PTH208 - bytes
        except PermissionError:
            mode = stat.S_IMODE(os.lstat(folder).st_mode)
            if mode & 0o700 == 0o700:
                raise
            os.chmod(folder, 0o700)  # noqa: PTH101 - bytes
            self._opened.append((folder, mode))
            return self.listing(folder)

    def shut(self) -> None:
        """Give the folders that had to be opened their modes back."""
        while self._opened:
            folder, mode = self._opened.pop()
            os.chmod(folder, mode)  # noqa: PTH101 - bytes


def look(roots: Sequence[tuple[bytes, bytes]], globs: Globs, before: Snapshot | None = None) -> Snapshot:
    """See what stands in `roots`, pairs of a record name (`.`, `~`, `$TMPDIR`) and a folder. Links are not followed.

    A root that is gone, or is no folder any more, has no names below it. A folder that bears the same times as `before` is
    not listed again (give None where `folder_times` is false); what stands in it is looked at all the same. The caller shuts
    the snapshot when it has read what it wants. Raises ReplayError for too many names, OSError for what cannot be seen.
    """
    seen = Snapshot()
    since = tick()
    known = {} if before is None else before.listed
    for name, root in roots:
        try:
            status = os.lstat(root)
        except FileNotFoundError:
            continue
        seen.marks[name] = (status.st_mode, 0, 0, 0, 0)
        if stat.S_ISDIR(status.st_mode):
            _below(seen, known, (b"" if name == b"." else name + b"/", root, status), globs, since)
    return seen


def _below(
    seen: Snapshot,
    known: Mapping[bytes, tuple[Stamp, Names]],
    top: tuple[bytes, bytes, os.stat_result],
    globs: Globs,
    since: int,
) -> None:
    marks = seen.marks
    todo = [top]
    while todo:
        prefix, folder, status = todo.pop()
        stamp = (status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        held = known.get(folder)
        names = (
            held[1] if held is not None and held[0] == stamp else _names(seen.listing(folder), prefix, folder, globs)
        )
        if not is_recent(status.st_ctime_ns, since):
            seen.listed[folder] = (stamp, names)
        for name, path in names:
            status = os.lstat(path)
            mode = status.st_mode
            if stat.S_ISDIR(mode):
                marks[name] = (mode, 0, 0, 0, 0)
                todo.append((name + b"/", path, status))
                continue
            changed = status.st_ctime_ns
            marks[name] = (mode, status.st_size, status.st_mtime_ns, changed, status.st_ino)
            if is_recent(changed, since):
                seen.fresh.add(name)
        if len(marks) > MAX_ENTRIES:
            raise ReplayError(
                f"a step left more than {MAX_ENTRIES} files: too many to record",
                next_step="Give the step less to do, or leave those paths out with replay.ignore_files.",
            )


def _names(found: Sequence[bytes], prefix: bytes, folder: bytes, globs: Globs) -> Names:
    """The names of a record for the names found in `folder`, and their paths; those that are left out are missing."""
    # Without the `./` a file called `~` could pass for the home directory.
    full = [(prefix if prefix or item[:1] not in (b"~", b"$") else b"./") + item for item in found]
    pairs = [(name, folder + b"/" + item) for name, item in zip(full, found, strict=True)]
    return tuple(pair for pair in pairs if not globs.cover(pair[0])) if globs else tuple(pairs)


def is_recent(changed: int, since: int) -> bool:
    """Whether what was changed at the time `changed` could be changed again without its time moving."""
    return changed >= since or (changed % _ROUND_NS == 0 and changed >= since - _COARSE_SECONDS * 1_000_000_000)


def tick() -> int:
    """A file that is changed from now on gets at least this time.

    Linux stamps files with the coarse clock. Elsewhere the stamp's precision is unknown, so two seconds count as now.
    """
    if sys.platform == "linux":
        return time.clock_gettime_ns(_CLOCK_REALTIME_COARSE)
    return time.time_ns() - _COARSE_SECONDS * 1_000_000_000


def _own_name(folder: bytes, prefix: bytes) -> bytes:
    """A name that no other worker takes: not the process id, which is 1 in every sandbox."""
    return folder + b"/" + prefix + b"-" + os.urandom(8).hex().encode()


def fine_times(folder: bytes) -> bool:
    """Whether the file system of `folder` gives two writes right after each other two times, when the first was looked at between.

    Linux does since 6.13 on most file systems; before, and elsewhere, times move in ticks of some milliseconds.
    """
    path = _own_name(folder, b".times")
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        times = set()
        for _ in range(_PROBES):
            os.pwrite(handle, b"x", 0)
            times.add(os.fstat(handle).st_mtime_ns)
        return len(times) == _PROBES
    finally:
        os.close(handle)
        os.unlink(path)  # noqa: PTH108 - bytes


def folder_times(folder: bytes) -> bool:
    """Whether the file system of `folder` moves the times of a folder when a name is made or removed in it: most do."""
    path = _own_name(folder, b".names")
    inside = path + b"/name"
    os.mkdir(path, 0o700)  # noqa: PTH102 - bytes
    try:
        os.utime(path, (0, 0))
        old = os.lstat(path).st_mtime_ns
        os.close(os.open(inside, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        made = os.lstat(path).st_mtime_ns
        os.utime(path, (0, 0))
        os.unlink(inside)  # noqa: PTH108 - bytes
        return old not in (made, os.lstat(path).st_mtime_ns)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(inside)  # noqa: PTH108 - bytes
        os.rmdir(path)  # noqa: PTH106 - bytes


def wait_a_tick() -> None:
    """Wait until the clock of file times has moved, at most some milliseconds: what is written from now on bears a later time."""
    before = time.time_ns() if sys.platform != "linux" else tick()
    while (time.time_ns() - _TICK_NS if sys.platform != "linux" else tick()) <= before:
        time.sleep(0.001)
