"""What a transcript holds: blocks of prompts; and what is made of it: cases, and lines that are refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gate.domain import Case, Step

ReadFile = Callable[[str], bytes | None]
"""The content of a file of the working directory as a case finds it at its start; None where there is none."""


class UnreadError(ValueError):
    """A line cannot become a step; the text says why, in printable characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One command of a transcript."""

    line: int
    """From 1."""
    text: str = ""
    """As typed, continuation lines joined by line feeds; bytes that are no UTF-8 are lone surrogates."""
    step: Step | None = None
    """The invocation itself, where the file holds words and no line of a shell; `text` then says nothing."""
    fault: str | None = None
    """Why this is not taken for a command at all, though it looks like one. Nothing depends on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A command that was not imported."""

    file: str
    line: int
    reason: str
    """In printable characters; never holds what looks like a secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one file gave: every prompt of it is a step of a case or a refusal."""

    cases: tuple[Case, ...]
    refusals: tuple[Refusal, ...]


Block = tuple[Prompt, ...]
"""The commands that run one after the other in one place: at most one case."""
