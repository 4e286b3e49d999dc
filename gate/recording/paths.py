"""Absolute paths inside of words: `-f/etc/hosts`, `file:///etc/hosts`, `--map=a:/etc/hosts`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import unquote

_AFTER_LETTER = re.compile(r"-[A-Za-z0-9](/[^\0]+)")
_INSIDE = re.compile(r"(?:^|[=:,;@|\s\"'(\[])(/(?!/[^/])[^\0\s,;:|\"'()\[\]]*)")
"""Not the two slashes of `http://host`: what follows them is a host."""
_LOCAL = re.compile(r"file://localhost(/[^\0\s]*)", re.IGNORECASE)
_OF_EVERY_MACHINE = frozenset({"/", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"})


def leads_out(word: str, places: Sequence[str], exists: Callable[[str], bool]) -> bool:
    """Whether a word holds an absolute path below one of `places`, or one that is there, on this machine."""
    return any(
        path not in _OF_EVERY_MACHINE
        and (any(place and f"{path}/".startswith(place.rstrip("/") + "/") for place in places) or exists(path))
        for path in _paths(word)
    )


def _paths(word: str) -> Iterator[str]:
    """The paths that the word may hold, as they are spelled and with what an address escapes."""
    joined = _AFTER_LETTER.fullmatch(word)
    for found in (*((joined,) if joined else ()), *_INSIDE.finditer(word), *_LOCAL.finditer(word)):
        for text in dict.fromkeys((found[1], unquote(found[1]))):
            if "\0" not in text:
                yield posixpath.normpath("/" + text.lstrip("/"))
