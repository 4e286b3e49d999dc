r"""Bytes as text that a terminal shows and does not obey, and that tells every two values apart."""

from __future__ import annotations

import re

_ORDINARY = re.compile(r"[^\x20-\x7e]")

# Printable by the letter of Unicode, and yet nothing is seen: fillers, joiners, variation selectors, the empty Braille cell.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def escaped(data: bytes) -> str:
    r"""UTF-8 as it reads; everything else escaped: `\xff` for a byte that is no UTF-8, `\n`, `\u00a0`, `\u202e`, and `\\` for a backslash.

    The result has no control character, no mark of direction, no blank but U+0020, and no line end. Two different inputs never give one
    result.
    """
    text = data.replace(b"\\", b"\\\\").decode("utf-8", "backslashreplace")
    return _ORDINARY.sub(_escape, text)


def escaped_name(name: str) -> str:
    """A name that came from bytes, as `escaped`; a lone surrogate as its bytes."""
    return escaped(name.encode("utf-8", "surrogatepass"))


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    if character.isprintable() and not _UNSEEN.match(character):
        return character
    code = ord(character)
    # A byte that is no UTF-8 has `\xNN` to itself, so that U+0080 is told apart from byte 0x80.
    return _SHORT.get(character) or (
        f"\\u{code:04x}" if 0x7F < code < 0x10000 else f"\\U{code:08x}" if code > 0xFFFF else f"\\x{code:02x}"
    )


_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
