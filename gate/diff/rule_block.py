"""A noise rule as it stands in gate.toml."""

from __future__ import annotations

from collections.abc import Iterable

from gate.diff.rules import NoiseRule


def rule_block(rule: NoiseRule) -> tuple[str, ...]:
    """The lines of a `[[noise]]` block, in printable ASCII but for the pattern, which has no quote and no control character."""
    lines = ["[[noise]]", f'name = "{rule.name}"', f"pattern = '{rule.pattern}'"]
    lines += [f"fields = {_array(rule.fields)}"] if rule.fields else []
    lines += [f"commands = {_array(rule.commands)}"] if rule.commands else []
    return (*lines, *(("identity = true",) if rule.identity else ()))


def _array(words: Iterable[str]) -> str:
    return "[" + ", ".join(_string(word) for word in words) + "]"


def _string(text: str) -> str:
    """A basic string of TOML in printable ASCII."""
    return '"' + "".join(map(_character, text)) + '"'


def _character(character: str) -> str:
    code = ord(character)
    if 0x20 <= code < 0x7F:
        return f"\\{character}" if character in '"\\' else character
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
