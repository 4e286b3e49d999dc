"""What sort of edit a change is. Shown to people; no verdict depends on it."""

from __future__ import annotations

import re

from gate.diff.findings import Canonical, Kind
from gate.diff.noise import PROTECTED
from gate.diff.structured import same_but_for_order

# No-break and other blanks that look like a space; zero-width characters, marks of direction, byte order marks, soft hyphens.
_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_UNSEEN = re.compile("[\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")


def classify(
    field: str, old: Canonical | None, new: Canonical | None, *, step_missing: bool = False, step_added: bool = False
) -> Kind:
    """The kind of one change. Never both sides None. Of several that fit, the narrowest: line endings, whitespace, invisible, order."""
    if step_missing or step_added:
        return "step missing" if step_missing else "step added"
    if field in PROTECTED:
        return "exit code"
    if field == "files" or (field.startswith("files:") and (old is None or new is None)):
        return "file effect"
    if old is None or new is None:
        return "field added" if old is None else "field missing"
    return _of_values(old, new)


def same_lines(old: bytes, new: bytes) -> bool:
    """Whether both have the same lines, as often, in whatever order. A missing final newline counts as no difference."""
    left, right = old.removesuffix(b"\n"), new.removesuffix(b"\n")
    return len(left) == len(right) and sorted(left.split(b"\n")) == sorted(right.split(b"\n"))


def _of_values(held_old: Canonical, held_new: Canonical) -> Kind:
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
    return "order" if same_lines(old, new) or same_but_for_order(old, new) else "value"


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
