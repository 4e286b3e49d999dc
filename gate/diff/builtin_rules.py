"""The noise rules that every comparison has: specific before general, in the order of `BUILTIN`. docs/noise.md tells them to people."""

from __future__ import annotations

import re

from gate.diff.matching import ALNUM, Matcher
from gate.diff.patterns import compile_pattern

_WORD = ALNUM | frozenset(b"_")


# Escape sequences. Their shape is the whole of them, so nothing is hidden: they are told apart from the text around them only so that
# `\x1b[32m12ms` holds a duration and not a word that ends in one.
_CSI = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[ -/]+[0-~]|[0-?@-Z\\-_])"


def _escape_shape(raw: bytes) -> str:
    text = raw[1:].decode("ascii")
    return "ESC" + "".join(f"\\x{ord(char):02x}" if char in ":<>\\" else char for char in text)


ANSI = Matcher(name="ansi", pattern=compile_pattern("ansi", _CSI), shape=_escape_shape)
"""Erases nothing: `<ansi+ESC[31m>` equals only itself."""

_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_CLOCK = r"\d{2}:\d{2}:\d{2}"
_FRACTION = r"(?:[.,]\d+)?"
_ZONE = r"(?:Z|z|[+-]\d{2}(?::?\d{2})?| (?:UTC|GMT|[+-]\d{2}:?\d{2}))?"
_TIMESTAMP = "|".join(
    (
        rf"\d{{4}}[-/]\d{{2}}[-/]\d{{2}}[Tt ]\d{{2}}:\d{{2}}(?::\d{{2}}{_FRACTION})?{_ZONE}",
        rf"\d{{8}}[Tt]\d{{6}}{_FRACTION}{_ZONE}",
        rf"(?:{_DAY}, )?\d{{1,2}} {_MONTH} \d{{4}} {_CLOCK}{_ZONE}",
        rf"(?:{_DAY} )?{_MONTH} [ \d]\d {_CLOCK}{_FRACTION}(?: (?:UTC|GMT))?(?: \d{{4}})?",
        rf"\d{{2}}/{_MONTH}/\d{{4}}:{_CLOCK} [+-]\d{{4}}",
        rf"{_CLOCK}{_FRACTION}{_ZONE}",
    )
)
_STAMP_END = re.compile(rb"(?<=\d)([.,]\d+)?(Z|z|[+-]\d{2}:?\d{2}|[+-]\d{2}| UTC| GMT| [+-]\d{2}:?\d{2})?\Z")
_ISO = "nn-nn-nnTnn.nn.nn"
_NAMES = (re.compile(_DAY), "ddd"), (re.compile(_MONTH), "mmm"), (re.compile(r"\d+| \d(?!\d)"), "nn")


def _timestamp_shape(raw: bytes) -> str:
    """`frac3+offset-04.00`: the digits of the fraction and the zone as written (`.` for `:`); a form other than RFC 3339's first."""
    end = _STAMP_END.search(raw)
    fraction, zone = (end.group(1) or b"", end.group(2) or b"") if end else (b"", b"")
    form = raw[: len(raw) - len(fraction) - len(zone)].decode("ascii")
    for pattern, name in _NAMES:
        form = pattern.sub(name, form)
    form = form.replace(":", ".")
    text = zone.decode("ascii").replace(":", ".")
    parts = (
        "" if form == _ISO else form,
        f"{'frac' if fraction[:1] == b'.' else 'comma'}{len(fraction) - 1}" if fraction else "",
        text if text[:1].isalpha() or not text else f"offset{text}",
    )
    return "+".join(part for part in parts if part)


_HEX = "[0-9A-Fa-f]"
_UUID = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"
_NIL = b"00000000-0000-0000-0000-000000000000"
_LONG_BEFORE = re.compile(rb"[0-9A-Fa-f]{9}[-_]\Z")
_LONG_AFTER = re.compile(rb"[-_][0-9A-Fa-f]{9}")


def _whole_uuid(text: bytes, start: int, end: int) -> bool:
    """Not the nil UUID, which means something, and not the middle of a longer id."""
    if text[start:end] == _NIL or _LONG_AFTER.match(text, end):
        return False
    return not _LONG_BEFORE.search(text[max(0, start - 10) : start])


def _letter_case(raw: bytes) -> str:
    return "upper" if raw != raw.lower() else ""


_PART = "[A-Za-z0-9_+@=~-]+"
_TMP_PATH = (
    rf"(?:/private)?(?:/tmp|/var/tmp|/var/folders/{_PART}/{_PART}/[TC])"
    rf"/(?:pytest-of-{_PART}/pytest-\d+|tmp\.[A-Za-z0-9]+|\.?{_PART})"
)
_TMP_NAME = r"tmp[a-z0-9_]{8}|\.tmp[A-Za-z0-9]{6}|tmp\.[A-Za-z0-9]{6,12}"

_PID = r'(?i)(?:\b|_)(?:p?pid|tid|pgid|process id|thread id)(?:"?[ \t]*[=:#][ \t]*|[ \t]+)(?P<noise>\d+)'

_NUMBER = r"\d+(?:[.,]\d+)*"
_HOURS = rf"{_NUMBER} ?(?:hours?|hrs?|h)\b"
_MINUTES = rf"{_NUMBER} ?(?:minutes?|mins?|m)\b"
_SECONDS = rf"{_NUMBER} ?(?:seconds?|secs?|s)\b"
_UNITS = r"(?:milliseconds?|microseconds?|nanoseconds?|msecs?|usecs?|ms|us|ns|\xc2\xb5s|\xce\xbcs)\b"
_BELOW = rf"{_NUMBER} ?{_UNITS}"
# Glued parts (`1m2s`) have no word boundary between them, so they stand in an alternative of their own.
_GLUED = rf"(?:{_NUMBER}h)?(?:{_NUMBER}m)?{_NUMBER}(?:ms|s|m)\b"
_DURATION = (
    rf"{_HOURS}(?:,? (?:and )?{_MINUTES})?(?:,? (?:and )?{_SECONDS})?"
    rf"|{_MINUTES}(?:,? (?:and )?{_SECONDS})?|{_SECONDS}|{_BELOW}|{_GLUED}"
)


def _rule(name: str, pattern: str, *, identity: bool = False, before: frozenset[int] = _WORD) -> Matcher:
    return Matcher(name=name, pattern=compile_pattern(name, pattern), identity=identity, before=before, after=_WORD)


BUILTIN: tuple[Matcher, ...] = (
    ANSI,
    Matcher(
        name="timestamp",
        pattern=compile_pattern("timestamp", _TIMESTAMP),
        before=ALNUM | frozenset(b":."),
        after=ALNUM | frozenset(b":"),
        shape=_timestamp_shape,
    ),
    Matcher(
        name="uuid",
        pattern=compile_pattern("uuid", _UUID),
        identity=True,
        before=ALNUM,
        after=ALNUM,
        accepts=_whole_uuid,
        shape=_letter_case,
        key=bytes.lower,
    ),
    _rule("address", rf"0[xX]{_HEX}{{6,16}}", identity=True),
    _rule("tmp-path", _TMP_PATH, identity=True, before=_WORD | frozenset(b".-")),
    _rule("tmp-name", _TMP_NAME, identity=True),
    _rule("pid", _PID, identity=True, before=frozenset()),
    Matcher(
        name="pid",
        pattern=compile_pattern("pid", r"^\d+$"),
        identity=True,
        fields=frozenset({"pid", "ppid", "tid", "pgid"}),
    ),
    _rule("duration", _DURATION, before=_WORD | frozenset(b".,")),
)
"""In order. Two of one name are one rule with two patterns."""
