"""Differences inside a structured value, by path. Details for people; the verdict is on bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice, zip_longest

from gate.diff.findings import Canonical, Detail

MAX_BYTES = 256 * 1024
"""Larger values get no details."""

MAX_DEPTH = 64
"""Deeper ones get none either."""

MAX_DETAILS = 100
"""Details of one change; the rest is in the values."""

MAX_TEXT = 200
"""Characters of one side of a detail."""


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as it was written: `1.0` is not `1`, and no digit is lost."""

    text: str


@dataclass(frozen=True, slots=True)
class _Object:
    members: tuple[tuple[str, _Json], ...]


class _Absent(Enum):
    ABSENT = "absent"


_ABSENT = _Absent.ABSENT
_Json = _Object | list["_Json"] | str | _Number | bool | None


class _UnreadableError(ValueError):
    """Not JSON that can be compared by path: a key twice, `NaN`, too deep."""


def details(old: Canonical, new: Canonical) -> tuple[Detail, ...]:
    """What differs between two JSON documents (`$.items[2].price`), or between two texts of `key=value` lines (`key`).

    Number text counts, so `1` and `1.0` differ; the order of keys does not (then there are no details). Empty where a side is neither,
    names a key twice, was cut, or is too large or too deep; and for values that say the same.
    """
    if old.size is not None or new.size is not None:
        return ()
    found = _by_json(old.text, new.text)
    if found is None:
        found = _by_lines(old.text, new.text)
    return tuple(islice(found or iter(()), MAX_DETAILS))


def same_but_for_order(old: bytes, new: bytes) -> bool:
    """Whether both are JSON that differs in the order of keys and in blanks alone."""
    left, right = _parse(old), _parse(new)
    return left is not None and right is not None and next(_walk("$", left[0], right[0]), None) is None


def _by_json(old: bytes, new: bytes) -> Iterator[Detail] | None:
    left, right = _parse(old), _parse(new)
    if left is None or right is None:
        return None
    return _walk("$", left[0], right[0])


def _parse(data: bytes) -> tuple[_Json] | None:
    """The object or list that `data` is, in a tuple of one; None where it cannot be compared by path."""
    if len(data) > MAX_BYTES or not data.lstrip().startswith((b"{", b"[")) or _deep(data):
        return None
    try:
        text = data.decode("utf-8")
        return (
            json.loads(
                text,
                parse_int=_Number,
                parse_float=_Number,
                parse_constant=_no_constant,
                object_pairs_hook=_members,
            ),
        )
    except (ValueError, RecursionError):
        return None


_BRACKETS = re.compile(rb"[\[{]+|[\]}]+")


def _deep(data: bytes) -> bool:
    """Whether brackets nest too deep. Brackets inside strings count too: then there are merely no details."""
    depth = 0
    for match in _BRACKETS.finditer(data):
        depth += len(match.group()) if match.group()[:1] in b"[{" else -len(match.group())
        if depth > MAX_DEPTH:
            return True
    return False


def _no_constant(name: str) -> _Json:
    raise _UnreadableError(name)


def _members(pairs: list[tuple[str, _Json]]) -> _Object:
    if len({key for key, _ in pairs}) < len(pairs):
        raise _UnreadableError("a key twice")
    return _Object(tuple(pairs))


def _walk(path: str, old: _Json, new: _Json) -> Iterator[Detail]:
    if isinstance(old, _Object) and isinstance(new, _Object):
        left, right = dict(old.members), dict(new.members)
        for key in [*left, *(key for key in right if key not in left)]:
            yield from _member(f"{path}{_key(key)}", left.get(key, _ABSENT), right.get(key, _ABSENT))
    elif isinstance(old, list) and isinstance(new, list):
        for index, (left_item, right_item) in enumerate(zip_longest(old, new, fillvalue=_ABSENT)):
            yield from _member(f"{path}[{index}]", left_item, right_item)
    elif old != new or type(old) is not type(new):
        yield Detail(path=path, old=_source(old), new=_source(new))


def _member(path: str, old: _Json | _Absent, new: _Json | _Absent) -> Iterator[Detail]:
    if isinstance(old, _Absent) or isinstance(new, _Absent):
        yield Detail(
            path=path,
            old=None if isinstance(old, _Absent) else _source(old),
            new=None if isinstance(new, _Absent) else _source(new),
        )
    else:
        yield from _walk(path, old, new)


_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")


def _key(key: str) -> str:
    return f".{key}" if _PLAIN_KEY.match(key) else f"[{json.dumps(key)}]"


def _source(held: _Json) -> str:
    return _short(_text(held))


def _text(held: _Json) -> str:
    if isinstance(held, _Number):
        return held.text
    if isinstance(held, _Object):
        return "{" + ", ".join(f"{json.dumps(key)}: {_text(member)}" for key, member in held.members) + "}"
    if isinstance(held, list):
        return "[" + ", ".join(map(_text, held)) + "]"
    return json.dumps(held)


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"


_LINE = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*)=(.*)\Z")


def _by_lines(old: bytes, new: bytes) -> Iterator[Detail] | None:
    left, right = _pairs(old), _pairs(new)
    if left is None or right is None:
        return None
    return (
        Detail(path=key, old=_shortened(left, key), new=_shortened(right, key))
        for key in [*left, *(key for key in right if key not in left)]
        if left.get(key) != right.get(key)
    )


def _shortened(pairs: dict[str, str], key: str) -> str | None:
    return _short(pairs[key]) if key in pairs else None


def _pairs(data: bytes) -> dict[str, str] | None:
    """The lines of `data` by key; None unless each line is `key=value` and no key stands twice."""
    if not data or len(data) > MAX_BYTES:
        return None
    pairs: dict[str, str] = {}
    for line in data.decode("utf-8", "backslashreplace").removesuffix("\n").split("\n"):
        match = _LINE.match(line)
        if match is None or match[1] in pairs:
            return None
        pairs[match[1]] = match[2]
    return pairs
