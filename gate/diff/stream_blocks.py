"""A trace file read forwards, block by block: a block is consecutive lines of one case, not yet checked."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple

from gate.diff.stream_lines import Lines, lines_of
from gate.domain import Record
from gate.errors import TraceError
from gate.trace.open import Trace

CHUNK = 1 << 20
"""Bytes read at a time; more is held only where one case or one line is longer."""

_LOW = CHUNK // 4
_STRIDE = 1 << 13

Span = tuple[int, int]
"""Byte offset in a file, length."""


class Block(NamedTuple):
    """Lines of one case, each with its newline."""

    key: bytes
    """What stands for the case, the same on every side. Of lines that are no records: anything, as they are refused when looked at."""
    data: bytes
    spans: tuple[Span, ...]
    """Where the lines stand in the file, in order."""


@dataclass(frozen=True, slots=True)
class Source:
    """One trace file of a comparison."""

    trace: Trace
    lines: Lines = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", lines_of(self.trace))

    def blocks(self) -> Iterator[Block]:
        """The file's blocks in order; neighbours have different keys. Raises TraceError for an exchange file that is cut off."""
        with self.trace.path.open("rb") as stream:
            cursor = Cursor(self, stream)
            while (block := cursor.block()) is not None:
                yield block

    def parse(self, block: Block, known: dict[bytes, Record]) -> tuple[Record, ...]:
        """The block's records. Raises TraceError naming file and line of the first that is none.

        `known` maps lines to their records, and learns; a line that stands on both sides is read once.
        """
        records = []
        for index, line in enumerate(block.data.split(b"\n")[:-1]):
            record = known.get(line)
            if record is None:
                record = known[line] = self.parse_line(block, index, line)
            records.append(record)
        return tuple(records)

    def parse_line(self, block: Block, index: int, line: bytes) -> Record:
        """The record of a block's line `index`, from 0. Raises TraceError naming file and line."""
        try:
            return self.lines.parse(line, place="")
        except TraceError:
            return self.lines.parse(line, place=self._place(block, index))

    def fetch(self, stream: BinaryIO, key: bytes, spans: tuple[Span, ...]) -> Block:
        """The block that stands at `spans` of the file, which is open as `stream`."""
        parts = [_terminated(os.pread(stream.fileno(), length, offset)) for offset, length in spans]
        return Block(key, b"".join(parts), spans)

    def line_at(self, offset: int) -> int:
        """The number of the line, from 1, that begins at a byte offset."""
        line, left = 1, offset
        with self.trace.path.open("rb") as stream:
            while left > 0 and (data := stream.read(min(left, CHUNK))):
                line += data.count(b"\n")
                left -= len(data)
        return line

    def _place(self, block: Block, index: int) -> str:
        position = sum(len(line) + 1 for line in block.data.split(b"\n")[:index])
        for offset, length in block.spans:
            if position < length:
                return f"{self.trace.path}:{self.line_at(offset + position)}"
            position -= length
        raise IndexError(index)


class Cursor:
    """A place in a file that only moves forwards, with the whole lines that come next in memory."""

    def __init__(self, source: Source, stream: BinaryIO) -> None:
        self.data = b""
        """Whole lines."""
        self.at = 0
        """Where in `data` the next line begins."""
        self._source = source
        self._stream = stream
        self._base = stream.seek(source.trace.start)
        self._ended = False

    @property
    def offset(self) -> int:
        """The byte offset of the next line in the file."""
        return self._base + self.at

    def block(self) -> Block | None:
        """The next block, which is then behind the cursor; None at the end of the file."""
        self.fill()
        if self.at == len(self.data):
            return None
        key, end = self._source.lines.block(self.data, self.at)
        while end == len(self.data) and not self._ended:
            self._read(max(CHUNK, end - self.at))
            key, end = self._source.lines.block(self.data, self.at)
        block = Block(key, self.data[self.at : end], ((self.offset, end - self.at),))
        self.at = end
        return block

    def fill(self) -> None:
        """Have at least a fair amount of lines in memory, or all that are left."""
        while len(self.data) - self.at < _LOW and not self._ended:
            self._read(CHUNK)

    def _read(self, size: int) -> None:
        fresh = self._stream.read(size)
        if not fresh:
            self._ended = True
            return
        if not fresh.endswith(b"\n"):
            fresh += self._stream.readline()
        self._base += self.at
        self.data = self.data[self.at :] + self._whole(fresh)
        self.at = 0

    def _whole(self, fresh: bytes) -> bytes:
        if not fresh.endswith(b"\n"):
            start = self._stream.tell() - len(fresh) + fresh.rfind(b"\n") + 1
            place = f"{self._source.trace.path}:{self._source.line_at(start)}"
            self._source.trace.without_newline(fresh[fresh.rfind(b"\n") + 1 :], place=place)
        return _terminated(fresh)


def alike(cursors: Sequence[Cursor], lines: Lines) -> tuple[int, bytes]:
    """Lines that come next on every side, byte for byte, and are whole cases on every side; all cursors move behind them.

    With the offset of the first in the first file. Empty where no case is sure to be alike: the last case that looks so is
    left out, as on some side it may go on.
    """
    first = cursors[0]
    length = min(len(cursor.data) - cursor.at for cursor in cursors)
    for cursor in cursors[1:]:
        length = _common(first, cursor, length)
    offset, end = first.offset, _last_case(lines, first.data, first.at, first.at + length)
    data = first.data[first.at : end]
    for cursor in cursors:
        cursor.at += len(data)
    return offset, data


def _common(one: Cursor, other: Cursor, limit: int) -> int:
    """How many bytes, up to `limit`, are the same from both cursors on."""
    for same in range(0, limit, _STRIDE):
        end = min(same + _STRIDE, limit)
        left, right = one.data[one.at + same : one.at + end], other.data[other.at + same : other.at + end]
        if left != right:
            return same + _first_difference(left, right)
    return limit


def _first_difference(one: bytes, other: bytes) -> int:
    low, high = 0, len(one)
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _last_case(lines: Lines, data: bytes, start: int, end: int) -> int:
    """Where the last case begins of which a line is begun before `end`; `start` if there is none before."""
    line = data.rfind(b"\n", start, end) + 1
    if line == 0:
        return start
    last = data.rfind(b"\n", start, line - 1) + 1 or start
    key = lines.key(data, last)
    while last > start:
        before = data.rfind(b"\n", start, last - 1) + 1 or start
        if lines.key(data, before) != key:
            break
        last = before
    return last


def _terminated(data: bytes) -> bytes:
    return data if data.endswith(b"\n") else data + b"\n"
