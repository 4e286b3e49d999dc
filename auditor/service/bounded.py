"""A reply that cannot be longer than any answer is: what an endpoint sends is counted while it comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from auditor.service.faults import FailedError

MOST_BYTES = 2_000_000
"""Of the body of a reply. The longest answers that models give, thoughts included, take a few hundred kilobytes."""

PLAIN = {"Accept-Encoding": "identity"}
"""What is sent with a request: a body that unpacks to more than was counted is not asked for."""


def bound(response: Any) -> None:
    """A hook for the response of a client of httpx or httpx2, before its body is read.

    Reading it raises FailedError, as `bad reply`, beyond `MOST_BYTES`; so does a body that is packed.
    """
    packed = response.headers.get("content-encoding", "identity")
    if packed != "identity":
        raise FailedError("bad reply", "its body is packed, which was not asked for")
    response.stream = _bounded(response.stream)


def _bounded(stream: Any) -> Any:
    """The stream, counted. The client takes none that is not of its own class, and which module has it depends on openai's version."""
    base = next(one for one in type(stream).__mro__ if one.__name__ == "SyncByteStream")

    class Bounded(base):  # type: ignore[misc, valid-type]
        def __iter__(self) -> Iterator[bytes]:
            count = 0
            for piece in stream:
                count += len(piece)
                if count > MOST_BYTES:
                    raise FailedError("bad reply", f"its body is longer than {MOST_BYTES // 1_000_000} MB", billed=True)
                yield piece

        def close(self) -> None:
            stream.close()

    return Bounded()
