"""The local engine: cases run on this machine's cores, in worker processes, and come back in the order of the corpus."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Self

import gate.errors
from gate.domain import Case, Record
from gate.errors import GateError, ReplayError
from gate.replay.frames import Message, as_records, case_message, framed, recipe_message, unframed
from gate.replay.interface import Recipe
from gate.replay.place import case_folder
from gate.replay.sandbox import NO_SANDBOX, Sandbox
from gate.replay.staff import STOP_SECONDS, Staff, Worker
from gate.replay.tree import KILL_SECONDS, refuse_windows

_QUICK = 0.05
"""Seconds. A worker whose cases take less gets the next ones before it has ended the last, and never waits for us."""

_WATCH_SECONDS = 1.0
_MARGIN_SECONDS = 30.0
"""Added to what a worker's cases may take at most before its silence counts as its end."""

_AHEAD = 3
"""Quick cases that a worker has at a time: one at work, one whose directories are made ahead, one on the way."""

_READ = 1 << 16  # what a pipe holds


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class LocalEngine:
    """Replays on this machine.

    In a `with` block the workers stay for the next replay, idle and with nothing of the last one but fixtures that it left untouched
    (sandboxed ones as long as the same builds stand in the slot); they are gone when the block ends, and after a replay that raised.
    Without one each replay starts and ends its own.
    """

    def __init__(self, *, workers: int | None = None, sandbox: Sandbox = NO_SANDBOX) -> None:
        """`workers`: worker processes; None is one a core. The records do not depend on it. `sandbox` is put around each."""
        self._workers = workers
        self._sandbox = sandbox
        self._lasting = False
        self._idle: Staff | None = None

    def __enter__(self) -> Self:
        self._lasting = True
        return self

    def __exit__(self, *_exception: object) -> None:
        self._lasting = False
        staff, self._idle = self._idle, None
        if staff is not None:
            staff.dismiss()

    def replay(
        self, recipe: Recipe, cases: Sequence[Case], *, on_case: Callable[[], None]
    ) -> tuple[tuple[Record, ...], ...]:
        """See `gate.replay.interface.Engine`."""
        refuse_windows()
        _require_places(cases)
        count = min(self._workers or cores(), len(cases))
        staff, self._idle = self._idle or Staff(self._sandbox), None
        stays = False
        try:
            records = _Crew(recipe, cases, on_case, staff).work(count)
            stays = self._lasting and self._idle is None
            return records
        finally:
            if stays:
                self._idle = staff
            else:
                staff.dismiss()


def _require_places(cases: Sequence[Case]) -> None:
    places = [case_folder(case.id) for case in cases]
    if len(set(places)) != len(cases):
        twice = next(case.id for case, place in zip(cases, places, strict=True) if places.count(place) > 1)
        raise ReplayError(
            f"case {twice!r} stands in the corpus twice, or shares its directory's name with another",
            next_step="Give each case an id of its own.",
        )


