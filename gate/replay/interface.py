"""The three seams of replay: the runner, the engine, the store.

* The *runner* knows how one case runs: a process per step (`exec_runner`), or one process that prints the trace itself
  (`trace_runner`).
* The *engine* knows where cases run: this machine's cores (`engine`).
* The *store* knows where builds, goldens and runs are kept (`store`).

Nothing above them knows which one is in use, and the records are the same whichever is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from gate.domain import Case, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """All that a runner needs and that is the same for every case. Raises ValueError for what can never run."""

    runner: Literal["exec", "trace"] = "exec"
    slot: str
    """Root of the claimed slot: absolute, links resolved. The build stands at `build` below it, the fixtures at `template`."""
    aliases: tuple[str, ...] = ()
    """Other spellings of `slot` that a program may print, such as the one before links were resolved."""
    argv: tuple[str, ...] = ()
    """Words put before each step's own (exec), or the whole command line (trace); ready to run, nothing left to fill in."""
    path: tuple[str, ...] = ()
    """Absolute folders that come first on PATH."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables added to the allowlisted environment."""
    run: int | None = None
    """Number of the run: with the case's id it gives PYTHONHASHSEED, see `gate.replay.environment.hash_seed`. None: it is 0 everywhere."""
    timeout: float = 30.0
    """Seconds a step may take (trace: a case)."""
    keep_bytes: int = 1 << 20
    """Bytes of a stream or a file that a record keeps; the rest is hashed and counted."""
    limit_bytes: int = 1 << 28
    """Bytes after which a stream is stopped and the step killed; also the size that a step can give to a file."""
    apart: bool = False
    """No directory of a case is made before the case runs: nothing that runs earlier can write there."""
    programs: tuple[str, ...] = ()
    """Programs that steps start by absolute paths, `argv` apart; a sandbox shows the folders of those that it would hide."""
    ignore: tuple[str, ...] = ()
    """Globs of paths whose effects are not recorded; `gate.replay.snapshot.Globs` says how they match."""
    ignore_content: tuple[str, ...] = ()
    """Globs of files of which only the effect is recorded (created, changed, removed, mode), not the content."""

    def __post_init__(self) -> None:
        if not self.slot.startswith("/") or any(not folder.startswith("/") for folder in self.path):
            raise ValueError("a slot and the folders of PATH are absolute paths")
        if not 0 < self.timeout < 1e6 or self.keep_bytes < 0 or self.limit_bytes < 1:
            raise ValueError("limits are positive, and a timeout is below 1,000,000 seconds")
        if self.run is not None and self.run < 0:
            raise ValueError("runs are numbered from 0")
        if self.runner == "trace" and not self.argv:
            raise ValueError("a trace runner needs a command line")


class Runner(Protocol):
    """How one case runs."""

    def run(self, case: Case) -> tuple[Record, ...]:
        """Run `case` in a fresh directory; its records in the order of the steps.

        Raises ReplayError when the machine failed, TraceError when the program's own trace cannot be read. What the program
        does, crashes and time-outs included, is a record and never an error.
        """
        ...


class Engine(Protocol):
    """Where cases run."""

    def replay(
        self, recipe: Recipe, cases: Sequence[Case], *, on_case: Callable[[], None]
    ) -> tuple[tuple[Record, ...], ...]:
        """The records of each case, in the order of `cases`, however many workers there are and whoever ends first.

        `on_case` is called once for each case that is done. No cases give no records. When this returns or raises, nothing
        that it started is running, idle workers of an engine in a `with` block apart. Raises ReplayError or TraceError; of several,
        that of the first case in order.
        """
        ...
