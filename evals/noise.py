"""Which differences are noise: decided from the two outputs alone, before a drafter sees anything. Never from a label or a flag."""

from __future__ import annotations

import re

_FRAME = re.compile(r'(File "[^"\n]*", )line \d+')
_WARNING = re.compile(r"(^|[\s\"'/])([^\s\"':]+\.py):\d+(?=: \w*Warning\b)", re.MULTILINE)


def settled(output: str) -> str:
    """The output without what depends on where a line stands in a source file, and without blanks at its end."""
    text = _FRAME.sub(r"\1line #", output)
    text = _WARNING.sub(r"\1\2:#", text)
    return text.rstrip()


def is_noise(old: str, new: str) -> bool:
    """Whether two outputs differ in nothing else."""
    return settled(old) == settled(new)
