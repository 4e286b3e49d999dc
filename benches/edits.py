"""When two steps, seen on different inputs, show the same edit.

Two values are read as tokens: words, numbers, runs of other characters, runs of white space. Words that the cases bring (their
arguments, standard input, fixtures) become one placeholder, numbers another; what is left is the program's own. The old value is held
against the new one token by token, and each place where they differ is an edit: the field, the tokens that went, the tokens that came.
Two steps show the same edit when one of each is equal, token by token. An edit in which nothing but placeholders and white space
stands says nothing and is left out, as is one of a single character that is no letter.

An exit code says little alone: it counts as (old, new), and only for a step in which nothing else is known to differ.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from gate.diff.findings import Canonical, Change, Delta

Edit = tuple[str, tuple[str, ...], tuple[str, ...]]
"""Field without a file's name, what went, what came."""
Edits = frozenset[Edit]

_TOKEN = re.compile(r"[^\W\d_]+|\d+|\s+|[^\w\s]+|_+")
_INPUT, _NUMBER, _SPACE = "\0word", "\0number", re.compile(r"[ \t]+")
_MOST = 4000
"""Tokens of a value that are compared; difflib takes a square of it."""


def edits_of(delta: Delta, inputs: frozenset[str], *, only: frozenset[str] | None = None) -> Edits:
    """The edits of a step, in all its fields or in those of `only`."""
    held = [change for change in delta.changes if only is None or field_of(change) in only]
    texts = [change for change in held if field_of(change) != "status"]
    if not texts:
        return frozenset(("status", (_text(change.old),), (_text(change.new),)) for change in held)
    return frozenset(edit for change in texts for edit in _of_change(change, inputs) if _tells(edit))


def field_of(change: Change) -> str:
    """The field without the name of a file."""
    return change.field.partition(":")[0]


def words_of(texts: Iterable[bytes]) -> frozenset[str]:
    """All words of the texts, in lower case."""
    found = (_TOKEN.findall(text.decode("utf-8", "replace")) for text in texts)
    return frozenset(token.lower() for tokens in found for token in tokens if token[:1].isalpha())


def known_places(known: Iterable[tuple[str, int, str]]) -> Mapping[tuple[str, int], frozenset[str]]:
    """The fields that are known to differ, by case and step."""
    held: dict[tuple[str, int], set[str]] = defaultdict(set)
    for case, step, field in known:
        held[case, step].add(field)
    return {place: frozenset(fields) for place, fields in held.items()}


def program_of(told: Mapping[str, Any], delta: Delta, programs: Sequence[str]) -> str | None:
    """Which of the programs the step runs, itself or in a line of shell; None: another."""
    session = next(session for session in told["sessions"] if session["seed"] == delta.case)
    argv = session["steps"][delta.step - 1]["argv"]
    words = re.findall(r"[\w.-]+", " ".join(argv)) if argv[0] == "sh" else argv[:1]
    return next((word for word in words if word in programs), None)


def _of_change(change: Change, inputs: frozenset[str]) -> Iterable[Edit]:
    old, new = _tokens(_text(change.old), inputs), _tokens(_text(change.new), inputs)
    for what, start, end, begin, stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            yield field_of(change), tuple(old[start:end]), tuple(new[begin:stop])


def _tokens(text: str, inputs: frozenset[str]) -> list[str]:
    return [_blanked(token, inputs) for token in _TOKEN.findall(text)[:_MOST]]


def _blanked(token: str, inputs: frozenset[str]) -> str:
    if token.isdigit():
        return _NUMBER
    if token.lower() in inputs:
        return _INPUT
    return _SPACE.sub(" ", token)


def _tells(edit: Edit) -> bool:
    own = [token for token in (*edit[1], *edit[2]) if token not in (_INPUT, _NUMBER) and not token.isspace()]
    return any(token[:1].isalpha() for token in own) or sum(map(len, own)) > 1


def _text(value: Canonical | None) -> str:
    return "" if value is None else value.text.decode("utf-8", "backslashreplace")
