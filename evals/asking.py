"""Asking a live model: several at once, each answer kept as soon as it is there, until all is asked or the budget is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from threading import Event, Lock, Thread

import msgspec

from auditor.drafting.model_drafts import shape_of
from auditor.service.client import Client
from auditor.service.outcomes import Answer, Kind, NoAnswer
from auditor.service.settings import Settings
from auditor.service.settings_file import Limits, Price
from evals.budget import Purse, PurseLedger
from evals.models import Planned
from evals.transcripts import Transcript, append, transcript_of

TIMINGS = "timings.jsonl"
ENDING: frozenset[Kind] = frozenset({"unauthorised", "model not found", "quota", "connection", "not installed"})
"""What the next question would end in, too: the run ends, and nothing of it is kept."""
PASSED: frozenset[str] = frozenset({"rate limited", "server"})
"""Outcomes that say nothing of the model: the next command asks again."""

Wanted = tuple[Planned, int]
"""A request, and which of its repeats."""


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `timings.jsonl`: how long an answer took, waits and repair among it. In no result, since no two runs agree on it."""

    request: str
    repeat: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """Why not everything was asked."""

    what: str
    next_step: str


@dataclass(slots=True, kw_only=True)
class Live:
    """One endpoint and one purse for the length of one command."""

    settings: Settings
    price: Price
    purse: Purse
    folder: Path
    """Where transcripts and timings go."""
    seconds: float
    """For one question at most."""
    kept: list[Transcript] = field(default_factory=list)
    ended: Ended | None = None
    _stop: Event = field(default_factory=Event)
    _lock: Lock = field(default_factory=Lock)

    def ask_all(self, wanted: Sequence[Wanted], *, parallel: int, tell: Callable[[], object]) -> None:
        """Ask all, `parallel` at once. Whatever ends it, Ctrl-C among it, what was answered by then is kept.

        Raises what a worker raised, as where nothing can be written.
        """
        _load()
        faults: list[Exception] = []
        waiting = iter(wanted)

        def work() -> None:
            client = Client(self._unlimited())
            try:
                while not self._stop.is_set() and (one := self._next(waiting)) is not None:
                    self._ask(client, *one)
                    tell()
            except Exception as fault:  # raised again by the thread that waits
                faults.append(fault)
                self._stop.set()

        threads = [Thread(target=work, daemon=True, name=f"asks {n}") for n in range(min(parallel, len(wanted)))]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            self._stop.set()
        if faults:
            raise faults[0]

    def _next(self, waiting: Iterator[Wanted]) -> Wanted | None:
        with self._lock:
            return next(waiting, None)

    def _unlimited(self) -> Settings:
        """The budget is that of each question's ledger, and the purse's."""
        return replace(self.settings, limits=Limits(), price=self.price)

    def _ask(self, client: Client, planned: Planned, repeat: int) -> None:
        limits = msgspec.structs.replace(self.settings.limits, seconds=self.seconds, cost=None)
        ledger = PurseLedger(limits=limits, price=self.price, purse=self.purse, own=self.price)
        client.ledger = ledger
        request, started = planned.request, time.monotonic()
        heard = client.ask(request.messages, shape_of(request), prompt=request.prompt_digest, check=planned.check())
        took = time.monotonic() - started
        ledger.settle()
        if self._ends(heard, ledger.cut):
            return
        with self._lock:  # a request's redactor learns, and a file is added to
            kept = transcript_of(
                heard, request=request.digest, prompt=request.prompt, repeat=repeat, redactor=request.redactor
            )
            self.kept.append(kept)
            append(self.folder, kept)
            _timed(self.folder, Timing(request=request.digest, repeat=repeat, seconds=round(took, 3)))

    def _ends(self, heard: Answer | NoAnswer, cut: str) -> bool:
        """Whether the run ends with this. An answer whose repair or retry the purse forbade is none, either."""
        if cut:
            self._end(f"the budget is over: {cut}", "What was answered is kept; the same command goes on.")
            return True
        if isinstance(heard, NoAnswer) and heard.kind in ENDING:
            self._end(heard.what, heard.next_step)
            return True
        return False

    def _end(self, what: str, next_step: str) -> None:
        with self._lock:
            self.ended = self.ended or Ended(what=what, next_step=next_step)
        self._stop.set()


def _load() -> None:
    """Load what the service loads late, so that no answer's time holds it."""
    for name in ("openai", "langchain_openai", "tenacity"):
        with suppress(ImportError):  # the service says so itself
            import_module(name)


def _timed(folder: Path, one: Timing) -> None:
    with (folder / TIMINGS).open("ab") as stream:
        stream.write(msgspec.json.encode(one) + b"\n")


def seconds_told(folder: Path) -> tuple[float, ...]:
    """How long each answer took, in order of size. Lines that cannot be read do not count."""
    path = folder / TIMINGS
    found: list[float] = []
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        with suppress(msgspec.MsgspecError, UnicodeDecodeError):
            found.append(msgspec.json.decode(line, type=Timing).seconds)
    return tuple(sorted(found))


def is_final(kept: Transcript) -> bool:
    """Whether a question need not be asked again."""
    return kept.outcome not in PASSED
