"""Secrets that their own shape gives away, wherever they stand: key blocks, ids with a known prefix, and what is too random for a word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import log2

from auditor.drafting.secret_names import Span, looks_random

_BODY = r"[A-Za-z0-9_-]{16,}+(?:[.+/=~][A-Za-z0-9_-]{8,}+)*+"
_PREFIXES = (
    r"gh[opusr]_|github_pat_|gl(?:pat|dt|rt|cbt|ptt|ft|soat|oas)-|xox[abeoprs]-|xapp-|[srp]k_(?:live|test)_|whsec_|shp(?:at|ss|ca|pa)_|"
    r"do[opr]_v1_|hv[sb]\.|lin_api_|ATATT3|AGE-SECRET-KEY-1|AIza|ya29\.|dckr_pat_|sbp_|sntrys_|figd_|gl(?:c|sa)_|tskey-|pypi-AgEI|rubygems_|"
    r"(?<![A-Za-z0-9])(?:SG\.|gsk_|xai-|pplx-|nvapi-|r8_)"
)
_PREFIXED = re.compile(rf"(?:{_PREFIXES}){_BODY}")
_BOUNDED = re.compile(
    r"(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{16,}+|(?:hf|npm)_[A-Za-z0-9]{20,}+|key-[0-9a-f]{32}|dapi[0-9a-f]{32})"
)
_WEBHOOK = re.compile(
    r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/+-]{16,}+)|/api/webhooks/[0-9]+/([\w-]{20,}+)", re.ASCII
)
_AWS = re.compile(r"(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ABIA|ACCA)[A-Z0-9]{12,}+")
_TELEGRAM = re.compile(r"(?<![0-9])[0-9]{8,10}:[A-Za-z0-9_-]{30,}+")
_DISCORD = re.compile(r"(?<![\w-])[MNO][A-Za-z0-9_-]{22,}+\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}+", re.ASCII)
_DOTTED = re.compile(r"(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{11,}+)\.[A-Za-z0-9_-]{4,}+(?:\.[A-Za-z0-9_-]*+)*+=*+")
_BEARER = re.compile(r"(?<![A-Za-z0-9])(bearer|basic|token|apikey)[ \t]++([A-Za-z0-9._~+/=:-]{8,}+)", re.IGNORECASE)
_URL = re.compile(
    r"(?<![a-z0-9+.])[a-z][a-z0-9+.-]{1,30}://([^\s/?#\"'`<>:\[]*+:(?![0-9]*+[/?#\s])[^\s/?#\"'`<>]++)", re.IGNORECASE
)
_SLASHED = re.compile(r"[^\s\"'`<>@]{1,200}+@")
_PEM_OPEN = re.compile(r"-----BEGIN [A-Z0-9 ]{2,60}-----")
_PEM_CLOSE = re.compile(r"-----END [A-Z0-9 ]{2,60}-----")
_PEM_LINES = re.compile(r"(?:(?:\\[nrt]|\s)*+[A-Za-z0-9+/=]{4,}+(?![\w-]*[ :]))*+")
_PEM_LINE = re.compile(r"[ \t]*[A-Za-z0-9+/=]{4,}\r?\n")
_PEM_REACH = 100_000
_PEM_WIDTH = 200

_TOKEN = re.compile(r"[A-Za-z0-9_+/~-]{24,}+={0,2}+")
_CHECKSUM = re.compile(r"sha(?:1|256|384|512)[-_:=]", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-fA-F_-]+")
_LEAST_BITS = 3.8
_LEAST_TURNS = 0.3


def keys_in_blocks(text: str) -> Iterator[Span]:
    """PEM blocks. One without its end goes on while its lines look like it; of one without its beginning, what stands before the end."""
    at = 0
    closed = list(_PEM_CLOSE.finditer(text))
    following = 0
    for opened in _PEM_OPEN.finditer(text):
        if opened.start() < at:
            continue
        while following < len(closed) and closed[following].start() < opened.end():
            following += 1
        whole = following < len(closed) and closed[following].end() - opened.start() <= _PEM_REACH
        at = closed[following].end() if whole else _lines_end(text, opened.end())
        yield opened.start(), at
    for end in closed:
        yield _key_lines_before(text, end.start()), end.end()


def _key_lines_before(text: str, at: int) -> int:
    """Where the lines of a key that end at `at` begin."""
    while (line := text.rfind("\n", max(0, at - _PEM_WIDTH), at - 1) + 1) and _PEM_LINE.fullmatch(text, line, at):
        at = line
    return 0 if not line and at <= _PEM_WIDTH and _PEM_LINE.fullmatch(text, 0, at) else at


def _lines_end(text: str, start: int) -> int:
    found = _PEM_LINES.match(text, start)
    return found.end() if found else start


def passwords_in_urls(text: str) -> Iterator[Span]:
    """`user:password` in `scheme://user:password@host`."""
    for found in _URL.finditer(text):
        start, end = found.span(1)
        last = text.rfind("@", start, end)
        if last < 0 and (slashed := _SLASHED.match(text, end)):  # a slash in the password
            last = slashed.end() - 1
        if last > start:
            yield start, last


def web_tokens(text: str) -> Iterator[Span]:
    """JWTs, signed or not, also where something stands before them."""
    for found in _DOTTED.finditer(text):
        at = found[1].find("eyJ")
        if 0 <= at <= len(found[1]) - 11:
            yield found.start() + at, found.end()


def bearers(text: str) -> Iterator[Span]:
    """What follows `Bearer`, `Basic`, `token` where it is no word of a language."""
    for found in _BEARER.finditer(text):
        value = found[2]
        plain = found[1].lower() in ("bearer", "basic")
        if looks_random(value) and (plain or (len(value) >= 16 and any(c.isdigit() for c in value))):
            yield found.span(2)


def random_words(text: str) -> Iterator[Span]:
    """Any run of 24 characters or more that mixes cases and digits like a drawn one. Digests, UUIDs, paths and names are not."""
    for found in _TOKEN.finditer(text):
        word = found[0]
        if _is_drawn(word) and not _CHECKSUM.match(word) and not text.endswith(("sha256:", "h1:"), 0, found.start()):
            yield found.span()
        elif "/" in word:
            at = found.start()
            for part in word.split("/"):
                if len(part) >= 24 and _is_drawn(part) and not _CHECKSUM.match(part):
                    yield at, at + len(part)
                at += len(part) + 1


def _is_drawn(word: str) -> bool:
    kinds = [_kind(c) for c in word]
    if not {"upper", "lower", "digit"} <= set(kinds) or _HEX.fullmatch(word):
        return False
    pairs = [(one, two) for one, two in pairwise(kinds) if "other" not in (one, two)]
    turns = sum(one != two for one, two in pairs)
    return turns >= _LEAST_TURNS * len(pairs) and _bits(word) > _LEAST_BITS


def _kind(character: str) -> str:
    if character.isdigit():
        return "digit"
    if character.isalpha():
        return "upper" if character.isupper() else "lower"
    return "other"


def _bits(word: str) -> float:
    """Shannon entropy per character."""
    return -sum(count / len(word) * log2(count / len(word)) for count in Counter(word).values())


def _matches(*patterns: re.Pattern[str]) -> Callable[[str], Iterator[Span]]:
    def spans(text: str) -> Iterator[Span]:
        for pattern in patterns:
            for found in pattern.finditer(text):
                yield found.span(found.lastindex or 0)

    return spans


def _prefixed(text: str) -> Iterator[Span]:
    yield from _matches(_PREFIXED, _WEBHOOK, _TELEGRAM, _DISCORD)(text)
    for found in _BOUNDED.finditer(text):
        if any(c.isdigit() or c.isupper() for c in found[0]):
            yield found.span()


SHAPES: tuple[tuple[str, Callable[[str], Iterator[Span]]], ...] = (
    ("key block", keys_in_blocks),
    ("cloud id", _matches(_AWS)),
    ("known prefix", _prefixed),
    ("web token", web_tokens),
    ("bearer", bearers),
    ("url", passwords_in_urls),
)
"""The rules by shape, with the name that each is counted under. `random_words` stands apart: it is the last resort."""
