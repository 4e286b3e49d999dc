"""Opening a trace of either format, by what is in the file and never by its name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gate.domain import Record
from gate.errors import TraceError
from gate.trace.exchange import parse_record
from gate.trace.native import TraceHeader, decode_header
from gate.trace.wire import decode_line

Format = Literal["exchange", "native"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A trace file whose format is known. The records are not in memory."""

    path: Path
    format: Format
    header: TraceHeader | None
    """None: the exchange format has no header."""
    start: int
    """Byte offset of the first record."""

    @property
    def parse(self) -> Callable[..., Record]:
        """What reads one line without its newline: `parse(line, place=…)`. Raises TraceError."""
        return decode_line if self.format == "native" else parse_record

    def records(self) -> Iterator[Record]:
        """Every record in file order. Raises TraceError with file and line, when it gets there."""
        with self.path.open("rb") as stream:
            stream.seek(self.start)
            for number, line in enumerate(stream, start=1 if self.header is None else 2):
                yield self.parse(
                    self.without_newline(line, place=f"{self.path}:{number}"), place=f"{self.path}:{number}"
                )

    def without_newline(self, line: bytes, *, place: str) -> bytes:
        """The line without its newline. Raises TraceError for an exchange line that has none: half a value looks whole."""
        if line.endswith(b"\n") or self.format == "native":
            return line.removesuffix(b"\n")
        raise TraceError(
            f"{place}: expected a newline at the end of the last record, got the end of the file",
            next_step="The trace may be cut off: record it again. If the record is whole, end the file with a newline.",
        )


def open_trace(path: Path) -> Trace:
    """Find out the format of the trace at `path`. Raises TraceError: no such file, no regular file, an empty one."""
    if not path.is_file():
        actual = "something else" if path.exists() else "no such file"
        raise TraceError(
            f"{path}: expected a trace file, got {actual}", next_step="Save the trace to a file and name it."
        )
    with path.open("rb") as stream:
        first = stream.readline()
    if not first:
        raise TraceError(
            f"{path}: expected a trace, got an empty file", next_step="Nothing was recorded: record again."
        )
    if first.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise TraceError(f"{path}:1: expected UTF-8 without a byte order mark, got one", next_step="Save it without.")
    if _is_json_object(first):
        header = decode_header(first.removesuffix(b"\n"), place=f"{path}:1")
        return Trace(path=path, format="native", header=header, start=len(first))
    return Trace(path=path, format="exchange", header=None, start=0)


def _is_json_object(line: bytes) -> bool:
    """Whether a line is a whole JSON object; no exchange record of ours is (see `write_record`)."""
    if not line.lstrip().startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
