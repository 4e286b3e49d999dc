"""Secrets that the words round them give away: in a sentence, on a command line, in a block of YAML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from auditor.drafting.secret_names import Span, is_plain, names_secret

_NAMED = (
    r"(?<![\w-])(?:(?P<password>passwords?|passwd|passphrase|passcode|pwd)|secret|token|credentials?|api[ _-]?key|otp)"
)
_WHOSE = r"[ \t]++(?:for|of)(?:[ \t]++[^\s:=]{1,60}+){1,4}?"
_VALUE = r"""(?P<quote>["'`]?)(?P<value>[^\s"'`]{1,200}+)"""
_FOR = re.compile(rf"{_NAMED}{_WHOSE}[ \t]*+[:=][ \t]*+{_VALUE}", re.IGNORECASE)
_IS = re.compile(rf"{_NAMED}(?:{_WHOSE})?[ \t]++(?:is|was):?[ \t]++{_VALUE}", re.IGNORECASE)
_LEAST = 6

_GAP = r"""["'`]?(?:,?[ \t]+|,|=)["'`]?"""
_CURL = re.compile(
    rf"""(?<![\w-])curl\b[^\n]{{0,500}}?["'\s](?:-u|--user|--proxy-user|-U){_GAP}(?P<value>[^\s:"'`]{{1,200}}+:[^\s"'`]{{1,200}}+)"""
)
_SSHPASS = re.compile(rf"""(?<![\w-])sshpass["'`]?,?[ \t]+["'`]?-p(?:{_GAP})?(?P<value>[^\s"'`-][^\s"'`]{{0,200}}+)""")

_YAML = re.compile(
    r"""^(?P<indent>[ \t]*+)(?P<dash>-[ \t]++)?["']?(?P<name>[\w-]{1,100}+)["']?:[ \t]*+(?P<block>[|>][+-]?[0-9]?[+-]?)?[ \t]*+\r?\n""",
    re.MULTILINE | re.ASCII,
)
_WORD = re.compile(r"""[ \t]*+["']?(?P<value>[^\s"':#-][^\s"']*+)["']?[ \t]*+\r?(?:\n|\Z)""")
_BLOCK_REACH = 10_000


def secrets_in_sentences(text: str) -> Iterator[Span]:
    """`password for bob: X`, and `the password is X` where X is in quotes, or has a digit or two cases as no word of a language has."""
    for pattern in (_FOR, _IS):
        for found in pattern.finditer(text):
            start, end = _trimmed(found)
            certain = bool(found["quote"]) or (pattern is _FOR and found["password"] is not None)
            if (certain or _is_no_word(text[start:end])) and not is_plain(text[start:end]):
                yield start, end


def secrets_on_command_lines(text: str) -> Iterator[Span]:
    """`curl -u user:password` and `sshpass -p password`, also as lists of arguments."""
    for pattern in (_CURL, _SSHPASS):
        for found in pattern.finditer(text):
            if not is_plain(found["value"]) and not found["value"].endswith(":"):
                yield found.span("value")


def secrets_in_blocks(text: str) -> Iterator[Span]:
    """What stands indented under `password:`, as YAML has it: one word, or with `|` and `>` all lines."""
    until = 0
    for found in _YAML.finditer(text):
        if found.start() < until or not names_secret(found["name"]):
            continue
        indent = len(found["indent"]) + len(found["dash"] or "")
        first, end = _deeper(text, found.end(), indent)
        if not found["block"]:
            word = _WORD.match(text, found.end())
            if end > first and word and not is_plain(word["value"]):
                yield word.span("value")
        elif text[first:end].strip():
            yield first, end
            until = end


def _deeper(text: str, at: int, indent: int) -> Span:
    """Where the lines from `at` on that are indented by more than `indent` begin, their indentation apart, and where they end."""
    start = end = at
    while at < len(text) and at - start < _BLOCK_REACH:
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        line = text[at:stop]
        if line.strip():
            if len(line) - len(line.lstrip(" \t")) <= indent:
                break
            end = at + len(line.rstrip())
        at = stop + 1
    return start + len(text[start:end]) - len(text[start:end].lstrip()), end


def _is_no_word(value: str) -> bool:
    mixed = value[1:] != value[1:].lower() and value != value.upper()
    return len(value) >= _LEAST and (mixed or any(c.isdigit() for c in value))


def _trimmed(found: re.Match[str]) -> Span:
    """The value without the punctuation of its sentence."""
    start, end = found.span("value")
    return start, start + len(found["value"].rstrip(".,;:!?)]}")) or end


PLACES: tuple[tuple[str, Callable[[str], Iterator[Span]]], ...] = (
    ("sentence", secrets_in_sentences),
    ("command line", secrets_on_command_lines),
    ("block", secrets_in_blocks),
)
"""The rules, with the name that each is counted under."""
