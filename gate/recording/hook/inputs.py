"""Standard input of an invocation, without changing what the program reads."""

from __future__ import annotations

import io
import os
import stat
import sys
from typing import Any, Callable

MOST_INPUT = 64 * 1024
"""Bytes of a standard input that is kept."""


def given(stream: Any) -> dict[str, object]:
    """What is left to read in a stream that stands in for standard input, without reading it.

    `stdin` is the bytes, None where there is none; `note` says what it was where that is not known.
    """
    for _ in range(6):
        if isinstance(stream, io.BytesIO):
            return _bounded(stream.getvalue()[stream.tell() :])
        if isinstance(stream, io.StringIO):
            return _bounded(stream.getvalue()[stream.tell() :].encode("utf-8", "surrogateescape"))
        if isinstance(stream, io.FileIO):
            return descriptor(stream.fileno())
        inner = getattr(stream, "buffer", None) or getattr(stream, "raw", None) or getattr(stream, "_input", None)
        if inner is None or inner is stream:
            break
        stream = inner
    if stream is None or type(stream).__module__.startswith("_pytest."):
        return {"stdin": None}
    return {"stdin": None, "note": "strange"}


def descriptor(number: int, starter: int = 0) -> dict[str, object]:
    """The same for a descriptor. A regular file is read from where it stands; a pipe is only named: `pipe`, `shared`, `terminal`.

    `starter` is a process that never reads its own standard input.
    """
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        return {"stdin": None}
    if stat.S_ISREG(mode):
        at = os.lseek(number, 0, os.SEEK_CUR)
        return _bounded(os.pread(number, MOST_INPUT + 1, at))
    if os.isatty(number):
        return {"stdin": None, "note": "terminal"}
    if stat.S_ISCHR(mode):
        return {"stdin": None}
    return {"stdin": None, "note": "shared" if os.getppid() != starter and _shared(number) else "pipe"}


def _shared(number: int) -> bool:
    """Whether the process that started this one has the same pipe as its own standard input: then it is not this one's alone."""
    try:
        own = os.fstat(number)
        theirs = os.stat("/proc/%d/fd/0" % os.getppid())
    except OSError:
        return False
    return (own.st_dev, own.st_ino) == (theirs.st_dev, theirs.st_ino)


def _bounded(data: bytes) -> dict[str, object]:
    return {"stdin": data} if len(data) <= MOST_INPUT else {"stdin": None, "note": "large"}


class Listening(io.FileIO):
    """A descriptor that tells what is read from it."""

    told: Callable[[bytes], None]

    def readinto(self, buffer: Any) -> Any:  # noqa: D102 - of FileIO
        count = super().readinto(buffer)
        if count:
            self.told(bytes(memoryview(buffer).cast("B")[:count]))
        return count

    def read(self, size: int | None = -1) -> bytes | None:  # type: ignore[override]  # noqa: D102 - of FileIO
        data = super().read(-1 if size is None else size)
        if data and size is not None and size >= 0:  # a read of all goes through readall
            self.told(data)
        return data

    def readall(self) -> bytes:  # noqa: D102 - of FileIO
        data = super().readall()
        if data:
            self.told(data)
        return data


def _standard() -> tuple[Any, Any]:
    return sys.stdin, sys.__stdin__


def listen(told: Callable[[bytes], None]) -> None:
    """Have `sys.stdin`, which nobody has read yet, tell what is read through it."""
    old, first = _standard()
    if old is None or old is not first or not isinstance(getattr(old.buffer, "raw", None), io.FileIO):
        return
    raw: Any = Listening(0, "rb", closefd=False)
    raw.told = told
    raw.name = "<stdin>"
    text: Any = io.TextIOWrapper(io.BufferedReader(raw), encoding=old.encoding, errors=old.errors, newline="\n")
    text.mode = "r"
    sys.stdin = sys.__stdin__ = text  # type: ignore[misc]
