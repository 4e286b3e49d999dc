"""How long the texts of a draft are, in characters, least and most: for the schema that is sent, and for the checks of what comes back.

Where a prompt names a length, it is one of these.
"""

from __future__ import annotations

Length = tuple[int, int]

REASON: Length = (30, 160)
QUOTE: Length = (0, 400)
SHORTEST_QUOTE = 6
"""What a quote needs to name a change; a shorter one supports nothing."""
EXCERPT: Length = (0, 80)
"""Of an old or new value; of an example of a golden trace, too."""

EVIDENCE: Length = (8, 300)
CLAIM: Length = (30, 200)
OUTCOME: Length = (8, 200)
SUSPECT: Length = (0, 120)

QUOTED: Length = (3, 400)
"""A quote of a property's source or of its ballots."""
STATEMENT: Length = (40, 300)
SENTENCE: Length = (8, 300)
NOTE: Length = (20, 200)
"""Of a note for the repair: it may end up in a file that people commit."""
