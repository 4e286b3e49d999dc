"""What a draft's command prints of a suggestion."""

from __future__ import annotations

import msgspec
from drafts import classified, group, policy_draft

from auditor.cli.drafted import lines_of
from auditor.drafting.values import Rejected


def test_what_is_not_the_whole_answer_is_told_after_the_items():
    """As `auditor review` tells it: what the drafter did not see, what claimed more, what was not taken, what is missing."""
    made = policy_draft((group(1), classified(1)))
    held = msgspec.structs.replace(
        made,
        cuts=("9 bytes of the intent were not shown\x1b[2J",),
        demoted=(Rejected(key="d1", why="the quote is the program's output"),),
        rejected=(Rejected(key="d2", why="no such group was asked about"),),
        missing=("d3",),
    )
    assert list(lines_of(held)) == [
        *lines_of(made),
        "the drafter was not shown: 9 bytes of the intent were not shown\\x1b[2J",
        "demoted: d1: the quote is the program's output",
        "not taken: d2: no such group was asked about",
        "not drafted: d3",
    ]
