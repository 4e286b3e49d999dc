"""What the drawing process is asked and what it answers, as JSON."""

from __future__ import annotations

import msgspec

from gate.corpus.grammar import Grammar


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Draw `cases` distinct cases from a checked grammar."""

    grammar: Grammar
    seed: int
    cases: int


class DrawnStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One step as it was drawn: text, without NUL in its words."""

    argv: tuple[str, ...]
    stdin: str | None = None


class DrawnCase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One case as it was drawn, and the tags of what it covers, sorted."""

    steps: tuple[DrawnStep, ...]
    covers: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    """Which option reads which input: an entry each, sorted. By this cases are chosen; no corpus keeps it."""


class Reply(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The distinct cases that were chosen, in the order in which they were chosen."""

    hypothesis: str
    """The version that drew them."""
    cases: tuple[DrawnCase, ...]
    examples: int
    """How many examples were drawn in all."""
    distinct: int
    """How many of them were left when the duplicates were removed: what the cases were chosen from."""
