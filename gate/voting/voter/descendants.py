"""What a command of the subject left running: found through /proc, given a moment to end, then killed.

The little of `gate.replay.tree` that a vote needs, since nothing of the gate can be imported here. On Linux the voter adopts orphans, so
a process in a session of its own is found as well. Elsewhere the process group of a command is all that can be seen.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

GRACE = 0.2
"""Seconds that descendants get to end by themselves once the command's own process has ended, as in a replay."""

KILL_SECONDS = 5.0
"""Seconds within which what was killed has to be gone."""

_LINUX = sys.platform.startswith("linux")
_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> str | None:
    """Become the parent of every descendant that loses its own; on Linux only. Why that cannot be, or None."""
    if not _LINUX:
        return None
    try:
        refused = ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0
    except (OSError, AttributeError) as error:
        return f"cannot adopt orphans: {error}"
    if refused or not Path("/proc/self/stat").exists():
        return "cannot find what a program leaves behind: a vote needs /proc, and a kernel that lets it adopt orphans"
    return None


class Family:
    """The commands that run at one time, and what each leaves behind. What the property itself started is left alone."""

    def __init__(self) -> None:
        self._running: set[int] = set()
        self._kept: set[int] = set()

    def before(self) -> None:
        """Before a command starts: processes that are there now belong to the property."""
        if not self._running:
            self._kept = set(_below(os.getpid(), frozenset())) if _LINUX else set()

    def started(self, pid: int) -> None:
        """A command runs, as the leader of a session of its own."""
        self._running.add(pid)

    def settle(self, pid: int, attend: Callable[[float], object]) -> int:
        """Wait for what the ended command `pid` started, `GRACE` seconds at most, and kill the rest; how many were alive then.

        `attend(seconds)` waits and serves the streams. Elsewhere than on Linux 1 stands for a group that is not empty.
        """
        until = time.monotonic() + GRACE
        while self._left(pid) and time.monotonic() < until:
            attend(0.005)
        return self.kill(pid)

    def kill(self, pid: int) -> int:
        """Kill what the ended command `pid` started; how many were alive. Raises TimeoutError when some live on."""
        alive = len(self._left(pid))
        until = time.monotonic() + KILL_SECONDS
        while left := self._left(pid):
            if time.monotonic() > until:
                raise TimeoutError(f"processes {', '.join(map(str, left))} could not be killed")
            for each in left:
                with suppress(ProcessLookupError, PermissionError):
                    (os.kill if _LINUX else os.killpg)(each, signal.SIGKILL)
            time.sleep(0.002)
        self._running.discard(pid)
        return alive

    def _left(self, pid: int) -> list[int]:
        """The living processes of a command. Orphans that left its session count for the last command that runs."""
        if not _LINUX:
            return [pid] if _group_alive(pid) else []
        others = frozenset(self._running - {pid})
        found = _below(os.getpid(), others | self._kept)
        _reap(each for each, (_, _, parent) in found.items() if parent == os.getpid() and each not in self._running)
        alive = [each for each, (state, _, _) in found.items() if state not in (b"Z", b"X")]
        return [each for each in alive if not others or found[each][1] == pid]


def _below(root: int, spared: frozenset[int] | set[int]) -> dict[int, tuple[bytes, int, int]]:
    """State, session and parent of each process below `root`, without the spared ones and what is below them."""
    held: dict[int, tuple[bytes, int, int]] = {}
    children: dict[int, list[int]] = {}
    for pid, row in _processes():
        held[pid] = row
        children.setdefault(row[2], []).append(pid)
    found = {}
    todo = [root]
    while todo:
        for child in children.get(todo.pop(), ()):
            if child not in spared:
                found[child] = held[child]
                todo.append(child)
    return found


def _processes() -> Iterator[tuple[int, tuple[bytes, int, int]]]:
    for name in os.listdir("/proc"):  # noqa: PTH208 - names alone are wanted
        if name.isdigit():
            with suppress(OSError), Path("/proc", name, "stat").open("rb") as stat:
                # The command name stands in brackets, and may hold brackets and blanks itself.
                state, parent, _, session = stat.read().rpartition(b")")[2].split()[:4]
                yield int(name), (state, int(session), int(parent))


def _reap(children: Iterator[int]) -> None:
    for pid in children:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _group_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
