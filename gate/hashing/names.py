"""File names as bytes: how they are shown, and which of them are one name on another machine."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator


def shown(path: bytes) -> str:
    """The path in quotes for a message: readable letters stay, controls and undecodable bytes are escaped."""
    return repr(path.decode("utf-8", "surrogateescape"))


def spelled(path: bytes) -> str:
    """The path in quotes with everything but ASCII escaped: tells two unicode forms of one name apart."""
    return ascii(path.decode("utf-8", "surrogateescape"))


def composed(path: bytes) -> str:
    """The path in unicode form NFC: equal for two paths exactly when they differ in unicode form alone, or not at all."""
    return unicodedata.normalize("NFC", path.decode("utf-8", "surrogateescape"))


def caseless(path: bytes) -> str:
    """The path without letter case and unicode form (canonical caseless matching, The Unicode Standard, D145)."""
    text = unicodedata.normalize("NFD", path.decode("utf-8", "surrogateescape"))
    return unicodedata.normalize("NFD", text.casefold())


def ancestors(path: bytes) -> Iterator[bytes]:
    """The folders above a path, outermost first: `a`, `a/b` for `a/b/c`; none for a top-level name."""
    at = path.find(b"/")
    while at != -1:
        yield path[:at]
        at = path.find(b"/", at + 1)


def collision(paths: Iterable[bytes]) -> tuple[bytes, bytes] | None:
    """The first two different names that some file systems take for one, folders included; None if there are none."""
    seen: dict[str, bytes] = {}
    for path in paths:
        for name in (*ancestors(path), path):
            first = seen.setdefault(caseless(name), name)
            if first != name:
                return first, name
    return None
