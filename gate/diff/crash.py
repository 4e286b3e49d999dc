"""How a crash or a hang looks: in the field that tells how a step ended, and in what a program prints."""

from __future__ import annotations

import re

from gate.diff.findings import Canonical

_ENDINGS = re.compile(rb"signal .+|timeout|overflow|cannot start\b.*|-\d+", re.DOTALL)
_TRACES = re.compile(
    rb"^(?:[ \t+|]*(?:Exception Group )?Traceback \(most recent call last\):"  # Python
    rb"|Fatal Python error: |Segmentation fault\b"
    rb"|thread '[^'\n]*' (?:\(\d+\) )?panicked at "  # Rust
    rb"|goroutine \d+ \[[^\]\n]*\]:"  # Go
    rb"|Exception in thread \""  # Java
    rb"|[ \t]+at [^\n]*:\d+:\d+\)?\r?$)",  # JavaScript
    re.MULTILINE,
)


def is_crash(status: Canonical | None) -> bool:
    """Whether a step ended by a signal, at a limit, or did not start. A negative number is a signal, as Python's subprocess tells it."""
    return status is not None and _ENDINGS.fullmatch(status.text) is not None


def breaks_down(old: Canonical | None, new: Canonical | None) -> bool:
    """Whether the new text has a traceback and the old one has none, or only the new one was stopped at the hard limit."""
    if new is None:
        return False
    if new.overflow:
        return old is None or not old.overflow
    return _TRACES.search(new.text) is not None and (old is None or _TRACES.search(old.text) is None)
