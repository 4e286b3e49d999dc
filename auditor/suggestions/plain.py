"""Text of strangers as text that shows itself: nothing in it can touch a terminal, hide from a reader or turn the line round."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# Printable to Python, and yet nothing is seen: fillers, the combining grapheme joiner, variation selectors, the empty Braille cell.
_UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef"
_UNSEEN_ONE = re.compile(f"[{_UNSEEN}]")


def shows_itself(text: str) -> bool:
    """Whether `plain` would leave `text` as it is. Empty: yes."""
    return text.isprintable() and not _UNSEEN_ONE.search(text)


def plain(text: str) -> str:
    r"""`text` in one line, every control, bidirectional, invisible or unassigned character escaped: `\n`, `\x1b`, `\u202e`."""
    return text if shows_itself(text) else "".join(map(_shown, text))


def _shown(character: str) -> str:
    if shows_itself(character):
        return character
    return character.encode("unicode_escape").decode("ascii")


def json_escaped(text: str) -> str:
    r"""JSON text with what does not show itself as `\uXXXX`; the same JSON value. Line feeds, which lay it out, stay."""
    return "".join(c if c == "\n" or shows_itself(c) else _json_shown(c) for c in text)


def _json_shown(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def columns(text: str) -> int:
    """How wide `text` stands on a terminal; marks that combine take no column, wide characters take two."""
    return sum(_columns(character) for character in text)


def fold(text: str, width: int) -> Iterator[str]:
    """`text`, which shows itself, in pieces of at most `width` columns (at least 2): at blanks where there are some. Empty: one piece."""
    width = max(width, 2)
    while columns(text) > width:
        cut = _cut(text, width)
        blank = text.rfind(" ", 1, cut + 1)
        at = blank if blank > 0 and text[:blank].strip() else cut
        yield text[:at]
        text = text[at:].removeprefix(" ")
    yield text


def _cut(text: str, width: int) -> int:
    """How many characters fit; at least one."""
    used = 0
    for at, character in enumerate(text):
        used += _columns(character)
        if used > width:
            return max(at, 1)
    return len(text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
