"""Noise rules that would cover what varies between some values: the spans found, anchored by the text beside them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from gate.diff.findings import Canonical, Placeholder
from gate.diff.patterns import Pattern, compile_pattern
from gate.diff.rules import NoiseRule
from gate.diff.varying import Varied

MAX_RULES = 3
"""Rules that one check may need; what needs more is not noise in a few places."""

_ANCHOR = 24
_NUMBER = re.compile(rb"\d+(?:[.,:]\d+)+")
_HEX = re.compile(rb"(?=[a-f]*\d)[0-9a-f]{4,}|[a-f]{8,}")
_MIXED = re.compile(rb"(?=[^0-9]*[0-9])[A-Za-z0-9_]+(?:[-.:+][A-Za-z0-9_]+)*")
_BARE = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_ ")
_VARIES = Placeholder(rule="varies")


def propose(
    spans: Sequence[Varied], values: Sequence[Canonical], *, field: str, command: str, taken: Collection[str]
) -> tuple[NoiseRule, ...]:
    """At most `MAX_RULES` rules under which all `values`, whose varying spans are given, are equal; for that field and command alone.

    Numbers, hexadecimal digits and ids with digits are proposed; words are not: `hit` and `miss` are behaviour. None where one span is
    no such, or has no text and no end of a line beside it. `taken`: names of rules that are in use.
    """
    found = [_pattern(span) for span in spans]
    patterns = list(dict.fromkeys(pattern for pattern in found if pattern is not None))
    if None in found or not 0 < len(patterns) <= MAX_RULES or not (field.isprintable() and command.isprintable()):
        return ()
    if not covered(values, [compile_pattern("proposed", pattern) for pattern in patterns]):
        return ()
    names = (name for name in (f"varies-{number}" for number in range(1, 1000)) if name not in taken)
    return tuple(
        NoiseRule(name=name, pattern=pattern, fields=(field,), commands=(command,))
        for pattern, name in zip(patterns, names, strict=False)
    )


def covered(values: Sequence[Canonical], patterns: Sequence[Pattern]) -> bool:
    """Whether all values are equal once every match of the patterns is taken out."""
    return len({_without(value, patterns) for value in values}) == 1


def _without(value: Canonical, patterns: Sequence[Pattern]) -> tuple[bytes | Placeholder, ...]:
    parts: list[bytes | Placeholder] = []
    for token in value.tokens:
        if isinstance(token, Placeholder):
            parts.append(token)
            continue
        at = 0
        for start, end in sorted({span for pattern in patterns for span in pattern.spans(token)}):
            if start >= at:
                parts += [token[at:start], _VARIES]
                at = end
        parts.append(token[at:])
    return tuple(parts)


def _pattern(span: Varied) -> str | None:
    kind = _kind(span.held)
    before = _escaped(span.before[-_ANCHOR:])
    after = _escaped(span.after[:_ANCHOR])
    if span.starts and len(span.before) <= _ANCHOR:
        before = f"^{before}"
    if span.ends and len(span.after) <= _ANCHOR:
        after = f"{after}$"
    return f"{before}(?P<noise>{kind}){after}" if kind is not None and (before or after) else None


def _kind(texts: Sequence[bytes]) -> str | None:
    """The narrowest class of text that all are of; None for words."""
    lengths = {len(text) for text in texts}
    count = f"{{{min(lengths)}}}" if len(lengths) == 1 and min(lengths) > 1 else "+"
    if all(text.isdigit() for text in texts):
        return rf"\d{count}"
    if all(_NUMBER.fullmatch(text) for text in texts):
        return r"\d+(?:[.,:]\d+)+"
    if all(_HEX.fullmatch(text) for text in texts):
        return f"[0-9a-f]{count}"
    if all(_MIXED.fullmatch(text) for text in texts):
        signs = "".join(f"\\{sign}" for sign in "-.:+" if any(sign.encode() in text for text in texts))
        return f"[A-Za-z0-9_{signs}]{count}"
    return None


def _escaped(text: bytes) -> str:
    r"""The text in RE2: letters and digits as they are, ASCII signs that mean something behind a backslash, other bytes as `\xNN`."""
    return "".join(map(_escaped_byte, text))


def _escaped_byte(byte: int) -> str:
    if byte in _BARE:
        return chr(byte)
    if not 0x20 < byte < 0x7F:
        return f"\\x{byte:02x}"
    return re.escape(chr(byte))
