"""Whether a file or function that a hypothesis suspects is one that the failure shows. Pure; a suspect of a model is hostile data."""

from __future__ import annotations

import re

from auditor.drafting.checks_lengths import SUSPECT
from auditor.drafting.values import Failure
from auditor.drafting.words import has_hidden

_LINE = re.compile(r"(?::\d+|\(\))$")
_NAME = re.compile(r"(?:\.{0,2}/)*[\w.-]+(?:/[\w.-]+)*")
_PLAIN = re.compile(r"[A-Za-z]+")


def suspect_in(said: str | None, failure: Failure) -> str | None:
    """The suspect as the failure has it: the path of a source, or a name that stands in the log. None for what is not shown.

    `push.py:12` counts as `push.py`, `push_all()` as `push_all`. A word without `_`, `.`, `/` or a digit could be any word of the log, so
    it has to stand there as a function does: defined, called, or the place of a frame.
    """
    name = _LINE.sub("", (said or "").strip())
    if not name or len(name) > SUSPECT[1] or has_hidden(name) or not _NAME.fullmatch(name):
        return None
    for source in failure.sources:
        if source == name or source.endswith(f"/{name}"):
            return source
    word = re.escape(name)
    as_function = rf"\b(?:def|class) {word}\b|\b{word}\(|\bin {word}$"
    shown = as_function if _PLAIN.fullmatch(name) else rf"(?<![\w./-]){word}(?![\w/-]|\.\w)"
    return name if re.search(shown, failure.log, re.MULTILINE) and re.search("[A-Za-z]", name) else None


_FRAME = re.compile(
    r"^(?P<path>[\w./-]+\.\w{1,4}):\d+: in \w|^ *File \"?(?P<file>[^\"\n]{1,100}?)\"?, line \d+", re.MULTILINE
)
_TEST = re.compile(r"^test (?P<name>\w{3,100})$", re.MULTILINE)
_CHECKS = re.compile(r"(?:^|/)(?:properties|tests?)/|(?:^|/)test_\w+\.py$")


def code_in(failure: Failure) -> str | None:
    """The innermost file of the program in a traceback of the log, as it is named there; None where only checks are named, or nothing."""
    paths = [found["path"] or found["file"] for found in _FRAME.finditer(failure.log)]
    return next((path for path in reversed(paths) if not _CHECKS.search(path)), None)


def check_in(failure: Failure) -> str | None:
    """The test that failed, where the log names one."""
    found = _TEST.search(failure.log)
    return found["name"] if found else None
