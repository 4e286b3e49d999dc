"""What stands in the text of an answer: one JSON object, however it is wrapped, and the items in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping

import msgspec

from auditor.drafting.values import Rejected
from auditor.service.shape import WHOLE, Shape

Check = Callable[[str, Mapping[str, str]], str | None]
"""A further test of an item, with its key: what is wrong with it, or None."""

_THOUGHT = re.compile(r"\s*<think>.*?</think>", re.DOTALL)
_STARTS = 200
"""Places where an object may begin that are tried at most: a text of braces alone costs no more."""
_LONGEST_KEY = 40


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """What could be taken from an answer."""

    items: dict[str, dict[str, str]]
    rejected: tuple[Rejected, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether everything that was asked for is there, and nothing else."""
        return not self.rejected and not self.missing


class _Object(dict[str, object]):
    """A JSON object that knows which of its keys were given twice."""

    twice: frozenset[str] = frozenset()


def read_reply(text: str, shape: Shape, check: Check | None = None) -> Read:
    """The items of an answer, valid ones apart from the others. No object at all: everything is missing, and the reason rejected."""
    from auditor.service.schema import read_item  # noqa: PLC0415 - pydantic may not be there

    try:
        found = find_object(text, expected_keys(shape))
    except ValueError as error:
        return Read(items={}, rejected=(Rejected(key="", why=str(error)),), missing=shape.keys)
    given: Mapping[str, object] = {WHOLE: found} if shape.keys == (WHOLE,) else found
    twice = frozenset() if shape.keys == (WHOLE,) else found.twice
    items: dict[str, dict[str, str]] = {}
    rejected = [Rejected(key=_key(key), why="nobody asked for this key") for key in given if key not in shape.keys]
    for key in (key for key in shape.keys if key in given):
        try:
            if key in twice or _doubled(given[key]):
                raise ValueError("a key is given twice, and only one of its values could count")
            item = read_item(shape, given[key])
            if check is not None and (complaint := check(key, item)):
                raise ValueError(complaint)
            items[key] = item
        except ValueError as error:
            rejected.append(Rejected(key=key, why=str(error)))
        except RecursionError:
            rejected.append(Rejected(key=key, why="it is nested too deep"))
    missing = tuple(key for key in shape.keys if key not in given)
    return Read(items=items, rejected=tuple(rejected), missing=missing)


def merged(first: Read, second: Read, shape: Shape) -> Read:
    """Two answers to one question: what is valid in the second, else in the first; faults are those of the second."""
    both = first.items | second.items
    return Read(
        items={key: both[key] for key in shape.keys if key in both},
        rejected=tuple(fault for fault in second.rejected if fault.key not in both),
        missing=tuple(key for key in second.missing if key not in both),
    )


def find_object(text: str, wanted: Iterable[str]) -> _Object:
    """The one JSON object of a text that has any of the `wanted` keys.

    The text as it is comes first (fault 128: a fence inside a string is text); then each place where an object can begin, so that prose
    and fences round it do no harm. Raises ValueError when there is none, or more than one that differ.
    """
    keys = frozenset(wanted)
    text = _THOUGHT.sub("", text, count=1) if _THOUGHT.match(text) else text
    try:
        whole = _DECODER.decode(text.strip())
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, _Object):
        return whole
    found = _scan(text, keys)
    if not found:
        raise ValueError("expected one JSON object with the keys that were asked for, found none")
    if any(other != found[0] for other in found[1:]):
        raise ValueError("expected one JSON object, found several that differ")
    return found[0]


def _scan(text: str, keys: frozenset[str]) -> list[_Object]:
    found: list[_Object] = []
    position = text.find("{")
    for _ in range(_STARTS):
        if position < 0:
            break
        end = position + 1
        try:
            value, stop = _DECODER.raw_decode(text, position)
            if isinstance(value, _Object) and keys & value.keys():
                found.append(value)
                end = stop
        except (ValueError, RecursionError):
            pass
        position = text.find("{", end)
    return found


def _object(pairs: list[tuple[str, object]]) -> _Object:
    made = _Object(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        made.twice = frozenset(name for name in names if names.count(name) > 1)
    return made


class _NoJson:
    """What stands for `NaN` and `Infinity`: no item takes it, and no other item suffers from it."""


_NO_JSON = _NoJson()
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=lambda _: _NO_JSON)


def _doubled(value: object) -> bool:
    return isinstance(value, _Object) and bool(value.twice)


def _key(key: str) -> str:
    """A key nobody asked for, short and on one line."""
    plain = key if key.isprintable() else ascii(key)[1:-1]
    return plain if len(plain) <= _LONGEST_KEY else f"{plain[:_LONGEST_KEY]}…"


def expected_keys(shape: Shape) -> tuple[str, ...]:
    """The keys of the object that an answer is."""
    from auditor.service.schema import item_model  # noqa: PLC0415 - pydantic may not be there

    return tuple(item_model(shape).model_fields) if shape.keys == (WHOLE,) else shape.keys
