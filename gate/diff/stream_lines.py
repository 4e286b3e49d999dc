"""The lines of a trace taken many at a time, at C speed: which cases they belong to, and whether they are all good records.

One class a format, with the same methods. What these cannot vouch for is left to the format's own parser, which says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Protocol

import msgspec

from gate.domain import Record
from gate.errors import TraceError
from gate.trace.exchange import parse_record
from gate.trace.open import Trace
from gate.trace.wire import case_of, count_checks, decode_line

MAX_SHAPES = 64
"""Shapes of exchange lines that are learned; lines of further shapes are parsed one by one."""


class Lines(Protocol):
    """What is done with many lines of one format. All data is whole lines, each with its newline."""

    parse: Callable[..., Record]
    """`parse(line, place=…)`: the record of one line without its newline. Raises TraceError."""

    def key(self, data: bytes, start: int) -> bytes:
        """What stands for the case of the line at `start`. For a line that is no record: anything without a newline."""

    def block(self, data: bytes, start: int) -> tuple[bytes, int]:
        """The key of the line at `start`, and where the run of lines with that key ends."""

    def keys(self, data: bytes) -> list[bytes]:
        """The key of each run of lines with one key, for data that `count` has vouched for."""

    def count(self, data: bytes) -> int | None:
        """How many checks the records have; None where only `parse` can tell. A number vouches for every line."""

    def step(self, line: bytes) -> int:
        """The step number of one line that `count` has vouched for."""


class ExchangeLines:
    """`case|step|command|key=value|…`. A key is the case id.

    Lines are vouched for by their shape: command and keys, in order. A shape is learned from the first line that has it and is a
    good record; one pattern of all shapes then finds the next line of no known shape.
    """

    parse = staticmethod(parse_record)
    _last_of_case = re.compile(rb"\n([^|\n]*+)\|[^\n]*+(?=\n(?!\1\|))")

    def __init__(self) -> None:
        self._shapes: dict[bytes, set[tuple[bytes, ...]]] = {}
        self._learned = 0
        self._stranger = _stranger(self._shapes)

    def key(self, data: bytes, start: int) -> bytes:
        """As the protocol says."""
        end = data.index(b"\n", start)
        column = data.find(b"|", start, end)
        return data[start : end if column < 0 else column]

    def block(self, data: bytes, start: int) -> tuple[bytes, int]:
        """As the protocol says."""
        key = self.key(data, start)
        return key, _run_end(data, start, key + b"|")

    def keys(self, data: bytes) -> list[bytes]:
        """As the protocol says."""
        return self._last_of_case.findall(b"\n" + data)

    def count(self, data: bytes) -> int | None:
        """As the protocol says. A record without fields counts as one check, of its command."""
        if b"\r\n" in data or not (_is_utf8(data) or _is_utf8(b"\n".join(self.keys(data)))):
            return None
        columns = b"\n|" + data.replace(b"\n", b"|\n|")
        start = 0
        while (found := self._stranger.search(columns, start)) is not None:
            end = columns.index(b"|\n", found.end())
            if not self._is_record(columns[found.end() : end]):
                return None
            start = end + 1
        return data.count(b"|") - 2 * data.count(b"\n")

    def step(self, line: bytes) -> int:
        """As the protocol says."""
        return int(line.split(b"|", 2)[1])

    def _is_record(self, line: bytes) -> bool:
        """Whether a line is a record; its shape is then known, unless there are too many."""
        try:
            parse_record(line, place="")
        except TraceError:
            return False
        if self._learned < MAX_SHAPES:
            _, _, command, payload = line.split(b"|", 3)
            keys = tuple(part.partition(b"=")[0] for part in payload.split(b"|")) if payload else ()
            self._shapes.setdefault(command, set()).add(keys)
            self._learned += 1
            self._stranger = _stranger(self._shapes)
        return True


class NativeLines:
    """JSON Lines after the header. A key is the case id as JSON writes it, without quotes."""

    parse = staticmethod(decode_line)
    _key = re.compile(rb'\{"case":"([^"\\\n]++)","step":')
    _step = re.compile(rb'\{"case":"(?:[^"\\]|\\.)*","step":([0-9]++)')
    _last_of_case = re.compile(
        rb'\n\{"case":"((?:[^"\\\n]|\\.)*)","step":[^\n]*+(?=\n(?!\{"case":"\1","step":))',
    )

    def key(self, data: bytes, start: int) -> bytes:
        """As the protocol says."""
        match = self._key.match(data, start)
        if match is not None:
            return match[1]
        line = data[start : data.index(b"\n", start)]
        case = case_of(line)
        return line if case is None else msgspec.json.encode(case)[1:-1]

    def block(self, data: bytes, start: int) -> tuple[bytes, int]:
        """As the protocol says."""
        key = self.key(data, start)
        end = start
        while end < len(data) and self.key(data, end) == key:
            end = _run_end(data, end, b'{"case":"' + key + b'","step":')
        return key, end

    def keys(self, data: bytes) -> list[bytes]:
        """As the protocol says."""
        return self._last_of_case.findall(b"\n" + data)

    def count(self, data: bytes) -> int | None:
        """As the protocol says."""
        total = 0
        for line in data.split(b"\n")[:-1]:
            count = count_checks(line)
            if count is None:
                return None
            total += count
        return total

    def step(self, line: bytes) -> int:
        """As the protocol says."""
        match = self._step.match(line)
        assert match is not None, "a line that was vouched for is written in one way"
        return int(match[1])


def _stranger(shapes: Mapping[bytes, Collection[tuple[bytes, ...]]]) -> re.Pattern[bytes]:
    """Finds the beginning of a line of no known shape, where a newline is written `|\\n|`.

    Then every column ends at a '|', where the engine's fastest loop stops, and a line begins after a literal that it finds fast. No
    capture stands in a repeated group: in a possessive one Python 3.11 gets that wrong.
    """
    known = rb"|".join(
        re.escape(command) + rb"\|(?:" + rb"|".join(sorted(map(_payload, payloads))) + rb")"
        for command, payloads in shapes.items()
    )
    return re.compile(rb"\n\|(?!\Z|[^|\n\r\0]++\|[0-9]{1,18}+\|(?:%s)\n)" % (known or rb"(?!)"))


def _payload(keys: tuple[bytes, ...]) -> bytes:
    return b"".join(re.escape(key) + rb"=[^|]*+\|" for key in keys) or rb"\|"


def lines_of(trace: Trace) -> Lines:
    """What reads the trace's lines."""
    return NativeLines() if trace.format == "native" else ExchangeLines()


def _run_end(data: bytes, start: int, prefix: bytes) -> int:
    """Where the line at `start` ends, with all lines after it that begin with `prefix`."""
    end = data.index(b"\n", start) + 1
    while data.startswith(prefix, end):
        end = data.index(b"\n", end) + 1
    return end


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
