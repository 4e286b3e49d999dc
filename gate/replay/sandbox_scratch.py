"""The private folders of a sandbox, emptied after each case: what one case leaves in /tmp is nothing that another one may see.

Records must not depend on how many workers there are, nor on which cases ran before on the same one.
"""

from __future__ import annotations

import ctypes
import os
import stat

from gate.errors import ReplayError
from gate.replay.place import remove

FOLDERS = (b"/tmp", b"/var/tmp", b"/dev/shm", b"/dev/mqueue")
_PROC_IPC = "/proc/sysvipc/"
_RMID = 0


class Scratch:
    """What stood in the private folders when the worker started stays: the way to what is shown there."""

    __slots__ = ("_kept",)

    def __init__(self, folders: tuple[bytes, ...] = FOLDERS) -> None:
        """Take note of what is there."""
        self._kept: dict[bytes, tuple[int, frozenset[bytes]]] = {}
        todo = [os.path.realpath(folder) for folder in folders if os.path.isdir(folder)]  # noqa: PTH112 - bytes
        while todo:
            folder = todo.pop()
            status = os.lstat(folder)
            names = frozenset(os.listdir(folder))  # noqa: PTH208 - names alone are wanted
            self._kept[folder] = (stat.S_IMODE(status.st_mode), names)
            below = ((folder + b"/" + name) for name in names)
            todo += [path for path in below if _is_folder_of(path, status.st_dev)]

    def clear(self) -> None:
        """Remove what came since. Raises ReplayError where that fails: the next case would see it."""
        try:
            for folder, (mode, names) in self._kept.items():
                if stat.S_IMODE(os.lstat(folder).st_mode) != mode:
                    os.chmod(folder, mode)  # noqa: PTH101 - bytes
                for name in os.listdir(folder):  # noqa: PTH208 - as above
                    if name not in names:
                        _remove(folder + b"/" + name)
            _clear_ipc()
        except OSError as error:
            raise ReplayError(
                f"what a case left in the sandbox's private folders cannot be removed: {error}",
                next_step="The next case would see it: let the program write to its working directory, home or TMPDIR.",
            ) from error


def _is_folder_of(path: bytes, device: int) -> bool:
    status = os.lstat(path)
    return stat.S_ISDIR(status.st_mode) and status.st_dev == device


def _remove(path: bytes) -> None:
    if stat.S_ISDIR(os.lstat(path).st_mode):
        remove(path)
    else:
        os.unlink(path)  # noqa: PTH108 - bytes


def _clear_ipc() -> None:
    """Remove System V shared memory, queues and semaphores: the namespace is the worker's, and outlives the case."""
    for kind in ("shm", "msg", "sem"):
        try:
            with open(_PROC_IPC + kind, "rb") as listing:  # noqa: PTH123 - quick to import in a worker
                lines = listing.read().splitlines()[1:]
        except FileNotFoundError:
            continue
        for line in lines:
            number = int(line.split()[1])
            libc = ctypes.CDLL(None, use_errno=True)
            failed = (
                libc.semctl(number, 0, _RMID, 0) if kind == "sem" else getattr(libc, f"{kind}ctl")(number, _RMID, None)
            )
            if failed:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), f"{kind} {number}")
