"""Whether a step holds what looks like a secret: such a step must not be copied into a file that is committed."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
}
_NAMED = (
    rb"(?:[a-z0-9_-]{0,40}[_-])?(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|credentials?|auth)"
    rb"(?:[_-][a-z0-9_-]{1,40})?"
)
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _FORMATS.items())
_NAME = re.compile(_NAMED, re.IGNORECASE)
_OPTION = re.compile(rb"--?(" + _NAMED + rb")", re.IGNORECASE)
_GIVEN = re.compile(rb"(?:^|[\s,;{&?\"'-])\"?" + _NAMED + rb"\"?\s*[=:]\s*[^\s]", re.IGNORECASE)


def secret_in(step: Step) -> str | None:
    """What kind of secret the step seems to hold, without the secret; None when it seems to hold none.

    Known forms anywhere; a value under a name such as `password` or `API_TOKEN` in a variable, an option, or `name=value`.
    """
    for text in _texts(step):
        for kind, pattern in _PATTERNS:
            if pattern.search(text):
                return kind
        if _GIVEN.search(text):
            return "a value under the name of a secret"
    for option, text in zip(step.argv, step.argv[1:], strict=False):
        if _OPTION.fullmatch(option) and text and not text.startswith(b"-"):
            return "a value of an option that is named like a secret"
    if any(text and _NAME.fullmatch(name.encode("utf-8", "surrogateescape")) for name, text in step.env.items()):
        return "a variable that is named like a secret"
    return None


def _texts(step: Step) -> Iterator[bytes]:
    yield from step.argv
    if step.stdin is not None:
        yield step.stdin
    for text in step.env.values():
        yield text.encode("utf-8", "surrogateescape")
