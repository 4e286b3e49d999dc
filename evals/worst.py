"""The samples that a reader should look at first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evals.document import Bullets, Paragraph, Words, bullets, code, say, strong
from evals.values import Row

WORST = 8
"""Samples that are listed of one task and variant."""
LONGEST = 240
"""Characters of a text that are shown."""


def is_wrong(row: Row) -> bool:
    """Whether the answer, or its form, is not as it should be."""
    return not row.scores.get("right", True) or row.scores.get("form kept") is False


def is_confident(row: Row) -> bool:
    """Whether a wrong answer leaves no way out: one was given, and what is right is not even among its second and third."""
    return row.answer != "missing" and not row.scores.get("among three", False)


def worst(rows: Sequence[Row]) -> list[Paragraph | Bullets]:
    """Wrong answers: dangerous ones, then confident ones, then the rest; among these in turn over the clusters, at most WORST."""
    wrong = [row for row in rows if is_wrong(row)]
    if not wrong:
        return [say("No answer was wrong.")]
    seen: Counter[tuple[str, int]] = Counter()
    turns = []
    for row in wrong:
        rank = 0 if row.scores.get("dangerous") else 1 if is_confident(row) else 2
        turns.append((rank, seen[row.cluster, rank]))
        seen[row.cluster, rank] += 1
    ranked = [row for _, row in sorted(zip(turns, wrong, strict=True), key=lambda pair: pair[0])]
    shown = ranked[:WORST]
    which = f"Worst samples, {len(shown)} of {len(wrong)} that are wrong"
    order = "dangerous ones first, then confident misses, in turn over the clusters:"
    return [say(f"{which}; {order}"), *bullets([line(row) for row in shown])]


def line(row: Row) -> Words:
    """One sample, its label, what it was called, and what it shows."""
    words: Words = (f"{_short(row.sample)}: {_short(row.label)}, called {_short(row.answer)}",)
    if row.scores.get("dangerous"):
        words += (" ", strong("dangerous"))
    elif is_wrong(row) and is_confident(row):
        words += (" (confident)",)
    return (*words, " ", code(_short(row.shown))) if row.shown else words


def _short(text: str) -> str:
    return text.strip() if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
