"""When two failing runs failed in the same way, and when at least at the same place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

from gate.diff.canonical import canonicalise
from gate.diff.findings import Canonical
from gate.diff.noise import Noise
from gate.domain import value
from gate.voting.ballots import Signature
from gate.voting.lines import Told

SHORTENED = re.compile(r"… \(\d+ characters, sha256:[0-9a-f]{64}\)\Z")
"""What the voter puts at the end of a text of which it tells the head alone."""

_HEAD_TOKENS = 1000
_VOLATILE = re.compile(
    rb"datetime\.(?:datetime|date|time|timedelta)\([^()]*\)"
    rb"|\b(?:id|pid|tid|fd|port|thread|native_id)\b\W{0,3}\d+"
    rb"|\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s?(?:ns|us|\xc2\xb5s|ms|s|sec|secs|seconds?|min|minutes?)\b"
    rb"|\b\d+\.\d{3,}(?:[eE][+-]?\d+)?\b|\b\d+(?:\.\d+)?[eE]-\d+\b"
    rb"|\b0[xX][0-9a-fA-F]+\b"
    rb"|\b\d{4,}(?:\.\d+)?\b"
    rb"|\b(?=[a-fA-F]*\d)[0-9a-fA-F]{4,}\b"
    rb"|\d{4,}",
)
_OWN = re.compile(rb"\bwhere (\d+) = (?:<built-in function )?(?:\w+\.)*(?:getpid|getppid|get_ident|get_native_id)\b")
_GAP = re.compile(rb"[\s,()\[\]{}]+")
_MARKERS = b"?^+-"
"""Of a diff: which lines are marked depends on which addresses look alike."""

Failures = Sequence[tuple[str, Told]]
"""Test ids and what the voter told of them."""


def signature(failures: Failures, noise: Noise) -> Signature:
    """What two failing runs have to share to be one failure. Addresses, paths and times are canonical, so they do not part them."""
    return tuple(sorted(_exactly(test, told, noise) for test, told in failures))


def places(failures: Failures, noise: Noise) -> Signature:
    """What two failing runs share that failed at the same place, with other values.

    Test, phase, exception, raising line and falsifying example count as they are. In a message long numbers, hexadecimal words, times,
    the marks of a diff and the order of words do not count. Where no line is known, the message counts as in `signature`.
    """
    return tuple(sorted(_loosely(test, told, noise) for test, told in failures))


def _exactly(test: str, told: Told, noise: Noise) -> tuple[str, ...]:
    message, example = _canonical((told.message, told.example), noise)
    return (test, told.phase, told.type, told.place, message.digest, example.digest)


def _loosely(test: str, told: Told, noise: Noise) -> tuple[str, ...]:
    # Each for itself: how many things the message names is no part of the example.
    (message,) = _canonical((SHORTENED.sub("", told.message),), noise)
    (example,) = _canonical((told.example,), noise)
    cut = SHORTENED.search(told.message) is not None
    said = _words(message, cut=cut) if told.place else _canonical((told.message,), noise)[0].digest
    return (test, told.phase, told.type, told.place, said, example.digest)


def _words(message: Canonical, *, cut: bool) -> str:
    """The digest of the words of a message that are not volatile, sorted. Of a cut one the first thousand."""
    text = b"".join(part if isinstance(part, bytes) else b"<~>" for part in message.tokens)
    for number in set(_OWN.findall(text)):  # in a sandbox they are small
        text = re.sub(rb"\b" + number + rb"\b", b"<~>", text)
    words = [word for word in _GAP.split(_VOLATILE.sub(b"<~>", text)) if word.strip(_MARKERS)]
    return sha256(b"\0".join(sorted(words[:_HEAD_TOKENS] if cut else words))).hexdigest()


def _canonical(texts: Sequence[str], noise: Noise) -> list[Canonical]:
    held = {str(number): value(text.encode("utf-8", "surrogatepass")) for number, text in enumerate(texts)}
    (row,) = canonicalise([("property", held)], noise)
    return list(row.values())
