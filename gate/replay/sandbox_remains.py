"""What a case may have left in its worker, looked at and cleared after each: the next one must find what the first one found.

A step runs as the worker's user: from inside a sandbox, too, it can move the limits of process 1.
"""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Collection

from gate.errors import ReplayError
from gate.replay.sandbox_keys import Keyrings
from gate.replay.sandbox_scratch import Scratch

_OTHERS = re.compile(rb"c[0-9a-f]{10}|\.(?:times|names)-[0-9a-f]{16}")
"""What other workers make in a slot that they share: cases, and the probes of `gate.replay.snapshot`."""
_LIMITS = tuple(sorted(name for name in dir(resource) if name.startswith("RLIMIT_")))


class Remains:
    """What a worker has to itself. Made before its first case."""

    __slots__ = ("_held", "_keyrings", "_scratch")

    def __init__(self, *, sandboxed: bool, own_user_namespace: bool) -> None:
        """Take note of how it is."""
        self._held = _held()
        self._scratch = Scratch() if sandboxed else None
        self._keyrings = Keyrings(own=own_user_namespace)

    def clear(self) -> None:
        """Make it as it was. Raises ReplayError for what has changed and cannot be, or should not, be undone."""
        now = _held()
        for name, old in self._held.items():
            if now[name] != old:
                raise ReplayError(
                    f"a step changed {name} of the process that runs it: {old} -> {now[name]}",
                    next_step="The next case would run under it: let the program change itself and what it starts alone.",
                )
        if self._scratch is not None:
            self._scratch.clear()
        self._keyrings.renew()


def _held() -> dict[str, object]:
    """What processes inherit and what their user can change in another process of his."""
    held: dict[str, object] = {name: resource.getrlimit(getattr(resource, name)) for name in _LIMITS}
    held["RLIMIT_FSIZE"] = resource.getrlimit(resource.RLIMIT_FSIZE)[1]  # each case has a soft one of its own
    held["the priority"] = os.getpriority(os.PRIO_PROCESS, 0)
    if hasattr(os, "sched_getaffinity"):
        held["the cores"] = sorted(os.sched_getaffinity(0))
        held["the scheduler"] = os.sched_getscheduler(0)
    return held


class SlotRoot:
    """The root of a slot, in which cases stand beside builds and fixtures. Nobody compares what is written right there."""

    __slots__ = ("_alone", "_known", "_mode", "_path")

    def __init__(self, path: bytes, *, alone: bool) -> None:
        """What stands there belongs there, cases apart. `alone`: no other worker sees this root."""
        self._path = path
        self._alone = alone
        self._known = frozenset(name for name in os.listdir(path) if not _OTHERS.fullmatch(name))  # noqa: PTH208
        self._mode = os.lstat(path).st_mode

    def is_changed(self) -> bool:
        """Whether a step changed the root itself: its mode or, where no other worker sees it, an attribute."""
        return os.lstat(self._path).st_mode != self._mode or (self._alone and _attributes(self._path))

    def strange(self, case: bytes, *, ahead: Collection[bytes] = ()) -> bytes | None:
        """A name that the steps of `case`, which is over, left; None for nothing strange.

        `ahead`: cases that are laid already. Other workers' cases pass where they share the root.
        """
        found = frozenset(os.listdir(self._path)).difference(self._known, ahead)  # noqa: PTH208 - names alone
        for name in sorted(found):
            if self._alone or name == case or not _OTHERS.fullmatch(name):
                return name
        if self._alone:
            os.utime(self._path, (0, 0))  # times carry a message, too
        return None


def _attributes(path: bytes) -> bool:
    """Whether there are extended attributes that a user can set."""
    if not hasattr(os, "listxattr"):
        return False
    try:
        return any(name.startswith("user.") for name in os.listxattr(path))
    except OSError:
        return False
