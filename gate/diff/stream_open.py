"""Opening the trace files of one comparison: they must be comparable, and are brought to one format."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from gate.diff.noise import CANONICAL_VERSION
from gate.diff.stream_blocks import Source
from gate.errors import TraceError
from gate.trace.native import TraceHeader, write_trace
from gate.trace.open import Trace, open_trace


def opened(paths: Sequence[Path], stack: ExitStack) -> tuple[Source, ...]:
    """A source for each path, all of one format; what had to be written for that is gone when `stack` ends.

    Raises TraceError: a file that is no trace; headers that name different corpora or fixtures, or another canonical form.
    """
    traces = [open_trace(path) for path in paths]
    require_comparable(traces)
    if len({trace.format for trace in traces}) > 1:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gate-diff-")))
        traces = [_as_native(trace, folder / str(number)) for number, trace in enumerate(traces)]
    return tuple(Source(trace) for trace in traces)


def _as_native(trace: Trace, path: Path) -> Trace:
    if trace.format == "native":
        return trace
    with path.open("wb") as stream:
        write_trace(stream, TraceHeader(), trace.records())
    return open_trace(path)


def require_comparable(traces: Sequence[Trace]) -> None:
    """Raise TraceError for headers that name another canonical form than this gate's, or different corpora, fixtures or environments."""
    told = [(trace.path, trace.header) for trace in traces if trace.header is not None]
    for path, header in told:
        if header.canonical not in (None, CANONICAL_VERSION):
            raise TraceError(
                f"{path}:1: expected canonical form {CANONICAL_VERSION}, got {header.canonical}",
                next_step="Another version of the gate recorded it, and compares otherwise. Record it again: "
                "gate capture --fresh --baseline DIR, or gate run for both sides.",
            )
    for what in ("corpus", "fixtures", "environment"):
        said = [(path, getattr(header, what)) for path, header in told if getattr(header, what) is not None]
        for path, digest in said[1:]:
            if digest != said[0][1]:
                raise TraceError(
                    f"{path}:1: expected {what} {said[0][1]} as in {said[0][0]}, got {digest}",
                    next_step="Record both traces on one machine, on the same corpus and fixtures: what differs there is not the patch.",
                )
