"""Process-tree hygiene: nothing that a step started outlives it.

On Linux the worker is a child subreaper: whatever loses its parent, a daemon in a session of its own included, becomes our
child, so it can be found through /proc, killed and reaped (reported faults 1, 2, 3, 6). Elsewhere only the process group of
a step can be killed, which a descendant can leave: `CONTAINMENT` says so, and a run must not promise more.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Literal

from gate.errors import ReplayError

CONTAINMENT: Literal["process tree", "process group"] = (
    "process tree" if sys.platform.startswith("linux") else "process group"
)
"""What is certain to be gone after a step on this platform."""

GRACE = 0.2
"""Seconds that descendants of a step get to end by themselves once the step's own process has ended."""

KILL_SECONDS = 5.0
"""Seconds within which everything that was killed has to be gone."""

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36


def refuse_windows(platform: str = sys.platform) -> None:
    """Raise ReplayError on Windows: TerminateProcess does not reach children (reported fault 31)."""
    if platform in ("win32", "cygwin"):
        raise ReplayError(
            f"replay needs Linux or macOS, this is {platform}: process trees cannot be contained here",
            next_step="Run the gate in WSL 2, in a Linux container, or on a Linux CI runner.",
        )


def adopt_orphans() -> None:
    """Become the parent of every descendant that loses its own. Raises ReplayError where Linux refuses."""
    if CONTAINMENT == "process tree":
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        if not os.path.exists("/proc/self/stat"):  # noqa: PTH110
            raise ReplayError(
                "replay needs /proc to find what a step leaves behind, and it is not mounted",
                next_step="Mount proc on /proc in this container.",
            )


def die_with_parent(parent: int) -> None:
    """Ask for SIGTERM when the process `parent` ends; on Linux only. Exits at once if it has ended already."""
    if CONTAINMENT == "process tree":
        _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        raise SystemExit(1)


def forbid_tracing() -> None:
    """Let no process without privileges trace this one, nor read its memory or its open files; on Linux only."""
    if CONTAINMENT == "process tree":
        _prctl(_PR_SET_DUMPABLE, 0)


def _prctl(option: int, argument: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, ctypes.c_ulong(argument), 0, 0, 0) != 0:
        raise ReplayError(
            f"prctl({option}) failed: {os.strerror(ctypes.get_errno())}",
            next_step="Run the gate where a process may adopt its orphans: a Linux kernel since 3.4.",
        )


def childless() -> bool:
    """Reap every child that has ended; whether none is left, ended or not."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False


def await_childless(until: float, *, group: int) -> bool:
    """Reap children as they end, until there are none (True) or the monotonic time `until` has come (False).

    Where orphans do not become ours, the process group `group` has to be empty as well.
    """
    pause = 0.0005
    while not childless() or _alive(group):
        left = until - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(pause, left))
        pause = min(pause * 2, 0.02)
    return True


def _alive(group: int) -> bool:
    if CONTAINMENT == "process tree":
        return False
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def descendants(root: int) -> tuple[int, ...]:
    """The living processes below `root`, ascending; ended ones that nobody has reaped are not counted."""
    children: dict[int, list[int]] = {}
    ended: set[int] = set()
    for pid, parent, state in _processes():
        children.setdefault(parent, []).append(pid)
        if state in (b"Z", b"X"):
            ended.add(pid)
    found: list[int] = []
    todo = [root]
    while todo:
        below = children.get(todo.pop(), [])
        found += below
        todo += below
    return tuple(sorted(pid for pid in found if pid not in ended))


def _processes() -> Iterator[tuple[int, int, bytes]]:
    for name in os.listdir("/proc"):  # noqa: PTH208 - names alone are wanted
        if name.isdigit():
            with (
                suppress(FileNotFoundError, ProcessLookupError, PermissionError),
                open(f"/proc/{name}/stat", "rb") as stat,  # noqa: PTH123 - quick to import in a worker
            ):
                # The command name stands in brackets, and may hold brackets and blanks itself.
                state, parent = stat.read().rpartition(b")")[2].split()[:2]
                yield int(name), int(parent), state


def kill_children(group: int | None = None) -> int:
    """Kill and reap every descendant of this process, and the process group `group`; how many were alive.

    Where orphans do not become ours their number is unknown: 1 stands for a group that is not empty.

    Only for a process that has no children of its own: a worker. Raises ReplayError with their pids when some live on
    after `KILL_SECONDS`: a step that cannot be ended would disturb all that follow.
    """
    alive = _living(group)
    if group is not None:
        kill_group(group)
    until = time.monotonic() + KILL_SECONDS
    pause = 0.0005
    while True:
        left = descendants(os.getpid()) if CONTAINMENT == "process tree" else ()
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if childless() and (group is None or not _alive(group)):
            return alive
        if time.monotonic() > until:
            raise _unkillable(left)
        time.sleep(pause)
        pause = min(pause * 2, 0.05)


def _unkillable(pids: Iterable[int]) -> ReplayError:
    return ReplayError(
        f"processes {', '.join(map(str, pids)) or 'of a step'} could not be killed within {KILL_SECONDS:g} s",
        next_step="End them by hand (they may run as another user), then run again.",
    )


def _living(group: int | None) -> int:
    if CONTAINMENT == "process tree":
        return len(descendants(os.getpid()))
    return int(group is not None and _alive(group))


def kill_group(group: int) -> None:
    """Kill a process group whose leader has not been reaped yet."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def kill_strays(slot: str) -> tuple[int, ...]:
    """End what steps of an earlier gate, or of a killed worker, left in `slot`; the pids found. Linux only; none elsewhere.

    A step or a build is known by its HOME, which is below the slot and which nobody else sets. Raises ReplayError when some live on
    after `KILL_SECONDS`.
    """
    if CONTAINMENT != "process tree":
        return ()
    mark = b"\0HOME=" + os.fsencode(slot) + b"/"
    found: dict[int, None] = {}
    until = time.monotonic() + KILL_SECONDS
    while left := [pid for pid, _, _ in _processes() if pid != os.getpid() and mark in _environment(pid)]:
        if time.monotonic() > until:
            raise _unkillable(left)
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        found |= dict.fromkeys(left)
        time.sleep(0.01)
    return tuple(found)


def _environment(pid: int) -> bytes:
    try:
        with open(f"/proc/{pid}/environ", "rb") as stream:  # noqa: PTH123 - as above
            return b"\0" + stream.read()
    except OSError:
        return b""
