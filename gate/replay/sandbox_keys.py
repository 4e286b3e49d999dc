"""Keyrings of the kernel: what one case puts there is nothing that another one may see.

A key outlives the process that added it, and no mount or process namespace holds it. The session's keyring is inherited, so each
case gets a fresh one; the user's keyrings belong to a user namespace, so in a sandbox with one of its own they are emptied.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import time

from gate.errors import ReplayError

_KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219, "loongarch64": 219, "ppc64le": 271, "s390x": 280}
_JOIN_SESSION, _CLEAR, _PERSISTENT = 1, 7, 22
_PROCESS, _SESSION, _USER, _USER_SESSION = -2, -3, -4, -5
_ABSENT = {errno.ENOSYS, errno.EPERM, errno.EOPNOTSUPP}
"""Answers of a kernel without keyrings, and of a filter that lets no step reach them either."""
_PATIENCE_SECONDS = 2.0
_NAMESPACE = "/proc/self/ns/user"


def user_namespace() -> int:
    """The number of the user namespace of this process; 0 where there are none."""
    try:
        return os.stat(_NAMESPACE).st_ino  # noqa: PTH116 - quick to import in a worker
    except OSError:
        return 0


class Keyrings:
    """The keyrings that the steps of a worker reach."""

    __slots__ = ("_call", "_number", "_own")

    def __init__(self, *, own: bool) -> None:
        """Renew them. `own`: the user's keyrings are those of a user namespace that is this worker's alone."""
        known = sys.platform == "linux" and sys.maxsize > 1 << 32
        self._number = _KEYCTL.get(os.uname().machine) if known else None
        self._own = own
        self._call = ctypes.CDLL(None, use_errno=True).syscall if known else None
        self.renew()

    def renew(self) -> None:
        """A fresh session keyring, and nothing in user keyrings of our own. Raises ReplayError where a step has prevented that."""
        try:
            self._join()
            if self._own:
                self._keyctl(_CLEAR, _USER)
                self._keyctl(_CLEAR, _USER_SESSION)
                self._clear_persistent()
        except OSError as error:
            raise ReplayError(
                f"the keyrings of a replay worker cannot be renewed: {error.strerror}",
                next_step="The next case would see what a step left there: let the program leave the kernel's keyrings alone.",
            ) from error

    def _join(self) -> None:
        """Keys of ended processes are freed a little later: a full quota is waited for."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                self._keyctl(_JOIN_SESSION, 0)
            except OSError as error:
                if error.errno != errno.EDQUOT or time.monotonic() > until:
                    raise
                time.sleep(0.002)
            else:
                return

    def _clear_persistent(self) -> None:
        ring = self._keyctl(_PERSISTENT, -1, _PROCESS)
        if ring > 0:
            self._keyctl(_CLEAR, ring)

    def _keyctl(self, operation: int, *words: int) -> int:
        if self._call is None or self._number is None:
            return 0
        result = int(self._call(self._number, operation, *map(ctypes.c_long, words)))
        number = ctypes.get_errno()
        if result < 0 and number not in _ABSENT:
            raise OSError(number, os.strerror(number))
        return max(result, 0)
