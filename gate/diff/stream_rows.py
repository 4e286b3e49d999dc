"""Trace files side by side, case by case.

Two ways to the same rows. `lockstep` reads each file once, in step, and holds little: it is right where each case's lines stand
together and the cases come in much the same order on every side. Where they do not it raises ScatteredError, and `sorted_rows`
indexes the lines in a temporary database first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import BinaryIO

from gate.diff.stream_blocks import Block, Cursor, Source, alike

HELD_BYTES = 1 << 24
"""Bytes of blocks that `lockstep` holds while they wait for other sides' blocks of the same cases."""

_OVERHEAD = 1 << 9
_BATCH = 1 << 15
_END = Block(b"\n", b"", ())
"""After the last block of a source: no real key has a newline."""

Row = tuple[Block | None, ...]
"""The block of each source for one case; None: the source has no such case. Never all None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """Cases that every source has, byte for byte the same, all of good records."""

    cases: int
    steps: int
    checks: int


class ScatteredError(Exception):
    """The files cannot be walked in step: a case's lines stand apart, or the cases come in too different an order."""


def lockstep(sources: Sequence[Source]) -> Iterator[Alike | Row]:
    """All cases in one pass over files of one format.

    Raises ScatteredError, at the latest at the end: before it, no row is sure to be whole.
    """
    with _temporary_database() as database, ExitStack() as stack:
        streams = [stack.enter_context(source.trace.path.open("rb")) for source in sources]
        yield from _Walk(sources, streams, _Once(database)).items()


def sorted_rows(sources: Sequence[Source]) -> Iterator[Row]:
    """All cases of any files of one format, in the byte order of their ids."""
    with _temporary_database() as database, ExitStack() as stack:
        streams = [stack.enter_context(source.trace.path.open("rb")) for source in sources]
        database.execute("CREATE TABLE span (key BLOB, source INTEGER, offset INTEGER, length INTEGER)")
        for number, source in enumerate(sources):
            spans = ((block.key, number, *span) for block in source.blocks() for span in block.spans)
            database.executemany("INSERT INTO span VALUES (?, ?, ?, ?)", spans)
        found = database.execute("SELECT key, source, offset, length FROM span ORDER BY key, source, offset")
        for key, spans_of_case in groupby(found, key=itemgetter(0)):
            yield _row(key, spans_of_case, sources, streams)


def _row(
    key: bytes, found: Iterable[tuple[bytes, int, int, int]], sources: Sequence[Source], streams: Sequence[BinaryIO]
) -> Row:
    row: list[Block | None] = [None] * len(sources)
    for number, of_source in groupby(found, key=itemgetter(1)):
        spans = tuple((offset, length) for _, _, offset, length in of_source)
        row[number] = sources[number].fetch(streams[number], key, spans)
    return tuple(row)


class _Walk:
    """One pass: a cursor in each file, its next block, and the blocks that wait for the other files'."""

    def __init__(self, sources: Sequence[Source], streams: Sequence[BinaryIO], once: _Once) -> None:
        self._lines = sources[0].lines
        self._cursors = [Cursor(source, stream) for source, stream in zip(sources, streams, strict=True)]
        self._heads: list[Block] = []
        self._waiting: dict[bytes, list[Block | None]] = {}
        self._held = 0
        self._once = once

    def items(self) -> Iterator[Alike | Row]:
        while True:
            yield from self._stretch()
            self._heads = [cursor.block() or _END for cursor in self._cursors]
            while len({head.key for head in self._heads}) > 1:
                for row in self._set_aside():
                    yield self._told(row)
            if self._heads[0] is _END:
                break
            yield self._told(self._heads)
        for row in self._waiting.values():
            yield self._told(row)
        self._once.flush()

    def _told(self, row: Sequence[Block | None]) -> Row:
        self._once.add([next(block.key for block in row if block is not None)])
        return tuple(row)

    def _stretch(self) -> Iterator[Alike | Row]:
        """What comes next and is the same on every side: at one look if that can vouch for it, else case by case."""
        for cursor in self._cursors:
            cursor.fill()
        offset, data = alike(self._cursors, self._lines)
        if not data:
            return
        checks = self._lines.count(data)
        if checks is not None:
            keys = self._lines.keys(data)
            self._once.add(keys)
            yield Alike(cases=len(keys), steps=data.count(b"\n"), checks=checks)
            return
        start = 0
        while start < len(data):
            key, end = self._lines.block(data, start)
            block = Block(key, data[start:end], ((offset + start, end - start),))
            yield self._told([block] * len(self._cursors))
            start = end

    def _set_aside(self) -> list[list[Block | None]]:
        """Let heads wait: those whose case waits already, else all. Gives the rows that are whole by that."""
        live = [index for index, head in enumerate(self._heads) if head is not _END]
        moved = [index for index in live if self._heads[index].key in self._waiting] or live
        keys = {self._heads[index].key: None for index in moved}
        for index in moved:
            self._wait(index)
        ended = any(self._heads[index] is _END for index in live)
        whole = [key for key in (list(self._waiting) if ended else keys) if self._is_whole(self._waiting[key])]
        return [self._released(key) for key in whole]

    def _wait(self, index: int) -> None:
        head = self._heads[index]
        row = self._waiting.setdefault(head.key, [None] * len(self._heads))
        self._held += len(head.data) + _OVERHEAD
        if row[index] is not None or self._held > HELD_BYTES:
            raise ScatteredError
        row[index] = head
        self._heads[index] = self._cursors[index].block() or _END

    def _released(self, key: bytes) -> list[Block | None]:
        row = self._waiting.pop(key)
        self._held -= sum(len(block.data) + _OVERHEAD for block in row if block is not None)
        return row

    def _is_whole(self, row: list[Block | None]) -> bool:
        """Whether no source can still give a block for the row."""
        return all(block is not None or head is _END for block, head in zip(row, self._heads, strict=True))


class _Once:
    """Sees to it that no key comes twice, in bounded memory. Two keys of one hash pass for the same: that costs time alone."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._batch: list[int] = []
        database.execute("CREATE TABLE seen (hash INTEGER PRIMARY KEY)")

    def add(self, keys: Iterable[bytes]) -> None:
        self._batch.extend(map(hash, keys))
        if len(self._batch) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Raises ScatteredError where a key came twice."""
        self._batch.sort()
        try:
            self._database.executemany("INSERT INTO seen VALUES (?)", zip(self._batch, strict=False))
        except sqlite3.IntegrityError:
            raise ScatteredError from None
        self._batch.clear()


@contextmanager
def _temporary_database() -> Iterator[sqlite3.Connection]:
    """A private database on disk that nobody else sees and that is gone afterwards. Its faults are raised as OSError."""
    try:
        with closing(sqlite3.connect("")) as database:
            database.execute("PRAGMA journal_mode = OFF")
            yield database
    except sqlite3.Error as error:
        raise OSError(f"temporary index of a trace: {error}") from error
