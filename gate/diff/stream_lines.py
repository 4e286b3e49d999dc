"""The lines of a trace taken many at a time, at C speed: which cases they belong to, and whether they are all good records.

One class a format, with the same methods. What these cannot vouch for is left to the format's own parser, which says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from gate.domain import Record
from gate.trace.exchange import parse_record
from gate.trace.open import Trace
from gate.trace.wire import case_of, count_checks, decode_line


class Lines(Protocol):
    """What is done with many lines of one format. All data is whole lines, each with its newline."""

    parse: Callable[..., Record]
    """`parse(line, place=…)`: the record of one line without its newline. Raises TraceError."""

    def block(self, data: bytes, start: int) -> tuple[bytes, int]:
        """The key of the line at `start`, and where the run of lines with that key ends."""

    def key(self, data: bytes, start: int) -> bytes:
        """The key of the line at `start`: the case id in UTF-8. For a line that is no record it may be anything."""

    def keys(self, data: bytes) -> list[bytes] | None:
        """The key of each run of lines with one key; None where only `block` can tell."""

    def count(self, data: bytes) -> int | None:
        """How many checks the records have; None where only `parse` can tell. A number vouches for every line."""

    def step(self, line: bytes) -> int:
        """The step number of one line that `count` has vouched for."""


class ExchangeLines:
    """`case|step|command|key=value|…`."""

    parse = staticmethod(parse_record)
    _block = re.compile(rb"([^|\n]*+)[^\n]*+\n(?:\1\|[^\n]*+\n)*+")
    _key = re.compile(rb"[^|\n]*+")
    # A newline is written `|\n|` first: then every column ends at a '|', and the engine's fastest loop finds it. A key may not come again
    # before the newline.
    _records = re.compile(
        rb"(?:[^|\n\r\0]++\|[0-9]{1,18}+\|[^|\n\r\0]*+\|(?:(?:([^|=\n\r\0]++)=(?![^\n]*\|\1=)[^|]*+\|)++|\|)\n\|)*+"
    )

    def block(self, data: bytes, start: int) -> tuple[bytes, int]:
        """As the protocol says."""
        match = self._block.match(data, start)
        assert match is not None, "every line has a key and a newline"
        return match[1], match.end()

    def key(self, data: bytes, start: int) -> bytes:
        """As the protocol says."""
        match = self._key.match(data, start)
        assert match is not None, "the empty key always matches"
        return match[0]

    def keys(self, data: bytes) -> list[bytes] | None:
        """As the protocol says; never None."""
        return self._block.findall(data)

    def count(self, data: bytes) -> int | None:
        """As the protocol says. A record without fields counts as one check, of its command."""
        if b"\r\n" in data or not _is_utf8(data):
            return None
        if self._records.fullmatch(data.replace(b"\n", b"|\n|")) is None:
            return None
        return data.count(b"|") - 2 * data.count(b"\n")

    def step(self, line: bytes) -> int:
        """As the protocol says."""
        return int(line.split(b"|", 2)[1])


class NativeLines:
    """JSON Lines after the header."""

    parse = staticmethod(decode_line)
    _block = re.compile(
        rb'\{"case":"([^"\\\n]++)","step":[^\n]*+\n(?:\{"case":"\1","step":[^\n]*+\n)*+|[^\n]*+\n',
    )
    _key = re.compile(rb'\{"case":"([^"\\\n]++)","step":')
    _step = re.compile(rb'\{"case":"(?:[^"\\]|\\.)*+","step":([0-9]++)')

    def block(self, data: bytes, start: int) -> tuple[bytes, int]:
        """As the protocol says."""
        key, end = self._piece(data, start)
        while end < len(data) and self.key(data, end) == key:
            end = self._piece(data, end)[1]
        return key, end

    def key(self, data: bytes, start: int) -> bytes:
        """As the protocol says."""
        match = self._key.match(data, start)
        return match[1] if match is not None else _decoded_key(data[start : data.index(b"\n", start)])

    def keys(self, data: bytes) -> list[bytes] | None:
        """As the protocol says."""
        found: list[bytes] = self._block.findall(data)
        return None if b"" in found else found

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

    def _piece(self, data: bytes, start: int) -> tuple[bytes, int]:
        match = self._block.match(data, start)
        assert match is not None, "every line has a newline"
        return match[1] or _decoded_key(match[0]), match.end()


def lines_of(trace: Trace) -> Lines:
    """What reads the trace's lines."""
    return NativeLines() if trace.format == "native" else ExchangeLines()


def _decoded_key(line: bytes) -> bytes:
    case = case_of(line)
    return line.rstrip(b"\n") if case is None else case.encode("utf-8")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
