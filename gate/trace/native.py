"""The native trace format: JSON Lines, a header and then one record a line. Exact for any bytes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from gate.domain import Record
from gate.errors import TraceError
from gate.strictjson import StrictJSONError
from gate.strictjson import parse as parse_strictly
from gate.trace.wire import decode_line, encode_record

TRACE_VERSION = 1
_MEND = 'The first line is {"trace": 1, …}; docs/trace.md lists what else a header may say.'


class TraceHeader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a trace comes from. None: not said."""

    canonical: int | None = None
    """Version of the canonical form of the gate that recorded it."""
    build: str | None = None
    """Digest of the build that ran."""
    corpus: str | None = None
    """Digest of the corpus that was replayed."""
    fixtures: str | None = None
    """Digest of the fixture pack."""
    environment: str | None = None
    """Digest of the environment of the steps."""
    side: str | None = None
    """`baseline` or `candidate`."""
    run: int | None = None
    """Which replay of that side it is."""


def write_trace(stream: BinaryIO, header: TraceHeader, records: Iterable[Record]) -> None:
    """Write a whole trace. Raises TraceError for what is no record; `stream` then holds a part (use gate.files)."""
    stream.write(encode_header(header) + b"\n")
    stream.writelines(encode_record(record) + b"\n" for record in records)


def read_trace(path: Path) -> tuple[TraceHeader, tuple[Record, ...]]:
    """A whole native trace in memory; `gate.trace.open` streams one of either format. Raises TraceError with file and line."""
    with path.open("rb") as stream:
        header = decode_header(stream.readline(), place=f"{path}:1")
        records = tuple(
            decode_line(line.removesuffix(b"\n"), place=f"{path}:{number}")
            for number, line in enumerate(stream, start=2)
        )
    return header, records


def encode_header(header: TraceHeader) -> bytes:
    """The first line, without its newline."""
    said = msgspec.to_builtins(header)
    return msgspec.json.encode({"trace": TRACE_VERSION} | said)


def decode_header(line: bytes, *, place: str) -> TraceHeader:
    """What the first line says. Raises TraceError: no header, another version, a key that is not known."""
    try:
        said = parse_strictly(line).value
    except StrictJSONError as error:
        raise TraceError(f"{place}: expected a trace header, got {error.what}", next_step=_MEND) from error
    if not isinstance(said, dict) or "trace" not in said:
        raise TraceError(f'{place}: expected a trace header with "trace", got none', next_step=_MEND)
    version = said.pop("trace")
    if type(version) is not int or version != TRACE_VERSION:
        raise TraceError(
            f"{place}: expected trace version {TRACE_VERSION}, got {version!r}",
            next_step="Record the trace again with this version of the gate, or read it with the version that wrote it.",
        )
    return _header(said, place)


def _header(said: dict[str, Any], place: str) -> TraceHeader:
    try:
        return msgspec.convert(said, TraceHeader)
    except msgspec.ValidationError as error:
        raise TraceError(f"{place}: expected a trace header, got {error}", next_step=_MEND) from error
