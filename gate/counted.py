"""A number with its noun."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """`1 step`, `2 steps`: of nouns that end in an s when there are several."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
