"""Runs the gate between the two releases of each pair, and keeps what it flags. Resumable: a pair that has its line is not run again."""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from auditor.drafting.material import groups
from auditor.suggestions.plain import plain
from evals.errors import EvalsError
from evals.pairs.files import CHANNEL_TO_FIELD, Pair, read_pair
from evals.pairs.noise import NOISE
from evals.pairs.project import make_project
from evals.pairs.recorded import Known, RecordedPair, read, render
from evals.pairs.sides import environment, find_python
from evals.written import write
from gate import api

Say = Callable[[str], None]
_DAY = date(2026, 1, 1)
"""The day of every run: no clock is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What a recording came to."""

    recorded: tuple[str, ...]
    """Pairs that have been run now."""
    there: tuple[str, ...]
    """Pairs that had their line already."""
    skipped: tuple[str, ...]
    """Pairs whose Python is not here."""
    failed: tuple[str, ...]
    """Pairs that could not be installed, or gave no verdict."""


def record(files: Sequence[Path], into: Path, *, say: Say, workers: int | None = None) -> Recording:
    """Record the pairs of these files into the file `into`, which is whole after each pair.

    A pair that cannot be recorded is said and left out. Raises EvalsError for a file of a pair, or lines of `into`, that cannot be read.
    """
    with _alone(into):
        return _record(files, into, say=say, workers=workers)


def _record(files: Sequence[Path], into: Path, *, say: Say, workers: int | None) -> Recording:
    pairs = [read_pair(file) for file in files]
    held = {one.pair: one for one in read(into)[0]} if into.is_file() else {}
    there = [pair.name for pair in pairs if pair.name in held and held[pair.name].source == pair.digest]
    recorded, skipped, failed = list[str](), list[str](), list[str]()
    for pair in (one for one in pairs if one.name not in there):
        name, version = plain(pair.name), pair.told["python"]
        if find_python(version) is None:
            say(f"{name}: skipped: no Python {plain(version)} here")
            skipped.append(pair.name)
            continue
        try:
            held[pair.name] = record_pair(pair, workers=workers)
        except (api.GateError, OSError) as error:
            say(f"{name}: not recorded: {plain(str(error))}")
            failed.append(pair.name)
            continue
        write(into, render(held.values()))
        say(f"{name}: {len(held[pair.name].groups)} groups")
        recorded.append(pair.name)
    return Recording(recorded=tuple(recorded), there=tuple(there), skipped=tuple(skipped), failed=tuple(failed))


@contextmanager
def _alone(into: Path) -> Iterator[None]:
    """The file for one recording at a time: two would write over each other's pairs. Raises EvalsError where another holds it."""
    into.parent.mkdir(parents=True, exist_ok=True)
    with into.with_name(f".{into.name}.lock").open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise EvalsError(
                f"{into.name}: another recording writes it", next_step="Wait for it, or name another file: --into"
            ) from None
        yield


def record_pair(pair: Pair, *, workers: int | None = None) -> RecordedPair:
    """One pair: the old release against the new one, under a policy that allows nothing.

    Raises EvalsError where a release cannot be installed, GateError where the gate gives no verdict.
    """
    sides = api.Trees(baseline=environment(pair, pair.told["old"]), candidate=environment(pair, pair.told["new"]))
    with tempfile.TemporaryDirectory(prefix="auditor-evals-", ignore_cleanup_errors=True) as folder:
        root = make_project(pair, Path(folder) / "project", NOISE.get(pair.name))
        api.pin(root)
        outcome = api.run(root, sides, workers=workers, today=_DAY, sandbox="off")
        found = groups(api.recorded(root, outcome.folder))
    return RecordedPair(
        pair=pair.name,
        source=pair.digest,
        intent=pair.told["intent"],
        groups=found,
        known=tuple(
            Known(
                case=delta["seed"],
                step=delta["step"],
                field=CHANNEL_TO_FIELD[delta["channel"]],  # type: ignore[arg-type]  # read_pair held it to these four
                label=delta["label"],
            )
            for delta in pair.told["known_deltas"]
        ),
    )
