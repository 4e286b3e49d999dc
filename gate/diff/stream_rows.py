"""Trace files side by side: one row a case, with that case's block of each file.

Two ways to the same rows. `lockstep` reads each file once, in step, and holds little: it is right where a case's lines stand
together and the cases come in much the same order on every side. Where they do not it raises Scattered, and `sorted_rows`
first indexes every line in a temporary database on disk.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import groupby
from operator import itemgetter
from typing import BinaryIO

from gate.diff.stream_blocks import Block, Source

HELD_BYTES = 1 << 24
"""Bytes of blocks that `lockstep` holds while they wait for other sides' blocks of the same cases."""

_OVERHEAD = 1 << 9
_BATCH = 1 << 15
_END = Block(b"\n", b"", ())
"""After the last block of a source: no real key has a newline."""

Row = tuple[Block | None, ...]
"""The block of each source for one case; None: the source has no such case. Never all None."""


class Scattered(Exception):  # noqa: N818 - no error: the other way is taken
    """The files cannot be walked in step: a case's lines stand apart, or the cases come in too different an order."""


def lockstep(sources: Sequence[Source]) -> Iterator[Row]:
    """Rows in one pass over the files. Raises Scattered, at the latest at the end: before it, no row is sure to be whole."""
    with _temporary_database() as database:
        seen = _Once(database)
        for row in _Walk(sources).rows():
            seen.add(next(block.key for block in row if block is not None))
            yield row
        seen.flush()


def sorted_rows(sources: Sequence[Source]) -> Iterator[Row]:
    """Rows of any files whatever, in the byte order of their case ids."""
    with _temporary_database() as database, ExitStack() as stack:
        streams = [stack.enter_context(source.trace.path.open("rb")) for source in sources]
        database.execute("CREATE TABLE span (key BLOB, source INTEGER, offset INTEGER, length INTEGER)")
        for number, source in enumerate(sources):
            spans = ((block.key, number, *span) for block in source.blocks() for span in block.segments)
            database.executemany("INSERT INTO span VALUES (?, ?, ?, ?)", spans)
        found = database.execute("SELECT key, source, offset, length FROM span ORDER BY key, source, offset")
        for key, spans_of_case in groupby(found, key=itemgetter(0)):
            yield _row(key, list(spans_of_case), sources, streams)


def _row(
    key: bytes, found: list[tuple[bytes, int, int, int]], sources: Sequence[Source], streams: Sequence[BinaryIO]
) -> Row:
    row: list[Block | None] = [None] * len(sources)
    for number, spans in groupby(found, key=itemgetter(1)):
        segments = tuple((offset, length) for _, _, offset, length in spans)
        row[number] = sources[number].fetch(streams[number], key, segments)
    return tuple(row)


class _Walk:
    """One pass: the next block of each source, and the blocks that wait for the other sources'."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._streams = [source.blocks() for source in sources]
        self._heads = [next(stream, _END) for stream in self._streams]
        self._waiting: dict[bytes, list[Block | None]] = {}
        self._held = 0

    def rows(self) -> Iterator[Row]:
        while True:
            heads = self._heads
            if len({head.key for head in heads}) > 1:
                yield from self._set_aside()
            elif heads[0] is not _END:
                yield tuple(heads)
                self._heads = [next(stream, _END) for stream in self._streams]
            else:
                break
        yield from map(tuple, self._waiting.values())

    def _set_aside(self) -> Iterator[Row]:
        """Let heads wait: those whose case waits already, else all. Gives the rows that are whole by that."""
        live = [index for index, head in enumerate(self._heads) if head is not _END]
        late = [index for index in live if self._heads[index].key in self._waiting]
        keys = {self._heads[index].key: None for index in late or live}
        for index in late or live:
            self._wait(index)
        ended = len(live) > sum(head is not _END for head in self._heads)
        for key in list(self._waiting) if ended else keys:
            if self._is_whole(self._waiting[key]):
                row = self._waiting.pop(key)
                self._held -= sum(len(block.data) + _OVERHEAD for block in row if block is not None)
                yield tuple(row)

    def _wait(self, index: int) -> None:
        head = self._heads[index]
        row = self._waiting.setdefault(head.key, [None] * len(self._heads))
        self._held += len(head.data) + _OVERHEAD
        if row[index] is not None or self._held > HELD_BYTES:
            raise Scattered
        row[index] = head
        self._heads[index] = next(self._streams[index], _END)

    def _is_whole(self, row: list[Block | None]) -> bool:
        """Whether no source can still give a block for the row."""
        return all(block is not None or head is _END for block, head in zip(row, self._heads, strict=True))


class _Once:
    """Sees to it that no key comes twice, in bounded memory. Two keys of one hash pass for the same: that costs time alone."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._batch: list[int] = []
        database.execute("CREATE TABLE seen (hash INTEGER PRIMARY KEY)")

    def add(self, key: bytes) -> None:
        self._batch.append(hash(key))
        if len(self._batch) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Raises Scattered where a key came twice."""
        self._batch.sort()
        try:
            self._database.executemany("INSERT INTO seen VALUES (?)", zip(self._batch, strict=False))
        except sqlite3.IntegrityError:
            raise Scattered from None
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
