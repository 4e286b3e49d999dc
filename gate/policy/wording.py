"""How entries and values are written for people: one line, nothing that a terminal obeys."""

from __future__ import annotations

import json
import re

from gate.diff.findings import Canonical
from gate.policy.expected import Digest, Expected, Text
from gate.policy.model import Entry, OpenEntry, Policy

MAX_SHOWN = 400
"""Characters of a value that are shown; the size and the digest speak for the rest."""

EXPIRY_SENTENCE = "a date is valid through the end of that day in UTC, with no grace after it"

_ORDINARY = re.compile(r"[\x20-\x7e\n]")


def escape_unprintable(document: str) -> str:
    r"""JSON text with every character that does not show itself written as `\uXXXX`; line feeds between the values stay."""
    if document.isascii() and document.replace("\n", "").isprintable():
        return document
    return "".join(
        character if _ORDINARY.match(character) or character.isprintable() else _escaped(character)
        for character in document
    )


def _escaped(character: str) -> str:
    return "\\u007f" if character == "\x7f" else json.dumps(character)[1:-1]


def quoted(text: str) -> str:
    """`text` in double quotes, on one line, escaped as in JSON."""
    return escape_unprintable(json.dumps(text, ensure_ascii=False))


def quoted_bytes(data: bytes) -> str:
    """`data` as `quoted` where it is UTF-8, else as a Python bytes literal; cut at `MAX_SHOWN` with its size."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        head = repr(data[:MAX_SHOWN])
        return head if len(data) <= MAX_SHOWN else f"{head}… ({len(data)} bytes)"
    return quoted(text) if len(text) <= MAX_SHOWN else f"{quoted(text[:MAX_SHOWN])}… ({len(data)} bytes)"


def expected_words(expected: Expected) -> str:
    """A bound value as its entry has it."""
    if expected is None:
        return "absent"
    return quoted_bytes(expected.data) if isinstance(expected, Text) else f"sha256:{expected.sha256}"


def binding_words(expected: Expected, observed: Canonical | None) -> str:
    """A bound value with what it stands for: a digest is shown beside the observed value that it binds."""
    if not isinstance(expected, Digest) or observed is None:
        return expected_words(expected)
    cut = "" if observed.size is None else f"… (cut; {observed.size} bytes in all)"
    return f"{quoted_bytes(observed.text)}{cut} as {expected_words(expected)}"


def entry_words(entry: Entry) -> str:
    """What an entry allows, in one line."""
    if isinstance(entry, OpenEntry):
        return f"case {quoted(entry.case)} step {entry.step}, any change"
    where = f"command {quoted(entry.command)}" if entry.command is not None else f"case {quoted(entry.case or '')}"
    step = "" if entry.step is None else f" step {entry.step}"
    values = f"{expected_words(entry.old)} -> {expected_words(entry.new)}"
    return f"{where}{step}, {quoted(entry.field)}: {values}"


def place_words(policy: Policy, entry: Entry) -> str:
    """Where an entry stands, e.g. `policy.json lines 3-11`; the name alone when it was not read from a file."""
    return policy.name if entry.lines is None else f"{policy.name} {entry.lines}"
