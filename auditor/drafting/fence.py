"""Material that nobody vouches for: every hidden character made visible, between two lines that it cannot forge."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256

_DIGITS = 16
_NAME = re.compile(r"[a-z][a-z_]*")

# Printable to Unicode, and yet nothing is seen: joiners, fillers, vowel signs of no width, variation selectors, the blank of Braille.
_UNSEEN = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xE0000, 0xE0FFF),
)
_ORDINARY = re.compile(r"[\n\t\x20-\x7e]*")


@lru_cache(maxsize=4096)
def is_hidden(character: str) -> bool:
    """Whether one character shows nothing of itself, or moves or hides what stands round it. Line feed, tab and space do not."""
    if character in "\n\t ":
        return False
    code = ord(character)
    return not character.isprintable() or any(first <= code <= last for first, last in _UNSEEN)


def visible(text: str) -> str:
    r"""`text` with every hidden character as an escape: `\x1b`, `\u200b`, `\U000e0041`. Idempotent.

    Hidden are control, format, bidirectional, zero-width, tag, private and unassigned characters, lone surrogates, variation
    selectors, and blanks other than the space (reported fault 134). Line feeds and tabs stay. A backslash is not doubled: text that
    spells an escape reads like one.
    """
    if _ORDINARY.fullmatch(text):
        return text
    return "".join(_escaped(character) if is_hidden(character) else character for character in text)


def visible_line(text: str) -> str:
    """As `visible`, on one line: a name or a word that cannot begin a line of its own."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def _escaped(character: str) -> str:
    code = ord(character)
    if character == "\r":
        return "\\r"
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def fence_number(texts: Sequence[str]) -> str:
    """A number of 16 digits that occurs in none of `texts`: the same for the same texts, and unknown to whoever wrote only one of them.

    Derived from the digest of all texts, and derived again until it is absent.
    """
    digest = sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:%b" % (len(data), data))
    least: int = 10 ** (_DIGITS - 1)
    while True:
        number = str(least + int.from_bytes(digest.digest()) % (9 * least))
        if not any(number in text for text in texts):
            return number
        digest.update(number.encode("ascii"))


def fenced(materials: Mapping[str, str], *, beside: Sequence[str] = ()) -> dict[str, str]:
    """Each material between its lines `BEGIN name NUMBER` and `END name NUMBER`, one number for all, hidden characters escaped.

    `beside` are texts of the same request that the number must not occur in, either. Names are lower-case words. Raises ValueError
    on another name: names are the program's own, never material.
    """
    if wrong := [name for name in materials if not _NAME.fullmatch(name)]:
        raise ValueError(f"expected a lower-case name of material, got {wrong[0]!r}")
    shown = {name: visible(text) for name, text in materials.items()}
    number = fence_number([*(part for pair in shown.items() for part in pair), *beside])
    return {name: f"BEGIN {name} {number}\n{text}\nEND {name} {number}" for name, text in shown.items()}
