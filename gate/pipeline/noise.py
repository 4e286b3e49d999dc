"""The recorded runs of a baseline, for questions about its noise. Nothing is built or replayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from gate.config.model import Project
from gate.diff.stream_open import require_comparable
from gate.domain import CaseId, Record
from gate.errors import ConfigError, NothingComparedError, ReplayError
from gate.replay.build import read_source
from gate.replay.store import LocalStore
from gate.trace.open import Trace, open_trace

CaseRuns = tuple[tuple[Record, ...], ...]
"""The runs of one case, each its records in order."""

GOLDEN = "golden.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRuns:
    """What a baseline did, as often as it was recorded."""

    cases: tuple[CaseRuns, ...]
    """In the order of first appearance; each case has as many runs."""
    files: tuple[Path, ...]
    """One a run."""


def recorded_runs(
    project: Project, *, traces: Sequence[Path] = (), run: Path | None = None, baseline: Path | None = None
) -> RecordedRuns:
    """The runs in `traces`; or those kept of the build `baseline`; or those of the baseline of the run `run`, by default the latest one.

    Raises ConfigError for more than one of these, ReplayError where none is kept, TraceError for traces that cannot be read, that were
    recorded under another canonical form, or that are of different corpora; NothingComparedError where nothing was recorded.
    """
    if sum((bool(traces), run is not None, baseline is not None)) > 1:
        raise ConfigError(
            "expected traces, --run or --baseline, got more than one of them",
            next_step="Name one source of recorded runs.",
        )
    store = LocalStore(root=project.state)
    kept = None if baseline is None else _kept_of(project, store, baseline)
    files = kept or tuple(traces) or _of_run(project, store, run)
    opened = [open_trace(file) for file in files]
    require_comparable(opened)
    cases = _by_case(opened)
    if not any(records for runs in cases for records in runs):
        raise NothingComparedError(
            f"expected records in {files[0]}, got none", next_step="Nothing was recorded: record the baseline again."
        )
    return RecordedRuns(cases=cases, files=files)


def _of_run(project: Project, store: LocalStore, run: Path | None) -> tuple[Path, ...]:
    """The golden of a run; where all runs of that golden are kept, all of them."""
    file = (project.state / "latest" if run is None else run) / GOLDEN
    if not file.is_file():
        again = "Run `gate run` again, or name the folder of another run with --run."
        first = "There is no run yet: `gate run` first, or name a captured build with --baseline, or trace files."
        raise ReplayError(
            f"{file}: expected the golden trace of a run, found none", next_step=first if run is None else again
        )
    data = file.read_bytes()
    kept = [files for files in store.kept_goldens() if files and files[0].read_bytes() == data]
    return max(kept, key=len, default=(file,))


def _kept_of(project: Project, store: LocalStore, baseline: Path) -> tuple[Path, ...]:
    source = read_source("baseline", baseline)
    corpus = f"sha256:{sha256(project.corpus_file.read_bytes()).hexdigest()}"
    kept = []
    for files in store.kept_goldens():
        header = open_trace(files[0]).header if files else None
        if header is not None and (header.build, header.corpus) == (source.digest, corpus):
            kept.append(files)
    if not kept:
        raise ReplayError(
            f"{baseline}: expected a kept golden of this build on the corpus as it stands, found none",
            next_step=f"Record it: gate capture --baseline {baseline}",
        )
    return max(kept, key=len)


def _by_case(traces: Sequence[Trace]) -> tuple[CaseRuns, ...]:
    runs: list[dict[CaseId, list[Record]]] = []
    order: dict[CaseId, None] = {}
    for trace in traces:
        held: dict[CaseId, list[Record]] = {}
        for record in trace.records():
            held.setdefault(record.case, []).append(record)
            order[record.case] = None
        runs.append(held)
    return tuple(tuple(tuple(held.get(case, ())) for held in runs) for case in order)
