"""Patterns over bytes, in time linear in the text: the only user of RE2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import re2

from gate.errors import NoiseError

_PROBES = (b"", b"a", b" ", b"0", b"a b", b"\n", b"-a.0")
_GROUP = b"noise"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern. Bytes are bytes (no decoding), `^` and `$` are the ends of a line, and no match crosses a line end."""

    source: bytes
    _compiled: Any
    _group: int

    def spans(self, text: bytes) -> Iterator[tuple[int, int]]:
        """Where it matches, leftmost first, without overlap; of a group named `noise` only that part. Never an empty span."""
        for match in self._compiled.finditer(text):
            start, end = match.span(self._group)
            if start < end:
                yield start, end

    def touches(self, text: bytes) -> bool:
        """Whether it matches anywhere."""
        return self._compiled.search(text) is not None


def compile_pattern(name: str, source: str) -> Pattern:
    """The pattern of the rule `name`.

    Raises NoiseError for what RE2 does not have (look-around, back-references), bad syntax, characters outside ASCII (a pattern
    speaks of bytes: write `\\xc2\\xb5`), and a pattern that matches the empty string.
    """
    if not source.isascii():
        raise _refused(
            name, source, "expected ASCII only, got other characters", "Write their UTF-8 bytes, e.g. \\xc2\\xb5."
        )
    compiled = _compile(name, source)
    if any(match.start() == match.end() for probe in _PROBES for match in compiled.finditer(probe)):
        raise _refused(
            name, source, "it matches the empty string", "Make it match at least one byte, e.g. with `+` for `*`."
        )
    return Pattern(source.encode(), compiled, compiled.groupindex.get(_GROUP, 0))


def any_of(patterns: Sequence[Pattern]) -> Pattern | None:
    """One pattern that matches somewhere exactly where one of `patterns` does; one pass over a text that none touches.

    None for no patterns, and where they cannot stand in one pattern (too large, a group name twice): then ask each.
    """
    if not patterns:
        return None
    source = b"|".join(b"(?:%s)" % pattern.source for pattern in patterns)
    try:
        return Pattern(source, _re2(source), 0)
    except re2.error:
        return None


def _re2(source: bytes) -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.never_nl = True
    options.log_errors = False
    return re2.compile(b"(?m:%s)" % source, options)


def _compile(name: str, source: str) -> Any:
    try:
        # Bare first: inside the wrapping group a stray `a)(b` would become valid.
        options = re2.Options()
        options.log_errors = False
        re2.compile(source, options)
        return _re2(source.encode())
    except re2.error as error:
        reason = error.args[0] if error.args else b"unknown"
        text = reason.decode("utf-8", "backslashreplace") if isinstance(reason, bytes) else str(reason)
        raise _refused(
            name, source, f"not an RE2 pattern: {text}", "RE2 has no look-around and no back-references."
        ) from error


def _refused(name: str, source: str, why: str, next_step: str) -> NoiseError:
    shown = source if len(source) <= 80 else f"{source[:80]}…"
    return NoiseError(f"noise rule {name!r}: pattern {shown!r}: {why}", next_step=next_step)
