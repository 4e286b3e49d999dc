"""Which commands a step runs, as far as its words tell."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from gate.domain import Step

_SHELLS = frozenset({"bash", "dash", "env", "ksh", "sh", "zsh"})
_SCRIPT_WORD = re.compile(r"[A-Za-z0-9_.+/-]+")


def command_words(step: Step) -> Iterator[str]:
    """The command of a step; of a shell also every word of its script, since any of them may be a command. None of no words."""
    if not step.argv:
        return
    first = os.fsdecode(step.argv[0])
    yield first
    if Path(first).name in _SHELLS:
        for argument in step.argv[1:]:
            yield from _SCRIPT_WORD.findall(os.fsdecode(argument))
