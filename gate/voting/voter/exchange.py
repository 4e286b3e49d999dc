"""The three streams of a process that the subject runs, exchanged until it ends, with two limits."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from contextlib import suppress
from typing import Any


class Exchange:
    """The three streams of a process."""

    def __init__(self, process: Any, stdin: bytes, limit: int) -> None:
        self.out = bytearray()
        self.err = bytearray()
        self._process = process
        self._unsent = memoryview(stdin)
        self._limit = limit
        self._selector = selectors.DefaultSelector()
        for stream, kept in ((process.stdout, self.out), (process.stderr, self.err)):
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, selectors.EVENT_READ, kept)
        os.set_blocking(process.stdin.fileno(), False)
        self._selector.register(process.stdin, selectors.EVENT_WRITE, None)

    def until(self, deadline: float) -> str | None:
        """Exchange until the process ended; `timeout` or `overflow` where it had to be stopped."""
        while self._selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                return "timeout"
            ready = self.attend(min(left, 0.05))
            if self.overflow:
                return "overflow"
            if not ready and self._process.poll() is not None:
                return None  # something that it started holds the streams
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, deadline - time.monotonic()))
            return None
        return "timeout"

    @property
    def overflow(self) -> bool:
        """Whether a stream gave more than the limit."""
        return max(len(self.out), len(self.err)) > self._limit

    def attend(self, seconds: float) -> bool:
        """Wait for news from the streams, `seconds` at most, and take them in; whether there were some."""
        if self.overflow or not self._selector.get_map():
            time.sleep(seconds)
            return False
        ready = self._selector.select(seconds)
        for key, _ in ready:
            self._attend(key.fileobj, key.data)
        return bool(ready)

    def rest(self) -> None:
        """Take in what is left in the pipes when all writers are gone; never waits for more."""
        while not self.overflow and self._selector.get_map() and self.attend(0):
            pass

    def _attend(self, stream: Any, kept: bytearray | None) -> None:
        try:
            if kept is None:
                self._unsent = self._unsent[os.write(stream.fileno(), self._unsent[:65536]) if self._unsent else 0 :]
                ended = not self._unsent
            else:
                piece = os.read(stream.fileno(), 65536)
                kept += piece
                ended = not piece
        except BlockingIOError:
            return
        except BrokenPipeError:
            ended = True
        if ended:
            self._selector.unregister(stream)
            stream.close()

    def close(self) -> None:
        """Close what is open."""
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            stream.close()
