"""What a line of a log is, before it is asked what it suggests: its stamp, a stack's frame, something told in passing."""

from __future__ import annotations

import re

_STAMP = re.compile(
    r"\W{0,2}(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?\s+"
    r"|\W{0,2}\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\]?\s+"
)
"""RFC 3339 and the forms that loggers write at the head of a line."""

_FRAME = re.compile(r'\s*(?:at [\w.$<>/ \[\]]{1,200}\(|File "[^"]{1,300}", line \d+|\.\.\. \d+ (?:more|common frames))')
"""Of Java and JavaScript, of Python."""

_PROGRESS = re.compile(
    r"\W{0,3}(?:INFO|DEBUG|TRACE|NOTICE)\b|##\[(?:warning|group|debug|command)\]"
    r"|::(?:warning|debug|notice|group)|Warning: |Failed to (?:save|restore): |Unable to reserve cache"
    r"|\[WARN(?:ING)?\]|npm (?:WARN|warn|notice)\b"
    r"|(?:Using cached|Download(?:ing|ed)|Collecting"
    r"|Requirement already satisfied|Cache (?:hit|restored|saved|not found)"
    r"|Restor(?:ed|ing)|Get:\d|Fetched|Pulling|Unpacking|Preparing|Setting up|Installing)\b"
)
"""Levels below an error, as loggers, Maven and CI write them; what installers say while all is well; what is said of a
cache of CI, which fails no job."""

_COMPLAINT = re.compile(
    r"[Ee]rror|ERR(?:OR)?\b|[Ff]ail|FAIL|[Ff]atal|FATAL|[Ee]xception|[Aa]ssert|[Pp]anic|[Cc]annot"
    r"|[Cc]ould not|[Uu]nable|[Tt]imed ?out|[Aa]bort|[Ii]nvalid|^E {2,}|\b(?:un)?expected\b"
)


def told_from(line: str) -> int:
    """Where a line begins past the time at which it was written; 0 where it has none, or nothing else."""
    stamp = _STAMP.match(line)
    return stamp.end() if stamp and stamp.end() < len(line) else 0


def is_frame(line: str) -> bool:
    """Whether it is a frame of a stack: where something was, and not why."""
    return _FRAME.match(line) is not None


def is_progress(line: str, start: int) -> bool:
    """Whether its own tool marks it, from `start` on, as less than an error."""
    return _PROGRESS.match(line, start) is not None


def is_complaint(line: str, start: int) -> bool:
    """Whether it says from `start` on that something is wrong."""
    return _COMPLAINT.search(line, start) is not None
