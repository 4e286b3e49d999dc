"""The report: JSON Lines on a descriptor of its own, each line with the nonce of the run and the process that wrote it."""

from __future__ import annotations

import fcntl
import json
import os
from os import getpid, write  # ours before the code under test can put another in its place
from typing import Any

_HIGH = 200
"""Above what programs use, so that code which closes `range(3, 100)` does not close the report."""


class Channel:
    """Where events go: what was standard output when the voter started. Programs that are started do not get it."""

    def __init__(self, nonce: str) -> None:
        """Takes descriptor 1 for itself and lets whatever prints there write to descriptor 2."""
        self._nonce = nonce
        try:
            self._handle = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, _HIGH)
        except OSError:
            self._handle = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3)
        os.dup2(2, 1)

    def emit(self, event: str, **told: Any) -> None:
        """Write one event as a line. A forked process that goes on in the runner gives itself away by its `pid`."""
        line = {"nonce": self._nonce, "pid": getpid(), "event": event, **told}
        # For a replay, `<WORK>` stands for a path.
        text = json.dumps(_clean(line), ensure_ascii=False).replace("<", r"\u003c")
        data = text.encode("utf-8") + b"\n"
        while data:
            data = data[write(self._handle, data) :]

    def void(self, reason: str, detail: str = "") -> None:
        """Say that this run is no vote, and why: in one line, and in as many as it takes."""
        self.emit("void", reason=" ".join(reason.split())[:1000], detail=detail[-20_000:])


def _clean(told: Any) -> Any:
    """The same with lone surrogates escaped, which UTF-8 cannot hold."""
    if isinstance(told, str):
        return told.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(told, dict):
        return {_clean(key): _clean(member) for key, member in told.items()}
    if isinstance(told, (list, tuple)):
        return [_clean(member) for member in told]
    return told
