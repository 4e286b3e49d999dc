"""Padding that follows the width of what a noise rule takes out: table cells, rulers, borders."""

from __future__ import annotations

import re

from gate.diff.canonical import Form, Slot
from gate.diff.noise import LAYOUT

_PADDING = re.compile(rb"(?P<blank>[ \t]+)|(?P<ruler>-{2,}|={2,}|_{2,}|\+{2,}|(?:\xe2[\x94\x95][\x80-\xbf]){2,})")
_BOX = rb"\xe2[\x94\x95][\x80-\xbf]"
_TABLE_LINE = re.compile(rb"(?:[-=_+| \t\r]|" + _BOX + rb")+|[ \t]*(?:[|+]|" + _BOX + rb")[^\n]*")


def relaxed(held: Form) -> Form:
    """`held` with runs of blanks as one space and runs of border characters as one of them, on lines that a span's width can move.

    Those are the lines that a span was taken out of, rulers, and rows of a table, which begin with a border. Any other line keeps its
    indentation and columns. The same law for both sides.
    """
    if not held.spans:
        return held
    last = len(held.parts) - 1
    parts = tuple(
        _relaxed_literal(part, after_span=position > 0, before_span=position < last)
        if isinstance(part, bytes)
        else part
        for position, part in enumerate(held.parts)
    )
    return Form(parts=parts, size=held.size, sha256=held.sha256, overflow=held.overflow)


def _relaxed_literal(part: bytes, *, after_span: bool, before_span: bool) -> bytes:
    lines = part.split(b"\n")
    last = len(lines) - 1
    moved = {number for number, line in enumerate(lines) if _TABLE_LINE.fullmatch(line)}
    moved |= ({0} if after_span else set()) | ({last} if before_span else set())
    return b"\n".join(_PADDING.sub(_one, line) if number in moved else line for number, line in enumerate(lines))


def layout_slot(command: str, field_name: str) -> Slot:
    """What evidence says when the padding of a field varies between runs of the baseline."""
    return Slot(command, field_name, LAYOUT, b"")


def _one(match: re.Match[bytes]) -> bytes:
    if match.group("blank"):
        return b" "
    ruler = match.group()
    return ruler[:3] if ruler[0] == 0xE2 else ruler[:1]
