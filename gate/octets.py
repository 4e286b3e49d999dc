"""Bytes in JSON: a string where they are UTF-8, `{"b64": …}` where they are not. Exact both ways."""

from __future__ import annotations

import base64
import binascii

import msgspec


class Base64(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bytes that are not valid UTF-8, as they stand in a file."""

    b64: str


Wire = str | Base64


def to_wire(data: bytes) -> Wire:
    """How `data` is written."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return Base64(b64=base64.b64encode(data).decode("ascii"))


def from_wire(wire: Wire) -> bytes:
    """The bytes that were written. Raises ValueError on text that is no UTF-8 (lone surrogates) or no base64."""
    if isinstance(wire, str):
        return wire.encode("utf-8")
    try:
        return base64.b64decode(wire.b64, validate=True)
    except binascii.Error as error:
        raise ValueError(f"not base64: {wire.b64[:40]!r}") from error
