"""One process and all that it starts: fed, drained, limited, ended.

Both streams are drained while standard input is fed, so that nobody waits for anybody (reported faults 4, 5). What a
process prints is bytes from end to end. The calling process is a worker: single-threaded, without children of its own,
standing in the directory where the process is to run.
"""

from __future__ import annotations

import math
import os
import select
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from gate.replay import tree
from gate.replay.capture import Sink
from gate.replay.spawn import Pipes, look_up, spawn

_READ = 1 << 16
_TICK = 10  # ms between looks at a process whose end cannot be polled for
_SOON = 2  # ms within which most quick processes close their streams, and end right after
_LOOKS = 4  # as often that long is waited before the end itself is polled for, which costs more
_HANG_UP = select.POLLHUP | select.POLLERR


class Stopped(BaseException):
    """The worker was told to end; raised by its signal handler, or when its parent is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a process ended."""

    status: str
    """Exit number, `signal NAME`, `timeout`, `overflow`, or `cannot start: …`."""
    leftovers: int = 0
    """Descendants alive when the grace after its end was over. 0 where we ended it: then all were alive, and no news."""


class Launcher:
    """What every process of a worker is started with."""

    __slots__ = ("_control", "_devnull")

    def __init__(self, *, control: int | None) -> None:
        """`control`: a pipe whose writing end closes when the worker has to end; None if there is no such thing."""
        self._control = control
        self._devnull = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)

    def run(
        self,
        argv: Sequence[bytes],
        env: Mapping[bytes, bytes],
        stdin: bytes | None,
        outputs: tuple[Sink, Sink],
        *,
        timeout: float,
    ) -> Ending:
        """Run `argv` to its end; standard output and standard error go into `outputs`.

        The word is looked up on the PATH in `env`. `stdin` None is /dev/null. When this returns, the process and all that
        it started are gone. What a killed process printed before is kept: how much that is depends on the time.
        Raises ReplayError when the machine fails.
        """
        program = look_up(argv[0], env.get(b"PATH", b""))
        if program is None:
            return Ending(status="cannot start: not found")
        pipes = Pipes(self._devnull, stdin)
        try:
            pid = spawn(program, argv, env, pipes)
            if isinstance(pid, str):
                return Ending(status=f"cannot start: {pid}")
            return _Watched(pid, pipes, outputs, stdin, self._control).until(time.monotonic() + timeout)
        finally:
            pipes.close()


class _Watched:
    """A running process."""

    def __init__(
        self, pid: int, pipes: Pipes, outputs: tuple[Sink, Sink], stdin: bytes | None, control: int | None
    ) -> None:
        self._pid = pid
        self._pipes = pipes
        self._outputs = outputs
        self._streams = {pipes.out: outputs[0], pipes.err: outputs[1]}
        self._unsent = memoryview(stdin or b"")
        self._control = control
        self._poll = select.poll()
        self._pidfd: int | None = None
        self._looks = _LOOKS
        self._exit: int | None = None
        self._grace_until = 0.0

    def until(self, deadline: float) -> Ending:
        """Watch the process to its end, or to the deadline."""
        try:
            self._register()
            verdict = self._drain(deadline)
            return self._finish(verdict)
        except BaseException:
            tree.kill_children(self._pid if self._exit is None else None)
            raise
        finally:
            if self._pidfd is not None:
                os.close(self._pidfd)

    def _register(self) -> None:
        for handle in self._streams:
            self._poll.register(handle, select.POLLIN)
        if self._control is not None:
            self._poll.register(self._control, 0)
        if self._pipes.feed is not None:
            os.set_blocking(self._pipes.feed, False)
            self._poll.register(self._pipes.feed, select.POLLOUT)
            self._feed(self._pipes.feed)

    def _drain(self, deadline: float) -> str | None:
        """Read and feed until both streams and the process are at their end; else why it has to be ended."""
        while self._streams or self._exit is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return "timeout" if self._exit is None else None
            for handle, event in self._poll.poll(self._patience(math.ceil(left * 1000))):
                if handle in self._streams:
                    if not self._read(handle, event):
                        return "overflow"
                elif handle == self._pipes.feed:
                    self._feed(handle)
                elif handle != self._pidfd:
                    raise Stopped
            if self._exit is None and self._has_ended():
                deadline = self._grace_until
        return None

    def _patience(self, left: int) -> int:
        """Milliseconds to wait for news, at most `left`: few as long as the end of the process would be no news."""
        if self._exit is not None or self._pidfd is not None:
            return left
        if sys.platform != "linux":
            return min(left, _TICK)
        if self._streams and self._looks:
            self._looks -= 1
            return min(left, _SOON)
        self._pidfd = os.pidfd_open(self._pid)
        self._poll.register(self._pidfd, select.POLLIN)
        return left

    def _has_ended(self) -> bool:
        pid, status = os.waitpid(self._pid, os.WNOHANG)
        if not pid:
            return False
        self._exit = os.waitstatus_to_exitcode(status)
        self._grace_until = time.monotonic() + tree.GRACE
        if self._pidfd is not None:
            self._poll.unregister(self._pidfd)
        return True

    def _read(self, handle: int, event: int) -> bool:
        """Take in what is there; False when it was more than the limit."""
        capture = self._streams[handle]
        while piece := os.read(handle, _READ):
            if not capture.feed(piece):
                return False
            if not event & _HANG_UP:
                return True
        self._forget(handle)
        del self._streams[handle]
        return True

    def _feed(self, handle: int) -> None:
        """Send what the pipe takes. A process that does not read its input is free not to."""
        try:
            self._unsent = self._unsent[os.write(handle, self._unsent[:_READ]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent = self._unsent[:0]
        if not self._unsent:
            self._forget(handle)

    def _forget(self, handle: int) -> None:
        self._poll.unregister(handle)
        self._pipes.drop(handle)

    def _finish(self, verdict: str | None) -> Ending:
        """End what is left, take in what it had printed, and say how it all ended."""
        leftovers = 0
        if verdict is not None:
            tree.kill_children(self._pid if self._exit is None else None)
        elif not tree.await_childless(self._grace_until, group=self._pid):
            leftovers = tree.kill_children(self._pid if tree.CONTAINMENT == "process group" else None)
        for handle, capture in self._streams.items():
            _drain_dead(handle, capture)
        out, err = self._outputs
        if verdict is None and not out.overflow and not err.overflow:
            return Ending(status=_status(self._exit), leftovers=leftovers)
        return Ending(status=verdict or "overflow")


def _drain_dead(handle: int, capture: Sink) -> None:
    """Take in what is in a pipe whose writers are gone; never waits for more."""
    os.set_blocking(handle, False)
    with suppress(BlockingIOError):
        while piece := os.read(handle, _READ):
            if not capture.feed(piece):
                return


def _status(code: int | None) -> str:
    if code is None or code >= 0:
        return str(code)
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
