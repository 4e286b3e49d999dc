"""One step that differs, as a person reads it: in a few short lines, or in full."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from gate.diff.blanks import blanks
from gate.diff.escape import escaped
from gate.diff.findings import Canonical, Change, Delta, Placeholder
from gate.diff.render import render_change, render_value
from gate.octets import from_wire
from gate.report.shown_groups import ShownEdit, ShownHunk
from gate.report.votes_text import plain

MAX_CHANGES = 8
"""Changes of one step that are told."""

BEYOND = "the difference is in what was not kept (replay.keep_bytes)"
"""Of a change that `beyond_what_was_kept` holds of."""

_SHORT = 60
_HUNKS = 2
_PLAIN = re.compile(rb"[A-Za-z0-9_.:/@%+<>-]+")
_ABSENT = "(absent)"


def gist(delta: Delta, edits: tuple[ShownEdit, ...]) -> tuple[str, ...]:
    """A few lines: `a=1, b=x → a=2, b=y` where every value is short, else one line a change. `edits`: one for each change."""
    changes = list(delta.changes)
    note = (delta.note,) if delta.note else ()
    if len(changes) <= MAX_CHANGES and all(map(_is_short, changes)):
        return (_short_line(changes), *_masks(changes), *note)
    lines = [
        _short_line([change]) if _is_short(change) else _long_line(change, edit)
        for change, edit in islice(zip(changes, edits, strict=True), MAX_CHANGES)
    ]
    return (*lines, *_left(changes), *_masks(changes[:MAX_CHANGES]), *note)


def beyond_what_was_kept(change: Change) -> bool:
    """Whether a value was cut, and what was kept of both sides is the same: only sizes and digests tell them apart."""
    old, new = change.old, change.new
    if old is None or new is None or not any(held.size is not None or held.overflow for held in (old, new)):
        return False
    return old.text == new.text


def in_full(delta: Delta, edits: tuple[ShownEdit, ...], *, width: int, lines: int) -> tuple[str, ...]:
    """Its changes that the gist does not tell whole, each in at most `lines` lines and two, about `width` wide; else nothing."""
    told: list[str] = []
    for change, edit in islice(zip(delta.changes, edits, strict=True), MAX_CHANGES):
        if not (_is_short(change) or _is_told(change, edit)):
            rows = render_change(change, width=max(width - 2, 40), lines=lines)
            told += [f"{plain(change.field)}: {change.kind}", *(f"  {row}" for row in rows)]
    return tuple(told)


def _left(changes: Sequence[Change]) -> tuple[str, ...]:
    more = len(changes) - MAX_CHANGES
    return (f"… {more} more {'change' if more == 1 else 'changes'} of this step",) if more > 0 else ()


def _is_short(change: Change) -> bool:
    sides = [side for side in (change.old, change.new) if side is not None]
    return all(side.size is None and len(side.text) <= _SHORT and b"\n" not in side.text for side in sides)


def _short_line(changes: list[Change]) -> str:
    old, new = (", ".join(_sides(changes, side)) or _ABSENT for side in ("old", "new"))
    return f"{old} → {new}"


def _sides(changes: list[Change], side: str) -> list[str]:
    held = [(change.field, change.old if side == "old" else change.new) for change in changes]
    return [f"{plain(name)}={_bare(value)}" for name, value in held if value is not None]


def _bare(value: Canonical) -> str:
    """A plain word as it is; anything with blanks, quotes or bytes that do not show themselves quoted and escaped."""
    if _PLAIN.fullmatch(value.text):
        return value.text.decode("ascii")
    return render_value(value, limit=4 * _SHORT)


def _long_line(change: Change, edit: ShownEdit) -> str:
    """`stdout: … "v1" → "v2"; 3 more edits`."""
    name = plain(change.field)
    if change.kind == "crash or hang" and change.new is not None and (ending := _last_line(change.new)):
        return f"{name}: {change.kind}: {_quoted(ending)}"
    if _is_one_line(change):
        return f"{name}: {render_value(change.old)} → {render_value(change.new)}"
    if change.kind == "whitespace" and change.old is not None and change.new is not None:
        return f"{name}: {', '.join(each.words for each in blanks(change.old.text, change.new.text))}"
    told = [_hunk(hunk) for hunk in _telling(edit)[:_HUNKS]]
    if not told:
        return f"{name}: {BEYOND if beyond_what_was_kept(change) else change.kind}"
    left = len(edit.hunks) + edit.more - len(told)
    more = f"; {left} more {'edit' if left == 1 else 'edits'}" if left else ""
    return f"{name}: {'; '.join(told)}{more}"


def _is_one_line(change: Change) -> bool:
    """Whether both sides are one short line with its end, which no excerpt tells better."""
    sides = [side for side in (change.old, change.new) if side is not None]
    return all(side.size is None and len(side.text) <= _SHORT and b"\n" not in side.text[:-1] for side in sides)


def _is_told(change: Change, edit: ShownEdit) -> bool:
    """Whether the gist shows all that changed: few words, none of them cut."""
    if _is_one_line(change):
        return True
    if change.kind in {"crash or hang", "whitespace"} or edit.more or len(edit.hunks) > _HUNKS:
        return False
    words = [from_wire(side) for hunk in edit.hunks for side in (hunk.old, hunk.new)]
    return len(_telling(edit)) == len(edit.hunks) > 0 and all(len(word) <= _SHORT for word in words)


def _telling(edit: ShownEdit) -> list[ShownHunk]:
    """The hunks that have something to see; those with words or numbers first, else in the order of the text."""
    seen = [hunk for hunk in edit.hunks if (from_wire(hunk.old) + from_wire(hunk.new)).strip()]
    return sorted(seen, key=lambda hunk: not re.search(rb"\w", from_wire(hunk.old) + from_wire(hunk.new)))


def _last_line(held: Canonical) -> bytes:
    return held.text.rstrip().rpartition(b"\n")[2]


def _hunk(hunk: ShownHunk) -> str:
    old, new = (_quoted(from_wire(side)) for side in (hunk.old, hunk.new))
    told = f"{old} → {new}" if old and new else f"+ {new}" if new else f"- {old}"
    after = from_wire(hunk.after)
    return f"{escaped(after[:_SHORT])} … {told}" if after else told


def _quoted(words: bytes) -> str:
    text = words.removesuffix(b"\n")
    return f'"{escaped(text[:_SHORT])}"{"…" if len(text) > _SHORT else ""}' if text else ""


def _masks(changes: list[Change]) -> tuple[str, ...]:
    return tuple(
        f"{plain(change.field)}: noise rule {change.masked_by} matches, but {_why_not_masked(change)}"
        for change in changes
        if change.masked_by
    )


def _why_not_masked(change: Change) -> str:
    masked = change.old is not None and any(
        isinstance(token, Placeholder) and token.rule == change.masked_by for token in change.old.tokens
    )
    return "the candidate never varies there, as the baseline does" if masked else "the baseline never varied there"
