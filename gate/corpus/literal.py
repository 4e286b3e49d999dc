"""Steps as a person reads them: words as a shell takes them, nothing that a terminal obeys."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from gate.domain import NO_WORDS, Case, Step

_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def literal(word: bytes) -> str:
    """The word, quoted for a POSIX shell where that shows it; else as `$'…'` (bash), every invisible character and stray byte escaped.

    Printable ASCII only: letters that look alike, and those that combine or turn the line around, are escaped too.
    """
    try:
        text = word.decode("ascii")
    except UnicodeDecodeError:
        text = None
    if text is not None and text.isprintable():
        return shlex.quote(text)
    return "$'" + "".join(_escaped(word)) + "'"


def _escaped(word: bytes) -> Iterator[str]:
    for character in word.decode("utf-8", "surrogateescape"):
        code = ord(character)
        if character in _ESCAPES:
            yield _ESCAPES[character]
        elif 0x20 <= code < 0x7F:
            yield character
        elif 0xDC80 <= code <= 0xDCFF:
            yield f"\\x{code - 0xDC00:02x}"
        else:
            yield f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"


def case_lines(case: Case) -> Iterator[str]:
    """A case, a line each: its id and origin, then its steps with their variables, words and standard input."""
    yield f"{case.id} ({'written by hand' if case.origin == 'hand' else 'drawn'})"
    for number, step in enumerate(case.steps, start=1):
        yield f"  {number}  {_command_line(step)}"
        if step.stdin is not None:
            yield f"     standard input: {literal(step.stdin)}"


def _command_line(step: Step) -> str:
    variables = [f"{literal(name.encode())}={literal(text.encode())}" for name, text in sorted(step.env.items())]
    words = [*map(literal, step.argv)] or [NO_WORDS]
    return " ".join([*variables, *words])
