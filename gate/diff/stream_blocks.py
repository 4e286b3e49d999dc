"""A trace file as blocks: consecutive lines of one case, cut at C speed and not yet checked.

Whoever takes a block either has it vouched for (`Source.vouch`, one look at all its lines) or parses it. So every line of every
file is checked, but most are never turned into objects.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from gate.domain import Record
from gate.errors import TraceError
from gate.trace.open import Trace
from gate.trace.wire import case_of, count_fields

CHUNK = 1 << 20
"""Bytes read at a time; more is held only where one case or one line is longer."""

_COLUMNS = rb"[^|\n\r\0]++\|[0-9]{1,18}+\|[^|\n\r\0]*+\|"
_FIRST = rb"([^|=\n\r\0]++)=(?![^\n]*\|\1=)[^|\n]*+"
_MORE = rb"\|([^|=\n\r\0]++)=(?![^\n]*\|\2=)[^|\n]*+"
_EXCHANGE_RECORDS = re.compile(rb"(?:%s(?:%s(?:%s)*+)?+(?<!\r)\n)*+" % (_COLUMNS, _FIRST, _MORE))
"""What `gate.trace.exchange.parse_record` takes, save that names are not yet known to be UTF-8. A test holds the two together."""

_EXCHANGE_BLOCK = re.compile(rb"([^|\n]*+)[^\n]*+\n(?:\1\|[^\n]*+\n)*+")
_NATIVE_BLOCK = re.compile(
    rb'\{"case":"([^"\\\n]++)","step":[^\n]*+\n(?:\{"case":"\1","step":[^\n]*+\n)*+|[^\n]*+\n',
)


class Block(NamedTuple):
    """Lines of one case, each with its newline."""

    key: bytes
    """The case id in UTF-8. For lines that are no records: anything, as they are refused when they are looked at."""
    data: bytes
    segments: tuple[tuple[int, int], ...]
    """Where the lines stand in the file: (byte offset, length), in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One trace file of a comparison."""

    trace: Trace

    def blocks(self) -> Iterator[Block]:
        """The file's blocks in order; neighbours have different keys. Raises TraceError for an exchange file that is cut off."""
        key = b""
        parts: list[Block] = []
        for piece in self._pieces():
            if parts and piece.key != key:
                yield parts[0] if len(parts) == 1 else _joined(parts)
                parts.clear()
            key = piece.key
            parts.append(piece)
        if parts:
            yield _joined(parts)

    def vouch(self, block: Block) -> int | None:
        """How many fields the block's records have, if one look shows that all are good records with whole values; else None."""
        if self.trace.format == "native":
            return _count_native(block.data)
        return _count_exchange(block.data)

    def parse(self, block: Block) -> tuple[Record, ...]:
        """The block's records. Raises TraceError naming file and line of the first that is none."""
        lines = block.data.split(b"\n")[:-1]
        try:
            return tuple(self.trace.parse(line, place="") for line in lines)
        except TraceError:
            for index, line in enumerate(lines):
                self.trace.parse(line, place=self._place(block, index))
            raise

    def fetch(self, stream: BinaryIO, key: bytes, segments: tuple[tuple[int, int], ...]) -> Block:
        """The block that stands at `segments` of the file, which is open as `stream`."""
        parts = [_terminated(os.pread(stream.fileno(), length, offset)) for offset, length in segments]
        return Block(key, b"".join(parts), segments)

    def _pieces(self) -> Iterator[Block]:
        native = self.trace.format == "native"
        split = _NATIVE_BLOCK if native else _EXCHANGE_BLOCK
        for offset, data in self._chunks():
            for match in split.finditer(data):
                lines, key, start = match[0], match[1], offset + match.start()
                yield Block(_native_key(lines) if key is None else key, lines, ((start, len(lines)),))

    def _chunks(self) -> Iterator[tuple[int, bytes]]:
        """Whole lines, with the offset of the first."""
        with self.trace.path.open("rb") as stream:
            offset = stream.seek(self.trace.start)
            while data := stream.read(CHUNK):
                if not data.endswith(b"\n"):
                    data += stream.readline()
                yield offset, self._ended(data, offset)
                offset += len(data)

    def _ended(self, data: bytes, offset: int) -> bytes:
        if not data.endswith(b"\n"):
            last = data.rfind(b"\n") + 1
            self.trace.without_newline(data[last:], place=f"{self.trace.path}:{self._line_at(offset + last)}")
        return _terminated(data)

    def _place(self, block: Block, index: int) -> str:
        """File and line of a block's line `index`, from 0."""
        position = sum(len(line) + 1 for line in block.data.split(b"\n")[:index])
        for offset, length in block.segments:
            if position < length:
                return f"{self.trace.path}:{self._line_at(offset + position)}"
            position -= length
        raise IndexError(index)

    def _line_at(self, offset: int) -> int:
        line, left = 1, offset
        with self.trace.path.open("rb") as stream:
            while left > 0 and (data := stream.read(min(left, CHUNK))):
                line += data.count(b"\n")
                left -= len(data)
        return line


def _joined(parts: list[Block]) -> Block:
    return Block(
        parts[0].key, b"".join(part.data for part in parts), tuple(span for part in parts for span in part.segments)
    )


def _terminated(data: bytes) -> bytes:
    return data if data.endswith(b"\n") else data + b"\n"


def _native_key(line: bytes) -> bytes:
    case = case_of(line)
    return line if case is None else case.encode("utf-8")


def _count_exchange(data: bytes) -> int | None:
    if _EXCHANGE_RECORDS.fullmatch(data) is None or not _is_utf8(data):
        return None
    return data.count(b"|") - 2 * data.count(b"\n") - data.count(b"|\n")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _count_native(data: bytes) -> int | None:
    total = 0
    for line in data.split(b"\n")[:-1]:
        count = count_fields(line)
        if count is None:
            return None
        total += count
    return total
