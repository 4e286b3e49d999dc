"""Which commands a step runs, as far as its words tell."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from gate.domain import Case, CaseId, Step
from gate.errors import ReplayError

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


def require_words(prefix: Sequence[str], cases: Iterable[Case]) -> None:
    """Raise ReplayError for the first step that has no word where `prefix`, the words of `program.argv`, has none either."""
    if prefix:
        return
    for case in cases:
        for number, step in enumerate(case.steps, start=1):
            if not step.argv:
                raise nothing_to_start(case.id, number)


def nothing_to_start(case: CaseId, number: int) -> ReplayError:
    """The error of a step that names no program."""
    return ReplayError(
        f"case {case}, step {number}: expected a word, got none, and program.argv of gate.toml has none either",
        next_step="Name the program in program.argv, or give the step words.",
    )
