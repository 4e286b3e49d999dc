"""What the times of files tell, and where they do not: file systems differ."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from mmap import mmap

_COARSE_SECONDS = 2
_ROUND_NS = 10_000_000
_CLOCK_REALTIME_COARSE = 5  # linux/time.h; Python has no name for it
_PROBES = 4
_TICK_NS = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """What the times of a file system tell."""

    fine: bool
    """Two writes right after each other leave two times, when the first was looked at between; else times move in ticks."""
    folder: bool
    """The times of a folder move when a name is made or removed in it; else only a listing tells."""
    mapped: bool
    """The times of a file move when it is written through a mapping; else only its content tells."""


def times_of(folder: bytes) -> Times:
    """Try it out in `folder`. Raises OSError."""
    return Times(fine=_fine(folder), folder=_folder(folder), mapped=_mapped(folder))


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


def _fine(folder: bytes) -> bool:
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


def _mapped(folder: bytes) -> bool:
    """Whether the file system of `folder` moves the times of a file that is written through a mapping which was read first.

    Most do; tmpfs maps the page for writing at once and hears of no write. There only its content tells what a file holds.
    """
    path = _own_name(folder, b".times")
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, b"read")
        os.utime(handle, (0, 0))
        with mmap(handle, 1) as mapped:
            mapped[0] = mapped[0] ^ 1
        return os.fstat(handle).st_mtime_ns != 0
    finally:
        os.close(handle)
        os.unlink(path)  # noqa: PTH108 - bytes


def _folder(folder: bytes) -> bool:
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
