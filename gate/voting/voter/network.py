"""A vote that asks the network says what the network said that day (reported fault 127)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

_LOCAL = ("127.", "::1", "localhost", "0.0.0.0", "::ffff:127.")


def forbid(void: Callable[[str], None]) -> None:
    """Void the run when Python code in this process looks up or connects to another machine, and refuse it with PermissionError.

    Programs that the property starts are not seen: that is a sandbox's work.
    """

    def watch(event: str, given: tuple[Any, ...]) -> None:
        if event == "socket.getaddrinfo":
            host = given[0]
        elif event in ("socket.connect", "socket.sendto") and isinstance(given[1], tuple):
            host = given[1][0]
        else:
            return
        name = host.decode("ascii", "backslashreplace") if isinstance(host, bytes) else str(host or "localhost")
        if not name.startswith(_LOCAL):
            void(f"it needs the network ({name}), which is not the same for every run")
            raise PermissionError(f"a vote does not reach the network: {name}")

    sys.addaudithook(watch)
