"""Cram and prysk: `.t` files. One file is one shell in one directory, and so one block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gate.corpus.transcripts.model import Block, Prompt

_PROMPT = "  $ "
_MORE = "  > "
_LOOKS = re.compile(r"\s*\$ ")


def cram_blocks(lines: Sequence[str]) -> tuple[Block, ...]:
    """One block with the commands in order; everything that is no command is output or comment, and ignored.

    A line with `$ ` behind anything but two spaces is no command of the default indentation, and is a prompt with a fault.
    """
    return (tuple(_prompts(lines)),)


def _prompts(lines: Sequence[str]) -> Iterator[Prompt]:
    at = 0
    while at < len(lines):
        start = at
        at += 1
        if lines[start].startswith(_PROMPT):
            typed = [lines[start][len(_PROMPT) :]]
            while at < len(lines) and (lines[at].startswith(_MORE) or lines[at] == _MORE.rstrip()):
                typed.append(lines[at][len(_MORE) :])
                at += 1
            yield Prompt(line=start + 1, text="\n".join(typed))
        elif _LOOKS.match(lines[start]):
            yield Prompt(line=start + 1, fault="no command: one has exactly two spaces before the `$`")
