"""A change in words and lines: bounded, escaped, safe on any terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from gate.diff.escape import escaped
from gate.diff.findings import Canonical, Change
from gate.diff.line_diff import LEAD, first_difference, line_edits
from gate.diff.structured import same_but_for_order

MAX_COUNTED = 1000
"""Lines left out that are counted; more are "1000 or more"."""

ABSENT = "(not observed)"
_ARROW = "→"


def render_value(held: Canonical | None, limit: int = 200) -> str:
    """One value on one line: quotes around what was printed, `… (N bytes)` where it is longer than `limit` bytes, or was cut."""
    if held is None:
        return ABSENT
    text = held.text
    size = len(text) if held.size is None else held.size
    stopped = ", stopped at the limit" if held.overflow else ""
    tail = "" if size <= limit and size == len(text) and not stopped else f"… ({size} bytes{stopped})"
    return f'"{escaped(text[:limit])}"{tail}'


def render_change(change: Change, *, width: int = 160, lines: int = 50) -> tuple[str, ...]:
    """What changed, in at most `lines` + 1 lines; the last of them says how many were left out. Lines are about `width` wide at most.

    Remarks first, then the values: `old → new` where both are short, differences by path where there are any, else a line diff, or
    for one long line the part that differs with its offset.
    """
    rows = list(islice(_rows(change, width, lines), lines + MAX_COUNTED))
    if len(rows) <= lines:
        return tuple(rows)
    more = "or more " if len(rows) == lines + MAX_COUNTED else ""
    return (*rows[:lines], f"… {len(rows) - lines} {more}further lines")


def _rows(change: Change, width: int, lines: int) -> Iterator[str]:
    yield from _remarks(change)
    old, new = change.old, change.new
    if old is None or new is None:
        yield f"{render_value(old, width)} {_ARROW} {render_value(new, width)}"
    elif change.details:
        for detail in change.details:
            before, after = (ABSENT if text is None else escaped(text.encode()) for text in (detail.old, detail.new))
            yield f"{escaped(detail.path.encode())}: {before} {_ARROW} {after}"
    else:
        yield from _values(old, new, width, lines)


def _remarks(change: Change) -> Iterator[str]:
    if change.masked_by is not None:
        yield f"noise rule {change.masked_by} matches here, but the baseline never varied at this place"
    old, new = change.old, change.new
    if old is None or new is None:
        return
    if change.kind == "order" and not same_but_for_order(old.text, new.text):
        yield f"reordered ({_line_count(old.text)} lines, same multiset)"
    elif change.kind == "line endings":
        yield f"line endings: {_endings(old.text)} {_ARROW} {_endings(new.text)}"
    if (old.size is not None or new.size is not None) and old.text == new.text:
        yield f"differs after byte {len(old.text)}; only the sizes and digests are known of the rest"


def _endings(text: bytes) -> str:
    crlf = text.count(b"\r\n")
    counts = ((crlf, "CRLF"), (text.count(b"\n") - crlf, "LF"), (text.count(b"\r") - crlf, "CR"))
    return ", ".join(f"{count} {name}" for count, name in counts if count) or "none"


def _values(old: Canonical, new: Canonical, width: int, lines: int) -> Iterator[str]:
    left, right = old.text, new.text
    if left == right:
        yield from (f"{sign} {_whole(held, width)}" for sign, held in (("-", old), ("+", new)))
    elif max(len(left), len(right)) <= width // 2 and max(left.count(b"\n"), right.count(b"\n")) <= 1:
        yield f"{render_value(old, width)} {_ARROW} {render_value(new, width)}"
    elif max(_line_count(left), _line_count(right)) == 1:
        yield from _window(left, right, width)
    else:
        yield from _diff(left, right, width, lines)


def _whole(held: Canonical, width: int) -> str:
    """A value whose text does not tell it apart: with its digest."""
    return f"{render_value(held, width // 2)} sha256:{held.sha256 or held.digest}"


def _diff(left: bytes, right: bytes, width: int, lines: int) -> Iterator[str]:
    old, new = _lines(left), _lines(right)
    if old == new:
        yield f"only the final newline differs: {_final(left)} {_ARROW} {_final(right)}"
    for edit in line_edits(old, new, limit=max(1, lines // 2 - 1)):
        yield f"{edit.sign} {_part(edit.text, edit.start if len(edit.text) > width else 0, width)}"


def _final(text: bytes) -> str:
    return "a newline" if text.endswith(b"\n") else "none"


def _window(left: bytes, right: bytes, width: int) -> Iterator[str]:
    """The first difference of two long lines, with a little before it and what follows, up to `width`."""
    at = first_difference(left, right)
    yield f"first difference at byte {at} of {len(left)} and {len(right)}"
    for sign, text in (("-", left), ("+", right)):
        yield f"{sign} {_part(text, max(0, at - LEAD), width)}"


def _part(text: bytes, start: int, width: int) -> str:
    """`width` bytes of a line from `start` on, with a mark at each end that was left out."""
    if start == 0 and len(text) <= width:
        return escaped(text)
    rest = f"… ({len(text)} bytes)" if start + width < len(text) else ""
    return f"{'…' if start else ''}{escaped(text[start : start + width])}{rest}"


def _line_count(text: bytes) -> int:
    return text.removesuffix(b"\n").count(b"\n") + 1


def _lines(text: bytes) -> list[bytes]:
    return text.removesuffix(b"\n").split(b"\n")
