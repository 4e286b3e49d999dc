"""Where records go: a folder, one file an invocation, and each content of a file once.

Runs inside other people's processes, under any Python from 3.8 on: nothing but the standard library, and little of that.
A line of a record is the `repr` of a dictionary, which is exact for any bytes and needs no import to write.
"""

from __future__ import annotations

import os
import stat
import tempfile
from typing import IO

MOST_FILE = 64 * 1024
"""Bytes of a file that is kept."""
MOST_INVOCATION = 256 * 1024
"""Bytes of all files of one invocation."""
MOST_FILES = 100
"""Files of one invocation."""
MOST_RECORDS = 5000
"""Invocations of one process."""

_SKIPPED = frozenset(
    [
        ".git",
        ".hg",
        ".svn",
        ".gate",
        "__pycache__",
        ".pytest_cache",
        ".hypothesis",
        ".mypy_cache",
        ".ruff_cache",
        "node_modules",
    ]
)


class Folder:
    """The folder of one recording, as a process of it sees it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.root = ""
        """The project, once it is known."""
        self._count = 0

    def start(self, record: dict[str, object]) -> str | None:
        """Write the first line of a new record, whole or not at all; the path of it, or None once there are too many."""
        if self._count >= MOST_RECORDS:
            return None
        self._count += 1
        name = os.path.join(self.path, "records", "%d-%d" % (os.getpid(), self._count))
        self._write(name + ".new", (repr(record) + "\n").encode("utf-8", "surrogatepass"))
        os.rename(name + ".new", name)
        return name

    def more(self, name: str, record: dict[str, object]) -> None:
        """Add a line to a record."""
        self._append(name, (repr(record) + "\n").encode("utf-8", "surrogatepass"))

    def fault(self, error: BaseException) -> None:
        """Note that the recorder itself failed; never raises."""
        try:
            last = error.__traceback__
            while last is not None and last.tb_next is not None:
                last = last.tb_next
            where = last.tb_frame.f_code.co_name if last is not None else "?"
            text = "%s: %s (in %s)" % (type(error).__name__, error, where)
            self._append(os.path.join(self.path, "faults"), (repr(text[:300]) + "\n").encode("utf-8", "surrogatepass"))
        except Exception:
            return

    def keep(self, data: bytes) -> str:
        """Store a content; its hex SHA-256."""
        import hashlib

        digest = hashlib.sha256(data).hexdigest()
        name = os.path.join(self.path, "contents", digest)
        if not os.path.exists(name):
            new = "%s.%d.new" % (name, os.getpid())
            self._write(new, data)
            os.rename(new, name)
        return digest

    @staticmethod
    def _write(name: str, data: bytes) -> None:
        with open(name, "wb") as stream:
            stream.write(data)

    @staticmethod
    def _append(name: str, data: bytes) -> None:
        handle = os.open(name, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.write(handle, data)
        finally:
            os.close(handle)


class Snapshot:
    """Files as they are now: relative name to hex digest, or to `!` and why the content was not kept."""

    def __init__(self, folder: Folder) -> None:
        self.files: dict[str, str] = {}
        self.whole = True
        """False once a bound was met: there is more than `files` says."""
        self._folder = folder
        self._bytes = 0

    def tree(self, path: str, prefix: str = "") -> None:
        """Take all regular files below a folder; all else, and the folders of version control and caches, is passed by."""
        todo = [prefix]
        while todo:
            below = todo.pop()
            try:
                names = sorted(os.listdir(os.path.join(path, below)))
            except OSError:
                self.whole = False
                continue
            for name in names:
                relative = below + name
                full = os.path.join(path, relative)
                if name in _SKIPPED or os.path.islink(full):
                    continue
                if os.path.isdir(full):
                    todo.append(relative + "/")
                elif not os.path.isfile(full):
                    continue
                elif len(self.files) >= MOST_FILES:
                    self.whole = False
                    return
                else:
                    self.one(full, relative)

    def one(self, full: str, relative: str) -> None:
        """Take one file; anything but a regular one is told as such."""
        if relative not in self.files:
            self.files[relative] = self._read(full)

    def _read(self, full: str) -> str:
        if not os.path.isfile(full):
            return "!it is no regular file"
        try:
            real = os.path.realpath(full)
            if self._leads_out(real):
                return "!a link leads to it, out of the project and of its directory"
            handle = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(handle, "rb") as stream:
                return self._taken(stream, os.fstat(handle))
        except OSError:
            return "!it cannot be read"

    def _taken(self, stream: IO[bytes], found: os.stat_result) -> str:
        if not stat.S_ISREG(found.st_mode):
            return "!it is no regular file"
        if found.st_size > MOST_FILE:
            return "!it is larger than %d KiB" % (MOST_FILE // 1024)
        if self._bytes + found.st_size > MOST_INVOCATION:
            return "!the files of one invocation are more than %d KiB" % (MOST_INVOCATION // 1024)
        data = stream.read(MOST_FILE + 1)
        self._bytes += len(data)
        return self._folder.keep(data)

    def _leads_out(self, real: str) -> bool:
        """Whether a file, its links followed, is neither in the project, nor below the working directory, nor temporary."""
        places = (self._folder.root, os.getcwd(), tempfile.gettempdir())
        return not any(real.startswith(os.path.realpath(place).rstrip("/") + "/") for place in places if place)
