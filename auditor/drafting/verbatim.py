"""Quotes as they stand in the text: a model repeats what it was shown, and its lines often have other breaks and indentation."""

from __future__ import annotations

import re

_BLANK = re.compile(r"[ \t\r\n]+")
_LONGEST = 1_000
"""Characters of a quote that is looked for; the checks allow fewer."""


def as_it_stands(quote: str, text: str) -> str:
    """The first part of `text` that reads as `quote` does but for the amount of white space; `quote` itself where there is none.

    Only blanks, tabs and line ends count as white space, and only where both have some: no word is joined or parted. What is given back
    stands in the text letter for letter, so that every check that follows sees the text's own letters. A quote without a word stays.
    """
    if quote in text or len(quote) > _LONGEST:
        return quote
    words = [re.escape(word) for word in _BLANK.split(quote) if word]
    if not words:
        return quote
    found = re.search(r"[ \t\r\n]+".join(words), text)
    return quote if found is None else found[0]
