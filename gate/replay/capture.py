"""Keeping what a program gave out: the head, a count, a hash, and a hard stop."""

from __future__ import annotations

import hashlib
from typing import Protocol

from gate.domain import Value, value
from gate.replay.redact import RedactedStream, Redactor

_BATCH = 1 << 20


class Sink(Protocol):
    """What a stream is drained into."""

    @property
    def overflow(self) -> bool:
        """Whether there was more than the limit."""
        ...

    def feed(self, piece: bytes) -> bool:
        """Take the next bytes in. False once there were more than the limit: exactly the limit is kept, and nothing after."""
        ...


class Transcript:
    """A stream held whole and as it came, for what has to be parsed; up to a limit."""

    __slots__ = ("_limit", "_parts", "_seen", "overflow")

    def __init__(self, *, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._seen = 0
        self.overflow = False

    def feed(self, piece: bytes) -> bool:
        """Take the next bytes in; False once there were more than the limit."""
        self.overflow = self.overflow or self._seen + len(piece) > self._limit
        kept = piece[: self._limit - self._seen]
        self._seen += len(kept)
        self._parts.append(kept)
        return not self.overflow

    @property
    def data(self) -> bytes:
        """All that was taken in."""
        return b"".join(self._parts)


class Capture:
    """One stream or file, as it comes in. Memory stays below `keep` bytes and two batches of 1 MiB."""

    __slots__ = (
        "_hash",
        "_head",
        "_keep",
        "_limit",
        "_overflow",
        "_pending",
        "_pending_bytes",
        "_redactor",
        "_seen",
        "_size",
        "_stream",
    )

    def __init__(self, redactor: Redactor, *, keep: int, limit: int | None) -> None:
        self._redactor = redactor
        self._keep = keep
        self._limit = limit
        self._overflow = False
        self._seen = 0
        self._pending: list[bytes] = []
        self._pending_bytes = 0
        self._stream: RedactedStream | None = None

    @property
    def overflow(self) -> bool:
        """Whether there was more than the limit."""
        return self._overflow

    def feed(self, piece: bytes) -> bool:
        """Take the next bytes in; False once there were more than the limit."""
        if self._overflow:
            return False
        if self._limit is not None and self._seen + len(piece) > self._limit:
            piece = piece[: self._limit - self._seen]
            self._overflow = True
        self._seen += len(piece)
        self._pending.append(piece)
        self._pending_bytes += len(piece)
        if self._pending_bytes >= _BATCH:
            self._work_off(final=False)
        return not self._overflow

    def value(self) -> Value:
        """What was seen, redacted. The hash of a cut value is over the redacted bytes, so that it does not depend on the slot."""
        if self._stream is None:
            data = self._redactor.whole(b"".join(self._pending))
            if len(data) <= self._keep:
                return value(data) if not self._overflow else Value(data=data, size=len(data), overflow=True)
        self._work_off(final=True)
        head = bytes(self._head)
        cut = self._size > len(head)
        return Value(
            data=head, size=self._size, sha256=self._hash.hexdigest() if cut else None, overflow=self._overflow
        )

    def _work_off(self, *, final: bool) -> None:
        if self._stream is None:
            self._stream = self._redactor.stream()
            self._head = bytearray()
            self._size = 0
            self._hash = hashlib.sha256()
        data = self._stream.feed(b"".join(self._pending), final=final)
        self._pending.clear()
        self._pending_bytes = 0
        self._hash.update(data)
        self._size += len(data)
        if len(self._head) < self._keep:
            self._head += data[: self._keep - len(self._head)]


def held(data: bytes, *, keep: int) -> Value:
    """A value of bytes that are already redacted, cut at `keep`."""
    if len(data) <= keep:
        return value(data)
    return Value(data=data[:keep], size=len(data), sha256=hashlib.sha256(data).hexdigest())
