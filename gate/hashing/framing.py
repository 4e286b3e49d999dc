"""A digest over typed, length-framed values: no two different sequences feed the hash the same bytes."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Union

Framed = Union[bytes, str, int, bool, tuple["Framed", ...], None]  # noqa: UP007 - `|` takes no forward reference
"""What can be framed. Types are told apart: `1`, `True`, `"1"` and `b"1"` are four values."""


def frame(value: Framed) -> bytes:
    """One tag byte, the payload's length as eight bytes (big-endian), the payload. Prefix-free and invertible.

    The length of a tuple is its number of members, which follow, framed. Raises UnicodeEncodeError for a text with lone
    surrogates and TypeError for anything that is no `Framed`.
    """
    if isinstance(value, tuple):
        return b"t" + len(value).to_bytes(8, "big") + b"".join(map(frame, value))
    tag, payload = _scalar(value)
    return tag + len(payload).to_bytes(8, "big") + payload


def _scalar(value: object) -> tuple[bytes, bytes]:
    match value:
        case bytes():
            return b"b", value
        case str():
            return b"s", value.encode("utf-8")
        case bool():
            return b"?", b"\x01" if value else b"\x00"
        case int():
            return b"i", str(value).encode("ascii")
        case None:
            return b"n", b""
        case _:
            raise TypeError(f"cannot frame a {type(value).__name__}")


def framed_digest(recipe: str, records: Iterable[Framed]) -> str:
    """`RECIPE:sha256:HEX` over the recipe's name and the records in their order; no records have a digest too.

    The recipe names what is digested with its version (`gate-pack-1`), so that a digest of an older recipe is recognised
    and never compared as if it spoke of the same bytes.
    """
    state = sha256(frame(recipe))
    for record in records:
        state.update(frame(record))
    return f"{recipe}:sha256:{state.hexdigest()}"
