"""Values as TOML that people read, and texts as comments that stay comments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gate.corpus.grammar import Argument
from gate.diff.escape import escaped_name

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SHORT = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}

Value = str | int | float | bool | Sequence[str]


def toml(value: Value) -> str:
    """A value on one line. Text that UTF-8 cannot hold raises ValueError; NUL is written and refused by whoever reads it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int | float):
        return str(value)
    return "[" + ", ".join(map(_string, value)) + "]"


def _string(text: str) -> str:
    text.encode("utf-8")
    return '"' + "".join(map(_character, text)) + '"'


def _character(character: str) -> str:
    if short := _SHORT.get(character):
        return short
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def key(name: str) -> str:
    """A key of a table."""
    return name if _BARE.fullmatch(name) else _string(name)


def table(values: Mapping[str, Value]) -> str:
    """An inline table."""
    return "{ " + ", ".join(f"{key(name)} = {toml(value)}" for name, value in values.items()) + " }" if values else "{}"


def argument(told: Argument) -> str:
    """An argument of a grammar as an inline table, what is as by default left out."""
    values: dict[str, Value] = {"kind": told.kind}
    for name in ("value", "values", "pool", "option", "min", "max", "one_of"):
        if (value := getattr(told, name)) is not None:
            values[name] = value
    if told.optional:
        values["optional"] = True
    if told.repeat != 1:
        values["repeat"] = told.repeat
    if told.edges:
        values["edges"] = told.edges
    return table(values)


def comment(text: str, *, width: int = 110) -> str:
    """One line of comment, cut where it is long; whatever the text holds, it ends no line and obeys nothing."""
    shown = escaped_name(" ".join(text.split()))
    return "# " + (shown if len(shown) <= width else shown[: width - 1] + "…")
