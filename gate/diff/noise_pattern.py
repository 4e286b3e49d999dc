"""From spans that vary to a pattern that takes them out, no broader than what was seen, anchored by the fixed text beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.diff.varying import Varied

LEAST_FIXED = 4
"""From this length on, letters and digits that are equally long in all runs are taken to be always so long."""

LEAST_FIXED_DIGITS = 6
"""The same for digits alone: shorter numbers grow."""

_BEFORE = re.compile(rb"(?:[A-Za-z0-9_]+[^A-Za-z0-9_]*|[^A-Za-z0-9_]+)\Z")
_AFTER = re.compile(rb"[^A-Za-z0-9_]{1,4}(?:(?<=[ \t])[A-Za-z0-9_]+)?|[A-Za-z0-9_]+")
_LONGEST_ANCHOR = 24
_PARTS = re.compile(rb"[A-Za-z0-9]+|[^A-Za-z0-9]+")
_SPECIAL = frozenset(b"\\.+*?()|[]{}^$'")
_CLASSES: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    ("[0-9]", re.compile(rb"[0-9]+")),
    ("[a-z]", re.compile(rb"[a-z]+")),
    ("[A-Z]", re.compile(rb"[A-Z]+")),
    ("[0-9a-f]", re.compile(rb"[0-9a-f]+")),
    ("[0-9A-F]", re.compile(rb"[0-9A-F]+")),
    ("[A-Za-z]", re.compile(rb"[A-Za-z]+")),
    ("[0-9a-z]", re.compile(rb"[0-9a-z]+")),
    ("[0-9A-Z]", re.compile(rb"[0-9A-Z]+")),
    ("[0-9A-Za-z]", re.compile(rb"[0-9A-Za-z]+")),
)


def anchors(span: Varied) -> tuple[str, str] | None:
    """Patterns for the fixed text right before and right behind the span, with the edge of its line or of a word where that is near.

    None where there is neither: a pattern would match anywhere.
    """
    left, right = _left(span), _right(span)
    return (left, right) if left or right else None


def generalised(held: Sequence[bytes]) -> str | None:
    """What all the texts look like: character classes, with what separates them literally.

    Equally long runs of characters keep their length. None for no text, and for text that is not all ASCII letters and digits between
    the same separators.
    """
    rows = [_PARTS.findall(text) for text in held]
    if not rows or len({tuple(map(_separator, row)) for row in rows}) > 1:
        return _characters(held)
    words = [text for row in rows for text in row if text[:1].isalnum()]
    chosen = next((name for name, pattern in _CLASSES if all(pattern.fullmatch(text) for text in words)), None)
    if chosen is None or not words:
        return _characters(held)
    return "".join(_part(column, chosen) for column in zip(*rows, strict=True))


def quoted(text: bytes) -> str:
    """A pattern that matches exactly `text`, in ASCII and without a quote."""
    return "".join(
        f"\\x{byte:02x}"
        if byte < 0x20 or byte > 0x7E or byte == 0x27
        else f"\\{chr(byte)}"
        if byte in _SPECIAL
        else chr(byte)
        for byte in text
    )


def _separator(part: bytes) -> bytes:
    return b"" if part[:1].isalnum() else part


def _part(column: Sequence[bytes], chosen: str) -> str:
    first = column[0]
    if not first[:1].isalnum():
        return quoted(first)
    return chosen + _length(column, LEAST_FIXED_DIGITS if chosen == "[0-9]" else LEAST_FIXED)


def _length(column: Sequence[bytes], least: int) -> str:
    lengths = {len(text) for text in column}
    size = min(lengths)
    return f"{{{size}}}" if len(lengths) == 1 and size >= least else "+"


def _characters(held: Sequence[bytes]) -> str | None:
    """One class of all characters seen, where they are visible ASCII: letters and digits by kind, each sign by itself."""
    seen = set(b"".join(held))
    if not seen or not all(0x20 < byte < 0x7F for byte in seen):
        return None
    kinds = [name for name in ("0-9", "A-Z", "a-z") if any(ord(name[0]) <= byte <= ord(name[2]) for byte in seen)]
    signs = sorted(byte for byte in seen if not chr(byte).isalnum())
    inside = "".join(kinds) + "".join(f"\\x{byte:02x}" for byte in signs)
    return f"[{inside}]" + _length(held, LEAST_FIXED)


def _left(span: Varied) -> str:
    match = _BEFORE.search(span.before)
    text = match.group() if match else b""
    whole = span.starts and text == span.before
    if len(text) > _LONGEST_ANCHOR:
        text, whole = text[-_LONGEST_ANCHOR:], False
    edge = "^" if whole else "\\b" if _begins_a_word(span.before[: len(span.before) - len(text)], text) else ""
    return edge + quoted(text)


def _begins_a_word(before: bytes, text: bytes) -> bool:
    return _is_word(text[:1]) and not _is_word(before[-1:])


def _is_word(byte: bytes) -> bool:
    return byte.isalnum() or byte == b"_"


def _right(span: Varied) -> str:
    match = _AFTER.match(span.after)
    text = match.group() if match else b""
    if len(text) > _LONGEST_ANCHOR:
        return quoted(text[:_LONGEST_ANCHOR])
    if text == span.after and span.ends:
        return quoted(text) + "$"
    return quoted(text) + ("\\b" if _is_word(text[-1:]) else "")
