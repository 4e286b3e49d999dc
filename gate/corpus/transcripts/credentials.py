"""Whether a step holds what looks like a secret: such a step must not be copied into a file that is committed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gate.corpus.transcripts.private_names import NAMED, private_variable
from gate.domain import Step

_FORMATS = {
    "a private key": rb"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----",
    "a cloud access key": rb"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{35}",
    "a token of a code host": rb"\bgh[opsur]_[0-9A-Za-z]{20,}|\bgithub_pat_[0-9A-Za-z_]{20,}|\bglpat-[0-9A-Za-z_-]{16,}",
    "a token of a chat": rb"\bxox[abeoprs]-[0-9A-Za-z-]{10,}",
    "a key of a service": rb"\b[sr]k[-_](?:live_|test_|proj-|ant-)?[0-9A-Za-z_-]{20,}|\b(?:npm|pypi)[_-][0-9A-Za-z_-]{30,}",
    "a signed token": rb"\beyJ[0-9A-Za-z_-]{8,500}\.eyJ[0-9A-Za-z_-]{8,5000}\.[0-9A-Za-z_-]",
    "a bearer token": rb"(?i)\b(?:bearer|basic)\s+[0-9a-z._~+/-]{16,}",
    "a password in an address": rb"://[^\s/@:]{0,100}:[^\s/@]{1,300}@",
    "a password of a netrc": (
        rb"(?i)\b(?:machine\s{1,20}\S{1,200}|default\s{1,20}login\s{1,20}\S{1,200})\s{1,20}"
        rb"(?:(?:login|account|port)\s{1,20}\S{1,200}\s{1,20}){0,3}password\s{1,20}\S"
    ),
    "a password of a pgpass": (
        rb"(?m)^(?:\\.|[^\s:\\#]){1,200}:(?:\d{1,5}|\*):(?!\d+:)"
        rb"(?:\\.|[^\s:\\]){1,100}:(?:\\.|[^\s:\\]){1,100}:(?:\\.|[^\s:\\]){1,200}\r?$"
    ),
    "a digest of a password": rb"(?m)^[^\s:]{1,100}:(?:\$(?:apr1|2[abxy]?|argon2i?d?|[156y])\$|\{S?SHA\})",
    "a value in an element that is named like a secret": rb"(?i)<" + NAMED + rb">\s{0,20}[^\s<]",
}
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _FORMATS.items())
_OPTION = re.compile(rb"--?" + NAMED, re.IGNORECASE)
_GIVEN = re.compile(rb"(?:^|[\s,;{&?\"'-])\"?" + NAMED + rb"\"?\s*[=:]\s*[^\s]", re.IGNORECASE)
_SET = re.compile(rb"(?:^|\s)[A-Z][A-Z0-9_]{0,60}_(?:KEY|PW|PWD)=[^\s]")
"""A variable as a shell or a file of variables sets it; in small letters `sort_key=` is nobody's."""
_JOINED = re.compile(rb"-p(?=[^\s=/:]{6,}\Z)(?=.*[A-Za-z])(?=.*[^A-Za-z._-]).*")
"""`-phunter2`: a password joined to its option, as far as it is no plain word, number or path."""
_USER = frozenset({b"-u", b"-U", b"--user", b"--proxy-user", b"--userpwd"})
_PAIR = re.compile(rb"(?!\d+:\d+\Z)[^\s:/]+:[^\s/]\S*")


def secret_in(step: Step) -> str | None:
    """What kind of secret the step seems to hold, without the secret; None when it seems to hold none.

    Known forms anywhere; a value under a name such as `password` or `API_TOKEN` in a variable, an option, or `name=value`. What has
    neither a form nor a name is not found: a password that is a plain word among others.
    """
    for text in _texts(step):
        for kind, pattern in _PATTERNS:
            if pattern.search(text):
                return kind
        if _GIVEN.search(text) or _SET.search(text):
            return "a value under the name of a secret"
    if any(text and private_variable(name) for name, text in step.env.items()):
        return "a variable that is named like a secret"
    return _in_options(step.argv)


def _in_options(words: Sequence[bytes]) -> str | None:
    for option, text in pairwise(words):
        if _OPTION.fullmatch(option) and text and not text.startswith(b"-"):
            return "a value of an option that is named like a secret"
        if option in _USER and _PAIR.fullmatch(text):
            return "a user with a password"
    return "a password joined to its option" if any(map(_JOINED.fullmatch, words)) else None


def _texts(step: Step) -> Iterator[bytes]:
    yield from step.argv
    if step.stdin is not None:
        yield step.stdin
    for text in step.env.values():
        yield text.encode("utf-8", "surrogateescape")
