"""Whether a quote stands in a text of a data set, where the drafter was shown that text redacted and escaped."""

from __future__ import annotations

from auditor.drafting.fence import visible
from auditor.drafting.redact import PLACEHOLDER


def stands_in(quote: str, text: str) -> bool:
    """Letter for letter, in the text as it is or as it was shown; a placeholder of a secret stands for any letters."""
    if quote in text:
        return True
    shown = visible(text)
    return _in_turn(quote, shown) or _in_turn(visible(quote), shown)


def _in_turn(quote: str, text: str) -> bool:
    at = 0
    for piece in PLACEHOLDER.sub("\0", quote).split("\0"):
        found = text.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True