class _Crew:
    """The workers of one replay."""

    def __init__(self, recipe: Recipe, cases: Sequence[Case], on_case: Callable[[], None], staff: Staff) -> None:
        self._recipe = recipe
        self._staff = staff
        self._cases = cases
        self._on_case = on_case
        self._records: dict[int, tuple[Record, ...]] = {}
        self._failures: dict[int, GateError] = {}
        self._next = 0
        self._workers: list[Worker] = []
        self._selector = selectors.DefaultSelector()

    def work(self, count: int) -> tuple[tuple[Record, ...], ...]:
        """Run all cases; of several failures, that of the first case is raised, whichever came first."""
        with self._selector:
            for worker in self._staff.called(count, self._recipe):
                self._enlist(worker)
            while self._open():
                for key, _ in self._selector.select(_WATCH_SECONDS):
                    self._attend(*key.data)
                self._watch()
            if self._failures:
                raise self._failures[min(self._failures)]
            if self._staff.shares_slot:
                self._rest()
        return tuple(self._records[index] for index in range(len(self._cases)))

    def _rest(self) -> None:
        """Let the workers remove what they hold ready for cases to come: who looks into the slot would take it for what a step left."""
        until = time.monotonic() + _MARGIN_SECONDS
        for worker in self._workers:
            worker.rested = False
            worker.unsent += framed(("rest",))
            self._send(worker)
        while not all(worker.rested for worker in self._workers):
            if time.monotonic() > until:
                raise ReplayError(
                    f"a replay worker did not put its directories away within {_MARGIN_SECONDS:.0f} s",
                    next_step="A step may have stopped the process that watches it: look at the last cases.",
                )
            for key, _ in self._selector.select(_WATCH_SECONDS):
                self._attend(*key.data)

    def _open(self) -> bool:
        """Whether there is something to wait for: a case, or, after a failure, one that stands before it."""
        if self._failures:
            first = min(self._failures)
            return any(index < first for worker in self._workers for index in worker.assigned)
        return len(self._records) < len(self._cases)

    def _watch(self) -> None:
        """Raise ReplayError when a worker says nothing for longer than what it was given can take: a step may have stopped it."""
        now = time.monotonic()
        for worker in self._workers:
            silence = now - max(worker.heard, min(worker.assigned.values(), default=now))
            if worker.assigned and silence > max(map(self._allowance, worker.assigned)):
                named = ", ".join(self._cases[index].id for index in sorted(worker.assigned))
                raise ReplayError(
                    f"a replay worker said nothing for {silence:.0f} s, longer than its steps may take (cases at work: {named})",
                    next_step="A step may have stopped the process that watches it: look at those cases.",
                )

    def _allowance(self, index: int) -> float:
        """Seconds that a case can take at most: its steps' limits, what sweeping up after each may take, and a margin."""
        processes = 1 if self._recipe.runner == "trace" else len(self._cases[index].steps)
        return processes * (self._recipe.timeout + 2 * KILL_SECONDS) + _MARGIN_SECONDS

    def _attend(self, worker: Worker, role: str) -> None:
        if role == "input":
            self._send(worker)
        elif role == "output":
            self._receive(worker)
        else:
            self._listen(worker)

    def _enlist(self, worker: Worker) -> None:
        self._workers.append(worker)
        worker.ahead = 1
        self._selector.register(worker.output, selectors.EVENT_READ, (worker, "output"))
        self._selector.register(worker.errors, selectors.EVENT_READ, (worker, "errors"))
        worker.unsent += framed(recipe_message(self._recipe))
        self._assign(worker)

    def _assign(self, worker: Worker) -> None:
        """Keep a case at work, and others waiting where cases are quick; the last ones go to whoever is free."""
        while not self._failures and self._next < len(self._cases):
            plenty = len(self._cases) - self._next > _AHEAD * len(self._workers)
            if len(worker.assigned) >= (worker.ahead if plenty else 1):
                break
            worker.assigned[self._next] = time.monotonic()
            worker.unsent += framed(case_message(self._next, self._cases[self._next]))
            self._next += 1
        self._send(worker)

    def _send(self, worker: Worker) -> None:
        with suppress(BlockingIOError, BrokenPipeError):
            while worker.unsent:
                del worker.unsent[: os.write(worker.input.fileno(), worker.unsent)]
        waiting = worker.input in self._selector.get_map()
        if worker.unsent and not waiting:
            self._selector.register(worker.input, selectors.EVENT_WRITE, (worker, "input"))
        elif waiting and not worker.unsent:
            self._selector.unregister(worker.input)

    def _receive(self, worker: Worker) -> None:
        piece = os.read(worker.output.fileno(), _READ)
        if not piece:
            raise self._lost(worker)
        worker.heard = time.monotonic()
        worker.received += piece
        for message in unframed(worker.received):
            self._take(worker, message)
        self._assign(worker)

    def _take(self, worker: Worker, message: Message) -> None:
        if message[0] == "rested":
            worker.rested = True
            return
        index = message[1]
        worker.ahead = _AHEAD if time.monotonic() - worker.assigned.pop(index) < _QUICK else 1
        if message[0] == "failed":
            kind = getattr(gate.errors, message[2])
            self._failures[index] = kind(message[3], next_step=message[4])
            return
        self._records[index] = as_records(message)
        self._on_case()

    def _listen(self, worker: Worker) -> None:
        piece = os.read(worker.errors.fileno(), _READ)
        worker.complaint += piece
        if not piece:
            self._selector.unregister(worker.errors)

    def _lost(self, worker: Worker) -> ReplayError:
        with suppress(subprocess.TimeoutExpired):
            worker.process.wait(STOP_SECONDS)
        with suppress(BlockingIOError):
            worker.complaint += os.read(worker.errors.fileno(), _READ)
        at_work = ", ".join(self._cases[index].id for index in sorted(worker.assigned)) or "none"
        last = worker.complaint.decode("utf-8", "backslashreplace").strip().splitlines()[-1:]
        return ReplayError(
            f"a replay worker ended by itself with {worker.process.returncode} (cases at work: {at_work})"
            + "".join(f": {line}" for line in last),
            next_step="Look for what ended it (memory, disk?) and run again; the verdict is open.",
        )
