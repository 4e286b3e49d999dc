"""Padding that follows the width of what a noise rule takes out: table cells, rulers, borders."""

from __future__ import annotations

import re

from gate.diff.canonical import Form, Slot
from gate.diff.noise import LAYOUT

_PADDING = re.compile(rb"(?P<blank>[ \t]+)|(?P<ruler>-{2,}|={2,}|_{2,}|\+{2,}|(?:\xe2[\x94\x95][\x80-\xbf]){2,})")


def relaxed(held: Form) -> Form:
    """`held` with every run of blanks as one space and every run of border characters as one of them.

    Only where a span was taken out, as nothing else moves padding; any other value stays as it is. The same law for both sides.
    """
    if not held.spans:
        return held
    parts = tuple(_PADDING.sub(_one, part) if isinstance(part, bytes) else part for part in held.parts)
    return Form(parts=parts, size=held.size, sha256=held.sha256, overflow=held.overflow)


def layout_slot(command: str, field_name: str) -> Slot:
    """What evidence says when the padding of a field varies between runs of the baseline."""
    return Slot(command, field_name, LAYOUT, b"")


def _one(match: re.Match[bytes]) -> bytes:
    if match.group("blank"):
        return b" "
    ruler = match.group()
    return ruler[:3] if ruler[0] == 0xE2 else ruler[:1]
