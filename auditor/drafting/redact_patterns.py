"""The user's own redaction patterns: RE2, so that no pattern and no text can make the search slow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import re2

from auditor.errors import RedactionError

MOST_PATTERNS = 100
LONGEST_PATTERN = 1000
_GROUP = "secret"
_SINGLE = (*map(chr, range(0x20, 0x7F)), "\n", "\t", "é")
_PROBES = ("", *_SINGLE, "[REDACTED:1]")


@dataclass(frozen=True, slots=True)
class UserPattern:
    """A compiled pattern. Where it has a group named `secret`, only that part is a secret."""

    source: str
    _compiled: Any
    _group: int

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where it matches, leftmost first, without overlap. `text` has no lone surrogates."""
        for found in self._compiled.finditer(text):
            start, end = found.span(self._group)
            if 0 <= start < end:
                yield start, end


def compile_patterns(sources: Sequence[str]) -> tuple[UserPattern, ...]:
    """The patterns in the order given. Raises RedactionError naming the number of the first that cannot be used.

    Refused are: what RE2 does not have (look-around, back-references), bad syntax, a pattern that can match nothing or a single
    character (it would redact everything), one that matches inside a placeholder, one twice, and more than 100.
    """
    if len(sources) > MOST_PATTERNS:
        raise RedactionError(
            f"redaction: expected at most {MOST_PATTERNS} patterns, got {len(sources)}",
            next_step="Join patterns that belong together with `|`.",
        )
    return tuple(_compiled(number, source, sources[: number - 1]) for number, source in enumerate(sources, start=1))


def _compiled(number: int, source: str, before: Sequence[str]) -> UserPattern:
    if not source.strip() or len(source) > LONGEST_PATTERN:
        raise _refused(number, source, f"expected 1 to {LONGEST_PATTERN} characters, got {len(source)}", _SHORTEN)
    if source in before:
        raise _refused(number, source, "it stands there twice", "Remove one of the two.")
    pattern = _built(number, source)
    for probe in _PROBES:
        if any(True for _ in pattern.finditer(probe)):
            raise _refused(number, source, f"it matches in {probe!r}", "Write what surrounds the secret, too.")
    return UserPattern(source, pattern, pattern.groupindex.get(_GROUP, 0))


def _built(number: int, source: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(source, options)
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0] if error.args and not isinstance(error, UnicodeEncodeError) else "a lone surrogate"
        text = reason.decode("utf-8", "backslashreplace") if isinstance(reason, bytes) else str(reason)
        raise _refused(
            number, source, f"not an RE2 pattern: {text}", "RE2 has no look-around and no back-references."
        ) from error


_SHORTEN = "Write several shorter patterns."


def _refused(number: int, source: str, why: str, next_step: str) -> RedactionError:
    shown = source if len(source) <= 80 else f"{source[:80]}…"
    refused = RedactionError(f"redaction pattern {number}, {shown!a}: {why}", next_step=next_step)
    refused.pattern = source
    return refused
