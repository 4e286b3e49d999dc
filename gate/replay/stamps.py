"""What tells whether anything below a folder was touched: modes, inodes, owners, sizes and times, by lstat alone."""

from __future__ import annotations

import os
import stat

Stamp = tuple[int, int, int, int, int, int]
"""Mode, inode, owner, size, mtime, ctime: a change moves one of them, where times tell of it (`gate.replay.times`)."""

_ROUND_NS = 10_000_000

Stamps = dict[bytes, Stamp]
"""By path from a folder on, without a slash before it; the folder itself is the empty path."""


def stamps(root: bytes) -> Stamps:
    """The stamps of `root` and all below. Links are not followed. Raises OSError for what cannot be seen."""
    found: Stamps = {b"": stamp(root)}
    cut = len(root) + 1
    todo = [root]
    while todo:
        with os.scandir(todo.pop()) as listing:
            for item in listing:
                status = item.stat(follow_symlinks=False)
                found[item.path[cut:]] = _stamp(status)
                if stat.S_ISDIR(status.st_mode):
                    todo.append(item.path)
    return found


def stamp(path: bytes) -> Stamp:
    """The stamp of one path. Raises OSError."""
    return _stamp(os.lstat(path))


def untouched(root: bytes, before: Stamps) -> frozenset[bytes]:
    """The paths below `root` that bear the stamps of `before`; a folder only where all below it does. Raises OSError.

    `before` is old enough that the clock of file times has moved since. A time of change in round figures is that of a file system that
    counts in hundredths of a second, or in seconds: what bears it counts as touched.
    """
    now = stamps(root)
    touched = {path for path in now.keys() | before.keys() if before.get(path) != now.get(path)}
    touched |= {path for path, mark in now.items() if mark[-1] % _ROUND_NS == 0}
    for path in tuple(touched):
        around = path.rpartition(b"/")[0]
        while around not in touched:
            touched.add(around)
            around = around.rpartition(b"/")[0]
    return frozenset(now) - touched


def _stamp(status: os.stat_result) -> Stamp:
    return (
        status.st_mode,
        status.st_ino,
        status.st_uid,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )
