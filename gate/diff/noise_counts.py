"""Numbers that say how many, or how something ended: what a noise rule has no business with."""

from __future__ import annotations

import re
from typing import Literal

Meaning = Literal["an exit code", "a count"]

PROBES: tuple[bytes, ...] = (
    b"3 files copied",
    b"exit_code=1",
    b"total: 7",
    b"2 errors, 5 warnings",
    b'{"count": 4}',
    b"exited with status 1",
)
"""Lines that any program may print one day; a rule for free text is tried on them, whatever the recorded traces hold."""

_NUMBER = re.compile(rb"[+-]?[0-9]+(?:[.,][0-9]+)*")
_ENDINGS = (
    rb"exit(?:ed)?(?:[ _-]?(?:code|status|with(?:[ _-](?:code|status))?))?|return(?:ed|[ _-]?code)?"
    rb"|status(?:[ _-]?code)?|rc|retcode|errno|signal"
)
_COUNTS = (
    rb"totals?|sum|count(?:ed|s)?|number|num|size|length|len|rows|lines|files|tests|cases|errors|failures|failed|passed|skipped|warnings"
    rb"|items|records|entries|bytes|hits|matches|found|changed|deleted|added|removed|copied|written|read|remaining|left|retries|attempts"
)
_BETWEEN = rb"[\"']?(?:[ \t]*[:=][ \t]*|[ \t]+(?:is |was |of )?)[\"']?"
_ENDING_BEFORE = re.compile(rb"(?i)(?:^|[^A-Za-z0-9])(?:%s)%s$" % (_ENDINGS, _BETWEEN))
_COUNT_BEFORE = re.compile(rb"(?i)(?:^|[^A-Za-z0-9])(?:%s)%s$" % (_COUNTS, _BETWEEN))
_NOUN = re.compile(rb"[ \t]+(?:of )?(?:[a-z]+ )?(?P<noun>[A-Za-z]+)\b")
_SINGULAR = frozenset(b"file line row test case error failure warning item record entry byte hit match time".split())
_PASSED = frozenset(b"passed failed skipped copied deleted added removed changed found written".split())
_NO_NOUN = frozenset(
    b"as is was has this its ms us ns s sec secs second seconds min mins minute minutes hour hours hrs day days week weeks month months "
    b"year years milliseconds microseconds nanoseconds msecs usecs always does process less pass ours yes plus vs".split()
)


def meaning(*, field: str, before: bytes, raw: bytes, after: bytes) -> Meaning | None:
    """What the number `raw` tells, by the words around it on its line; None where it is no whole number, or tells neither.

    A value that is a number and nothing else goes by the name of its field.
    """
    if not _NUMBER.fullmatch(raw) or before[-1:].isalnum() or after[:1].isalnum():
        return None
    named = before if before.strip() else field.encode() + b"="
    if _ENDING_BEFORE.search(named):
        return "an exit code"
    return "a count" if _COUNT_BEFORE.search(named) or _says_of_what(after) else None


def _says_of_what(after: bytes) -> bool:
    """`3 files`, `3 new files`, `1 file`, `3 passed`; but not `3 seconds`."""
    for match in (_NOUN.match(after), re.match(rb"[ \t]+(?P<noun>[A-Za-z]+)\b", after)):
        noun = match.group("noun").lower() if match else b""
        if noun in _SINGULAR or noun in _PASSED or (noun.endswith(b"s") and len(noun) > 2 and noun not in _NO_NOUN):
            return True
    return False
