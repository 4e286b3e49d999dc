"""What stands below some folders, by lstat alone: names, kinds, and what tells whether a file was touched."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping, Sequence

from gate.errors import ReplayError
from gate.replay.times import Times, is_recent, tick

Mark = tuple[int, int, int, int, int]
"""Mode, size, mtime, ctime, inode; for a folder the mode alone, since its times tell of names that are seen anyway."""

Stamp = tuple[int, int, int]
"""The mtime, ctime and inode of a folder, which move when a name is made or removed in it."""

Names = tuple[tuple[bytes, bytes], ...]
"""Names as in a record, each with its path."""

MAX_ENTRIES = 100_000
"""Names below the folders of one case. More are refused: a record with a line for each would be of no use."""


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
        """Names of which a later change could leave no mark: changed so recently, as times move in ticks of some milliseconds, or where
        times do not tell of all that is written."""
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


def look(roots: Sequence[tuple[bytes, bytes]], globs: Globs, times: Times, before: Snapshot | None = None) -> Snapshot:
    """See what stands in `roots`, pairs of a record name (`.`, `~`, `$TMPDIR`) and a folder. Links are not followed.

    A root that is gone, or is no folder any more, has no names below it. A folder that bears the same times as `before` is
    not listed again, where times tell of names; what stands in it is looked at all the same. Where they do not tell of what is written
    through a mapping all names are fresh. The caller shuts
    the snapshot when it has read what it wants. Raises ReplayError for too many names, OSError for what cannot be seen.
    """
    seen = Snapshot()
    since = tick() if times.mapped else 0
    known = before.listed if before is not None and times.folder else {}
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
