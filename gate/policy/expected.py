"""What an entry binds one side of a change to: exactly one canonical value, or its absence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gate.diff.findings import Canonical, Placeholder

MAX_TEXT = 200
"""Bytes of a value that is bound as text when the gate writes the entry; longer ones are bound by digest."""

# The written form of `Placeholder`, narrowed to what reads back as one and the same placeholder.
_PLACEHOLDER = re.compile(rb"<([a-z0-9-]+)(?:\+([ -9;=?-~]+))?(?::(0|[1-9][0-9]{0,17}))?>")


def parse_text(data: bytes) -> Canonical:
    """The one canonical value that `data` spells: whatever reads as a placeholder (`<uuid:1>`) is one.

    `parse_text(data).text == data`, always. The converse does not hold for a value whose literal output looks like a placeholder:
    no text spells it, and it can only be bound by its digest.
    """
    tokens: list[bytes | Placeholder] = []
    end = 0
    for match in _PLACEHOLDER.finditer(data):
        if match.start() > end:
            tokens.append(data[end : match.start()])
        rule, shape, number = match.groups()
        tokens.append(
            Placeholder(
                rule=rule.decode("ascii"),
                shape=(shape or b"").decode("ascii"),
                number=None if number is None else int(number),
            )
        )
        end = match.end()
    if end < len(data):
        tokens.append(data[end:])
    return Canonical(tokens=tuple(tokens))


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A whole value, spelt out. No wildcards: `*`, `...` and `.` stand for themselves, and a final newline counts."""

    data: bytes

    @property
    def canonical(self) -> Canonical:
        """The one value that this text binds."""
        return parse_text(self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A whole value by `Canonical.digest`. The only way to bind a value that was cut, or that prints what looks like a placeholder."""

    sha256: str
    """64 lower-case hexadecimal digits."""


Expected = Text | Digest | None
"""None: the field was not observed on that side. An observed empty value is `Text(data=b"")`."""


def binding_key(expected: Expected) -> str | None:
    """The digest of the one value that `expected` binds; None for absence. Equal keys bind the same value."""
    if expected is None:
        return None
    return expected.canonical.digest if isinstance(expected, Text) else expected.sha256


def holds(expected: Expected, observed: Canonical | None) -> bool:
    """Whether `observed` is the value that was bound. A digest and a text of one value hold for the same observations."""
    if expected is None or observed is None:
        return expected is None and observed is None
    if isinstance(expected, Text):
        return observed == expected.canonical
    return _whole(observed) and observed.digest == expected.sha256


def expected_of(observed: Canonical | None) -> Expected:
    """How the gate binds `observed`: as text where a person can read the whole of it and it spells nothing else, else by digest.

    `holds(expected_of(observed), observed)`, unless `observed` was stopped at the limit without a digest over what was seen: nothing binds
    such a value.
    """
    if observed is None:
        return None
    text = observed.text
    if len(text) <= MAX_TEXT and readable(text) and parse_text(text) == observed:
        return Text(data=text)
    return Digest(sha256=observed.digest)


def readable(data: bytes) -> bool:
    """Whether `data` is UTF-8 that shows itself: printable characters, line feeds and tabs. Empty: yes."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return all(character.isprintable() or character in "\n\t" for character in text)


def _whole(observed: Canonical) -> bool:
    """Whether the digest speaks for all that is known: a stopped stream without size is held apart from one that ended."""
    return observed.size is not None or not observed.overflow
