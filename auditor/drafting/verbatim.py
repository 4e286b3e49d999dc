"""Quotes as they stand in the text: a model repeats what it was shown, and its lines often have other breaks and indentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from auditor.drafting.checks_lengths import Length

_BLANK = re.compile(r"[ \t\r\n]+")
_BLANK_IN_LINE = re.compile(r"[ \t]+")


def as_it_stands(quote: str, text: str, length: Length, *, one_line: bool = False) -> str:
    """The first part of `text`, of an allowed `length`, that reads as `quote` does but for the amount of white space; else `quote`.

    Only blanks, tabs and line ends count as white space, and only where both have some: no word is joined or parted. On `one_line`, line
    ends are no white space. What is given back stands in the text letter for letter, so that every check that follows sees the text's own
    letters. A quote without a word stays, and so does one that has no allowed length itself. Time is linear in the text.
    """
    shortest, longest = length
    if quote in text or not shortest <= len(quote.strip()) <= longest:
        return quote
    blank = _BLANK_IN_LINE if one_line else _BLANK
    wanted = blank.sub(" ", quote.strip(" \t\r\n"))
    places = _places(wanted, text, blank) if wanted else iter(())
    return next((text[start:stop] for start, stop in places if shortest <= stop - start <= longest), quote)


def evened(text: str) -> str:
    """The words of `text` with one blank between them: equal for two texts that differ in white space alone."""
    return _BLANK.sub(" ", text).strip(" ")


def _places(wanted: str, text: str, blank: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where the words of `wanted` stand, from and to, in turn; places may overlap. It has single blanks, and none at its ends."""
    even = blank.sub(" ", text)
    at = even.find(wanted)
    if at < 0:
        return
    dropped = [0, *accumulate(len(run) - 1 for run in blank.findall(text))]
    inside, before, counted = wanted.count(" "), 0, 0
    while at >= 0:
        before, counted = before + even.count(" ", counted, at), at
        yield at + dropped[before], at + len(wanted) + dropped[before + inside]
        at = even.find(wanted, at + 1)
