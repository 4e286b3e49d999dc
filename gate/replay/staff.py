"""The workers of an engine: processes that run cases, from their start to their end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

from gate.replay.interface import Recipe
from gate.replay.place import remove
from gate.replay.sandbox import Sandbox
from gate.replay.sandbox_keys import user_namespace
from gate.replay.sandbox_walls import Walls, import_folders, walls_of
from gate.replay.tree import kill_strays

STOP_SECONDS = 5.0
"""Seconds after which a worker that was told to end is killed."""

_START = (
    "import os, sys; sys.path += sys.argv[3:]; from gate.replay.worker import main; "
    "main(int(sys.argv[1]), user_namespace=int(sys.argv[2])); os._exit(0)"
)


class Worker:
    """A worker process as the engine sees it."""

    def __init__(self, sandbox: Sandbox, walls: Walls | None) -> None:
        told = ("0" if walls else str(os.getpid()), str(user_namespace()))
        argv = [sys.executable, "-I", "-S", "-c", _START, *told, *import_folders()]
        self.room = walls.furnish() if walls else None
        self.process = subprocess.Popen(
            walls.around(argv, sandbox, room=self.room) if walls and self.room else argv,
            cwd=walls.slot if walls else None,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={"LC_ALL": "C.UTF-8"},
            start_new_session=True,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.input, self.output, self.errors = self.process.stdin, self.process.stdout, self.process.stderr
        for stream in (self.input, self.output, self.errors):
            os.set_blocking(stream.fileno(), False)
        self.unsent, self.received, self.complaint = bytearray(), bytearray(), bytearray()
        self.assigned: dict[int, float] = {}
        self.heard = time.monotonic()
        self.ahead = 1
        self.rested = False


class Staff:
    """Workers, from their start to their end."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._walls: Walls | None = None
        self._workers: list[Worker] = []
        self._slots: dict[str, None] = {}

    @property
    def shares_slot(self) -> bool:
        """Whether what workers make in the slot stands where everybody sees it."""
        return not self._sandbox.active

    def called(self, count: int, recipe: Recipe) -> list[Worker]:
        """`count` workers for a replay of `recipe`, new ones where there are too few, or where the walls have moved."""
        self._slots[recipe.slot] = None
        before, self._walls = self._walls, None
        if self._sandbox.active:
            self._walls = walls_of(recipe, hidden=self._sandbox.hidden)
        if before != self._walls:
            self.dismiss()
        while len(self._workers) < count:
            self._workers.append(Worker(self._sandbox, self._walls))
        return self._workers[:count]

    def dismiss(self) -> None:
        """End all workers, which end what they started; at most `STOP_SECONDS`, then they are killed."""
        for worker in self._workers:
            for stream in (worker.input, worker.output, worker.errors):
                stream.close()
            if worker.assigned:
                worker.process.send_signal(signal.SIGTERM)
        until = time.monotonic() + STOP_SECONDS
        clean = True
        while self._workers:
            worker = self._workers.pop()
            try:
                clean = worker.process.wait(max(0.01, until - time.monotonic())) == 0 and clean
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()
                clean = False
            if worker.room is not None:
                with suppress(OSError):  # it stands in the slot and goes with it
                    remove(os.fsencode(worker.room))
        if not clean:
            for slot in self._slots:
                kill_strays(slot)
