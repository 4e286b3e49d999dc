"""What sort of edit a change is. Shown to people; no verdict depends on it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import get_args

from gate.diff.crash import breaks_down, is_crash
from gate.diff.findings import Canonical, Change, Kind
from gate.diff.noise import PROTECTED
from gate.diff.structured import same_but_for_order
from gate.diff.wording import only_error_class, only_wording

SEVERITY: tuple[Kind, ...] = get_args(Kind)
"""Every kind, the gravest first: the order of a report."""

_RANK = {kind: rank for rank, kind in enumerate(SEVERITY)}

# No-break and other blanks that look like a space; zero-width characters, marks of direction, byte order marks, soft hyphens.
_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_UNSEEN = re.compile("[\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")


def classify(
    field: str, old: Canonical | None, new: Canonical | None, *, step_missing: bool = False, step_added: bool = False
) -> Kind:
    """The kind of one change, seen alone. Never both sides None.

    Of several that fit, the narrowest: line endings, whitespace, invisible characters, order, error class, wording.
    """
    if step_missing or step_added:
        return "step missing" if step_missing else "step added"
    if field in PROTECTED:
        return "crash or hang" if is_crash(new) else "exit code"
    if field.startswith("files") and field[5:6] in {"", ":"}:
        return "file effect" if field == "files" or old is None or new is None else _of_values(field, old, new)
    if breaks_down(old, new):
        return "crash or hang"
    if old is None or new is None:
        return "field added" if old is None else "field missing"
    return _of_values(field, old, new)


def in_step(changes: Sequence[Change]) -> tuple[Change, ...]:
    """The changes of one step, with the kinds that only the whole step tells: lines that left one stream and are on the other.

    A stream that lost lines has moved them where the other gained all of them; one that gained lines got them so where the other lost
    them. A stream that changed otherwise, too, keeps its kind.
    """
    streams = {change.field: change for change in changes if change.field in {"stdout", "stderr"}}
    if len(streams) < 2 or any(change.kind != "value" for change in streams.values()):
        return tuple(changes)
    lost, gained = ({name: _left(change, way) for name, change in streams.items()} for way in (1, -1))
    other = {"stdout": "stderr", "stderr": "stdout"}
    moved = {
        name
        for name in streams
        if (lost[name] and not gained[name] and lost[name] <= gained[other[name]])
        or (gained[name] and not lost[name] and gained[name] <= lost[other[name]])
    }
    return tuple(replace(change, kind="stream moved") if change.field in moved else change for change in changes)


def gravest(kinds: Iterable[Kind]) -> Kind:
    """The first of some kinds in the order of `SEVERITY`. At least one."""
    return min(kinds, key=severity)


def severity(kind: Kind) -> int:
    """Its place in `SEVERITY`: 0 is the gravest."""
    return _RANK[kind]


def _left(change: Change, way: int) -> Counter[bytes]:
    """The lines that only the old value has (`way` 1), or only the new one (-1), as often. Empty lines do not count."""
    if change.old is None or change.new is None or change.old.size is not None or change.new.size is not None:
        return Counter()
    old, new = (Counter(line for line in side.text.split(b"\n") if line) for side in (change.old, change.new)[::way])
    return old - new


def same_lines(old: bytes, new: bytes) -> bool:
    """Whether both have the same lines, as often, in whatever order. A missing final newline counts as no difference."""
    left, right = old.removesuffix(b"\n"), new.removesuffix(b"\n")
    return len(left) == len(right) and sorted(left.split(b"\n")) == sorted(right.split(b"\n"))


def _of_values(field: str, held_old: Canonical, held_new: Canonical) -> Kind:
    old, new = held_old.text, held_new.text
    if old == new or held_old.size is not None or held_new.size is not None:
        # Equal texts: one side prints literally what is a placeholder on the other. Cut: only the heads are known.
        return "value"
    if _unix_lines(old) == _unix_lines(new):
        return "line endings"
    if _without_blanks(old) == _without_blanks(new) and _one_blank(old) == _one_blank(new):
        return "whitespace"
    if not (old.isascii() and new.isascii()) and _visible(old) == _visible(new):
        return "invisible characters"
    if same_lines(old, new) or same_but_for_order(old, new):
        return "order"
    return "value" if field.startswith("files:") else _of_words(field, old, new)


def _of_words(field: str, old: bytes, new: bytes) -> Kind:
    if only_error_class(field, old, new):
        return "error class"
    return "wording" if only_wording(old, new) else "value"


def _unix_lines(text: bytes) -> bytes:
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _without_blanks(text: bytes) -> bytes:
    """Without blanks: cheap, and equal wherever the values differ in blanks alone."""
    return text.translate(None, b" \t\n\r\v\f")


def _one_blank(text: bytes) -> bytes:
    return b" ".join(text.split())


def _visible(text: bytes) -> bytes:
    shown = _UNSEEN.sub("", _BLANKS.sub(" ", text.decode("utf-8", "surrogateescape")))
    return _one_blank(shown.encode("utf-8", "surrogateescape"))
