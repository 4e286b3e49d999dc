"""Bytes as words of a POSIX shell, in printable ASCII whatever they hold, so that they survive a clipboard and any encoding."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BARE = re.compile(rb"[A-Za-z0-9_./:@%+,-]+|[A-Za-z_][A-Za-z0-9_]*=")
_PRINTABLE = re.compile(rb"[\x20-\x7e]*")
_PIECE = 600
"""Bytes of standard input that one word of a snippet holds."""


def quoted(data: bytes) -> str:
    """One word of a shell. Raises ValueError for a NUL byte, which no word can hold.

    Bytes that are no printable ASCII are written by printf. A command substitution drops the newlines at its end, which are then added by
    the shell itself.
    """
    if b"\0" in data:
        raise ValueError("a NUL byte in a word")
    if _BARE.fullmatch(data):
        return data.decode("ascii")
    if _PRINTABLE.fullmatch(data):
        return "'" + data.decode("ascii").replace("'", "'\\''") + "'"
    body = data.rstrip(b"\n")
    ends = len(data) - len(body)
    printed = f"\"$(printf '{printf_format(body)}')\"" if body else ""
    return printed + ('"' + "$nl" * ends + '"' if ends else "")


def printf_format(data: bytes) -> str:
    """A format, to stand in single quotes, for which printf writes exactly `data`."""
    dash = "\\055" if data.startswith(b"-") else ""  # printf would take it for an option
    return dash + "".join(map(_octal, data[len(dash) > 0 :]))


def feeding(data: bytes) -> Iterator[str]:
    """Commands that together write exactly `data`, one line each; lines of plain text stay readable. At least one."""
    if not data:
        yield "printf ''"
    for line in data.splitlines(keepends=True):
        body = line.removesuffix(b"\n")
        if line != body and len(body) <= _PIECE and _PRINTABLE.fullmatch(body):
            yield f"printf '%s\\n' {quoted(body)}"
            continue
        for at in range(0, len(line), _PIECE):
            yield f"printf '{printf_format(line[at : at + _PIECE])}'"


def _octal(byte: int) -> str:
    character = chr(byte)
    if character in {"%", "\\"}:
        return character * 2
    return character if 0x20 <= byte < 0x7F and character != "'" else f"\\{byte:03o}"
