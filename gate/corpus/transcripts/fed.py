"""What `echo` and `printf` write, where every POSIX shell agrees about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.corpus.transcripts.model import UnreadError

_PIECE = re.compile(r"%%|%s|\\([0-7]{1,3})|\\(.)|([^%\\]+)", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", '"': '"'}


def fed(words: Sequence[str]) -> bytes | None:
    """What the command with these words writes; None where it is neither `echo` nor `printf`. Raises UnreadError where shells differ."""
    match words:
        case ["echo", *rest]:
            return _echoed(rest)
        case ["printf", form, *values] if not form.startswith("-"):
            return _printed(form, values)
        case ["printf", *_]:
            raise UnreadError("a `printf` without a format, or with an option")
        case _:
            return None


def raw(text: str) -> bytes:
    """The bytes of a text of a transcript."""
    return text.encode("utf-8", "surrogateescape")


def _echoed(words: list[str]) -> bytes:
    bare = words[:1] == ["-n"]
    shown = words[1:] if bare else words
    if shown and re.fullmatch(r"-[neE]+", shown[0]):
        raise UnreadError("an option of `echo` that shells understand differently")
    text = " ".join(shown)
    if "\\" in text:
        raise UnreadError("a backslash in `echo`, which shells understand differently (use `printf`)")
    return raw(text if bare else text + "\n")


def _printed(form: str, values: list[str]) -> bytes:
    """The format is used again while values are left, as POSIX has it; a value that is missing is empty."""
    left = list(values)
    written = [_round(form, left)]
    while left:
        before = len(left)
        written.append(_round(form, left))
        if len(left) == before:
            raise UnreadError("a `printf` with more values than its format takes")
    return b"".join(written)


def _round(form: str, left: list[str]) -> bytes:
    parts: list[bytes] = []
    at = 0
    while at < len(form):
        piece = _PIECE.match(form, at)
        if piece is None or (piece[2] and piece[2] not in _LETTERS):
            raise UnreadError("a `printf` format with more than `%s`, `%%` and the escapes of POSIX")
        at = piece.end()
        if piece[0] == "%s":
            parts.append(raw(left.pop(0)) if left else b"")
        elif piece[1]:
            parts.append(bytes([int(piece[1], 8) & 0xFF]))
        else:
            parts.append(b"%" if piece[0] == "%%" else raw(_LETTERS[piece[2]] if piece[2] else piece[0]))
    return b"".join(parts)
