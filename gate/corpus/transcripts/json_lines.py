"""JSON Lines: `{"argv": […], "stdin": "…", "env": {…}}`, the program's own name first in `argv`. Each line is a block."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.corpus.format import strict_line
from gate.corpus.lines import StepLine
from gate.corpus.transcripts.invocation import shown
from gate.corpus.transcripts.model import Block, Prompt
from gate.corpus.transcripts.plain_text import checked
from gate.domain import Step
from gate.octets import from_wire

_HALF = re.compile(rb"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]")


def json_blocks(data: bytes, *, name: str, program: Sequence[str]) -> tuple[Block, ...]:
    """A block for each line that is not blank. Raises CorpusError as `checked`; a line that is no invocation is a fault."""
    lines = checked(data, name=name).split(b"\n")
    return tuple((_prompt(line, number, program),) for number, line in enumerate(lines, start=1) if line.strip())


def _prompt(line: bytes, number: int, program: Sequence[str]) -> Prompt:
    try:
        read = strict_line(line, StepLine)
        words = [from_wire(word) for word in read.argv]
        stdin = from_wire(read.stdin) if read.stdin is not None else None
    except (ValueError, RecursionError) as error:
        if _HALF.search(line):
            return Prompt(
                line=number, fault='half of a surrogate pair, which no text holds; bytes are written as {"b64": "…"}'
            )
        return Prompt(line=number, fault=f"no object with `argv`: {ascii(str(error))[1:-1][:200]}")
    own = [word.encode("utf-8", "surrogateescape") for word in program]
    if words[: len(own)] != own:
        named = words[0].decode("utf-8", "backslashreplace") if words else ""
        return Prompt(line=number, fault=f"another command: {shown(named)}")
    return Prompt(line=number, step=Step(argv=tuple(words[len(own) :]), stdin=stdin or None, env=read.env))
