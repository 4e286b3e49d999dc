"""Binary values as a window of bytes in hexadecimal, around their first difference."""

from __future__ import annotations

from collections.abc import Iterator

from gate.diff.line_diff import first_difference

BYTES = 16
"""Bytes of a row."""

ROWS = 6
"""Rows of the window, from the one before the first difference on."""

_READ = 1 << 16
_PRINTABLE = frozenset(range(0x20, 0x7F))


def is_binary(text: bytes) -> bool:
    """Whether the head of a value holds a NUL byte, or is no UTF-8 to more than a tenth."""
    head = text[:_READ]
    if b"\0" in head:
        return True
    wrong = len(head) - len(head.decode("utf-8", "ignore").encode("utf-8"))
    return 10 * wrong > len(head)


def hex_rows(old: bytes, new: bytes) -> Iterator[tuple[str, str]]:
    """Signs (a blank, `-`, `+`) and rows as `offset  bytes  characters`; a remark where more follows."""
    first = max(0, first_difference(old, new) // BYTES - 1) * BYTES
    if first:
        yield " ", f"… {first} equal bytes"
    for at in range(first, min(first + ROWS * BYTES, max(len(old), len(new))), BYTES):
        left, right = old[at : at + BYTES], new[at : at + BYTES]
        if left == right:
            yield " ", _row(at, left)
            continue
        if left:
            yield "-", _row(at, left)
        if right:
            yield "+", _row(at, right)
    end = first + ROWS * BYTES
    if max(len(old), len(new)) > end:
        yield " ", f"… {max(0, len(old) - end)} and {max(0, len(new) - end)} further bytes"


def _row(at: int, data: bytes) -> str:
    shown = "".join(chr(byte) if byte in _PRINTABLE else "." for byte in data)
    return f"{at:08x}  {data.hex(' '):{3 * BYTES - 1}}  {shown}"
