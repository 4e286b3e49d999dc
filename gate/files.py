"""Writing files so that no reader ever sees half of one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_writer(path: Path) -> Iterator[BinaryIO]:
    """A binary file that replaces `path` when the block ends well, and leaves it untouched when it does not.

    Missing parent directories are made. Raises OSError as the file system does.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException as error:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        if isinstance(error, OSError) and error.filename is None and error.strerror:  # a full disk names no file
            error.filename = str(path)
        raise


def write_atomically(path: Path, data: bytes) -> None:
    """Replace `path` with `data`, or leave it as it was."""
    with atomic_writer(path) as stream:
        stream.write(data)


@contextmanager
def only_writer(lock: Path) -> Iterator[None]:
    """Wait until no other process is inside for the same `lock`, a file that is made and stays; then be the one.

    For what is read, changed and written back: two that do so at once would lose one of the changes. Raises OSError.
    """
    import fcntl  # noqa: PLC0415 - Windows has none, and is to be refused in our own words

    lock.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
