"""Whether two texts differ in the words of their prose alone, or in the names of errors alone. Bounded; for people only."""

from __future__ import annotations

import re
from collections import Counter
from itertools import zip_longest

MAX_BYTES = 256 * 1024
"""Longer texts are not looked into."""

MAX_LINE = 1000
"""Nor longer lines, where they differ."""

_CLASS = re.compile(
    rb"\b(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:Error|Exception|Warning|Interrupt|Failure|Fault)\b|\b(?:Error|Exception|Warning)\b"
)
_NO_CLASS = frozenset({b"", b"none", b"null", b"nil", b"ok", b"no", b"false", b"0", b"-"})
_NAME = re.compile(rb"[A-Za-z_][\w.:-]*\Z")
_ERROR_FIELDS = frozenset({"error", "err", "error_class", "error_kind", "error_type", "exception"})

# A word: letters, with `-` and `'` inside. Whatever else a token is (digits, quotes, `/`, `=`, `_`, capitals inside) must stay.
_WORD = re.compile(r"[A-Za-z](?:[a-z]|(?<=[a-z])['-](?=[a-z]))*\Z")
_SENTENCE_MARKS = ".,;!"
_QUOTED = re.compile(r"\"[^\"]*\"|`[^`]*`|(?<!\w)'[^']*'(?!\w)|<[^>]*>|\([^)]*\)|\[[^\]]*\]")
_COLUMNS = re.compile(r"\S(?: {2,}|\t)\S")
_FUNCTION = re.compile(
    r"(?:an?|the|this|that|these|those|its?|you|your|we|they|is|are|was|were|be|been|has|have|had|do|does|must|should|can|cannot|could|"
    r"will|would|may|might|to|of|in|on|at|by|for|from|with|as|into|than|when|where|if|because|and|or|but|so)\Z"
)
_TELLING = re.compile(
    r"(?:not|no|never|none|nothing|neither|nor|without|only|all|any|every|each|both|"
    r"yes|true|false|ok|on|off|zero|one|two|three|four|five|six|seven|eight|nine|ten|first|last|before|after|"
    r"left|right|up|down|above|below|more|less|most|least|"
    r"(?:error|warn|fail|pass|succe|skip|den(?:y|ied)|refus|reject|accept|allow|forbid|miss|found|creat|delet|remov|add|chang|keep|kept|"
    r"enabl|disabl|valid|invalid|unknown|empty|full|new|old|open|clos|start|stop|writ|wrote|read|saved|lost|ignor).*)\Z"
)
_NEGATIONS = ("un", "in", "im", "ir", "il", "dis", "non", "non-", "mis")


def only_error_class(field: str, old: bytes, new: bytes) -> bool:
    """Whether an error is called by another class or kind, and nothing else changed: `ValueError: x` and `KeyError: x`.

    A value that is one word counts in a field named for it (`error`, `exception`, …), unless a side says that there was no error: from
    `error=missing` to `error=none` an error went away, which is more than another class.
    """
    if old == new or max(len(old), len(new)) > MAX_BYTES:
        return False
    if field in _ERROR_FIELDS and _NAME.match(old) and _NAME.match(new):
        return old.lower() not in _NO_CLASS and new.lower() not in _NO_CLASS
    pairs = list(zip_longest(old.split(b"\n"), new.split(b"\n")))
    return all(a == b or (_held(a, b) and _CLASS.sub(b"\0", a or b"") == _CLASS.sub(b"\0", b or b"")) for a, b in pairs)


def only_wording(old: bytes, new: bytes) -> bool:
    """Whether lines of prose say the same in other words, as far as a reader without the language can tell.

    Line by line, what is no plain word stays, in its order: numbers, paths, names, options, what stands in quotes or brackets,
    indentation. At least half of a line's words stay. Words that carry a verdict (`not`, `failed`, `two`, `empty`) stay, and no word
    becomes its own negation. In doubt it is not wording.
    """
    if old == new or max(len(old), len(new)) > MAX_BYTES:
        return False
    try:
        left, right = old.decode("utf-8"), new.decode("utf-8")
    except UnicodeDecodeError:
        return False
    pairs = zip_longest(left.split("\n"), right.split("\n"))
    return all(a == b or (_held(a, b) and _reworded(a or "", b or "")) for a, b in pairs)


def _held(*lines: str | bytes | None) -> bool:
    return all(line is not None and len(line) <= MAX_LINE for line in lines)


def _reworded(old: str, new: str) -> bool:
    if not (_is_prose(old) and _is_prose(new)) or _fixed(old) != _fixed(new):
        return False
    left, right = Counter(_words(old)), Counter(_words(new))
    gone, come = left - right, right - left
    kept = (left & right).total()
    if 2 * kept < max(left.total(), right.total()):
        return False
    return not any(_TELLING.match(word) for word in (*gone, *come)) and not _negated(gone, come)


def _is_prose(line: str) -> bool:
    words = _words(line)
    return len(words) >= 4 and not _COLUMNS.search(line) and any(map(_FUNCTION.match, words))


def _tokens(line: str) -> list[str]:
    return [token.rstrip(_SENTENCE_MARKS) or token for token in _QUOTED.sub(" \0 ", line).split()]


def _words(line: str) -> list[str]:
    return [token.lower() for token in _tokens(line) if _WORD.match(token)]


def _fixed(line: str) -> tuple[str, list[str], list[str]]:
    """What must stay: the indentation, what stands in quotes and brackets, and every token that is no plain word."""
    indent = line[: len(line) - len(line.lstrip())]
    others = [token for token in _tokens(line) if not _WORD.match(token) and token.strip(_SENTENCE_MARKS)]
    return indent, _QUOTED.findall(line), others


def _negated(gone: Counter[str], come: Counter[str]) -> bool:
    return any(
        prefix + word in other for one, other in ((gone, come), (come, gone)) for word in one for prefix in _NEGATIONS
    )
