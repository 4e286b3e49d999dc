"""When two steps, seen on different inputs, show the same edit.

Two values are held against each other line by line, and a line that changed token by token: words, numbers, runs of other characters, runs
of white space. A line that came or went is an edit, whole; within a line that changed each place is, where the tokens differ. Words that
the cases bring (their arguments, standard input, fixtures) become one placeholder, numbers another, and a name of several words (`a-1.py`)
the first: what is left is the program's own. An edit is the field, the own words that went and those that came; where these are few, or the
same, all tokens. Two steps show the same edit when one of each is equal. An edit in which nothing but placeholders and white space stands
says nothing and is left out, as is one of a single character that is no letter.

Of a traceback only its last line is compared: where a program crashes is the same in any two of its crashes, near enough.

An exit code says little alone: it counts as (old, new), and only for a step in which nothing else is known to differ.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from gate.diff.findings import Canonical, Change, Delta

Edit = tuple[str, tuple[str, ...], tuple[str, ...]]
"""Field without a file's name, what went, what came."""
Edits = frozenset[Edit]

_TOKEN = re.compile(r"[^\W\d_]+|\d+|\s+|[^\w\s]+|_+")
_INPUT, _NUMBER, _SPACE = "\0word", "\0number", re.compile(r"[ \t]+")
_JOINS = re.compile(r"[-._/ ]+")
"""What stands between the words of one name."""
_TRACEBACK = re.compile(r"Traceback \(most recent call last\):")
_LINK = re.compile(r"During handling of the above exception, .*|The above exception was the direct cause .*")
_SENTENCE = 12
"""Letters from which words say what changed, whatever stands between them."""
_MOST = 2000
"""Lines of a value, and tokens of a line, that are compared; difflib takes a square of it."""


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


def _of_change(change: Change, inputs: frozenset[str]) -> Iterator[Edit]:
    field = field_of(change)
    old, new = _lines(_text(change.old), inputs), _lines(_text(change.new), inputs)
    for what, start, end, begin, stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        went, came = old[start:end], new[begin:stop]
        both = min(len(went), len(came))
        for one, other in zip(went, came, strict=False):
            for how, first, last, left, right in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
                if how != "equal":
                    yield _edit(field, one[first:last], other[left:right])
        yield from (_edit(field, line, ()) for line in went[both:])
        yield from (_edit(field, (), line) for line in came[both:])


def _edit(field: str, went: tuple[str, ...], came: tuple[str, ...]) -> Edit:
    """The program's own words; all tokens where these are few, or the same before and after."""
    own, others = (tuple(token for token in tokens if token[:1].isalpha()) for tokens in (went, came))
    tells = own != others and sum(map(len, (*own, *others))) >= _SENTENCE
    return (field, own, others) if tells else (field, went, came)


def _lines(text: str, inputs: frozenset[str]) -> list[tuple[str, ...]]:
    return [_tokens(line, inputs) for line in _without_frames(text.splitlines()[:_MOST])]


def _without_frames(lines: Iterable[str]) -> Iterator[str]:
    """The lines without the head, the frames and the links of tracebacks."""
    inside = False
    for line in lines:
        inside = _TRACEBACK.match(line) is not None or (inside and line.startswith(" "))
        if not inside and not _LINK.fullmatch(line):
            yield line


def _tokens(line: str, inputs: frozenset[str]) -> tuple[str, ...]:
    """The tokens; words of the inputs and numbers that only what joins the words of a name stands between are one placeholder."""
    found: list[str] = []
    for token in (_blanked(token, inputs) for token in _TOKEN.findall(line)[:_MOST]):
        if token in (_INPUT, _NUMBER):
            if len(found) > 1 and found[-2] == _INPUT and _JOINS.fullmatch(found[-1]):
                found.pop()
                continue
            if found and found[-1] == _INPUT:
                continue
        found.append(token)
    return tuple(found)


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
