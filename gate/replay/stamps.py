"""What tells whether anything below a folder was touched: modes, inodes, owners, sizes and times, by lstat alone."""

from __future__ import annotations

import os
import stat

from gate.replay.snapshot import is_recent

Stamp = tuple[int, int, int, int, int, int]
"""Mode, inode, owner, size, mtime, ctime: whatever is changed moves one of them."""

Stamps = dict[bytes, Stamp]
"""By path from a folder on; the folder itself is the empty path."""


def stamps(root: bytes) -> Stamps:
    """The stamps of `root` and all below. Links are not followed. Raises OSError for what cannot be seen."""
    return _walk(root)[0]


def stamp(path: bytes) -> Stamp:
    """The stamp of one path. Raises OSError."""
    return _stamp(os.lstat(path))


def untouched(
    root: bytes, before: Stamps, *, since: int | None, read_at: int
) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """The paths below `root` that nobody has touched, and those of them, folders apart, that were read since.

    A folder is untouched when all below it is. `before`: the stamps of old; what they show as changed at the time `since`, in
    nanoseconds, or later counts as touched, since times move in ticks; None where they move with each change. `read_at`: the access
    time of what nobody read, in nanoseconds. Raises OSError for what cannot be seen.
    """
    now, accessed = _walk(root)
    touched = {path for path in now.keys() | before.keys() if _moved(before.get(path), now.get(path), since)}
    for path in tuple(touched):
        around = path.rpartition(b"/")[0]
        while around not in touched:
            touched.add(around)
            around = around.rpartition(b"/")[0]
    return frozenset(now) - touched, frozenset(path for path, at in accessed.items() if at != read_at) - touched


def _moved(old: Stamp | None, new: Stamp | None, since: int | None) -> bool:
    return old is None or old != new or (since is not None and is_recent(old[-1], since))


def _walk(root: bytes) -> tuple[Stamps, dict[bytes, int]]:
    """Stamps, and the access times of what is no folder."""
    found: Stamps = {b"": stamp(root)}
    accessed: dict[bytes, int] = {}
    cut = len(root)
    todo = [root]
    while todo:
        with os.scandir(todo.pop()) as listing:
            for item in listing:
                status = item.stat(follow_symlinks=False)
                path = item.path[cut:]
                found[path] = _stamp(status)
                if stat.S_ISDIR(status.st_mode):
                    todo.append(item.path)
                else:
                    accessed[path] = status.st_atime_ns
    return found, accessed


def _stamp(status: os.stat_result) -> Stamp:
    return (
        status.st_mode,
        status.st_ino,
        status.st_uid,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )
