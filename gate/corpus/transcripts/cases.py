"""Blocks of prompts as cases: each prompt becomes a step, or is refused, and what needs a refused one is refused with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gate.corpus.contents import case_complaint
from gate.corpus.transcripts.credentials import secret_in
from gate.corpus.transcripts.harmless import harmless
from gate.corpus.transcripts.invocation import invocation
from gate.corpus.transcripts.model import Block, Prompt, ReadFile, Reading, Refusal, UnreadError
from gate.domain import Case, CaseId, Step

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_STRAY = re.compile(r"[\ud800-\udfff]")
_NO_ID = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where blocks come from, and what is looked for in them."""

    file: str
    """As it is named in refusals."""
    label: str
    """As it is named in ids."""
    program: tuple[str, ...]
    read: ReadFile


def read_blocks(blocks: Sequence[Block], source: Source) -> Reading:
    """A case for each block that has a step, in order; its id is made from the label and the line of its first step."""
    cases: list[Case] = []
    refusals: list[Refusal] = []
    for block in blocks:
        steps: list[tuple[int, Step]] = []
        spoilt: int | None = None
        for prompt in block:
            try:
                if spoilt is not None and prompt.fault is None:
                    raise UnreadError(f"it comes after line {spoilt}, which is refused and may change what it finds")
                steps.append((prompt.line, _step(prompt, source)))
            except UnreadError as error:
                refusals.append(Refusal(file=source.file, line=prompt.line, reason=str(error)))
                if spoilt is None and prompt.fault is None and not harmless(prompt.text):
                    spoilt = prompt.line
        if steps:
            cases.append(Case(id=case_id(source.label, steps[0][0]), steps=tuple(step for _, step in steps)))
    return Reading(cases=tuple(cases), refusals=tuple(refusals))


def case_id(label: str, line: int) -> CaseId:
    """The id of the case whose first step stands in that line of the file: readable, and the same wherever it is imported.

    Of a label that is too long the end is kept.
    """
    end = f"-{line}"
    name = _NO_ID.sub("-", label)[-(_LONGEST - len(end)) :].lstrip(".-") or "transcript"
    return CaseId(name + end)


def _step(prompt: Prompt, source: Source) -> Step:
    if prompt.fault is not None:
        raise UnreadError(prompt.fault)
    step = prompt.step if prompt.step is not None else _typed(prompt.text, source)
    if secret := secret_in(step):
        raise UnreadError(f"it holds what looks like a secret: {secret}")
    if complaint := case_complaint(Case(id=CaseId("transcript"), steps=(step,))):
        raise UnreadError(ascii(complaint)[1:-1])
    return step


def _typed(text: str, source: Source) -> Step:
    if _STRAY.search(text):
        raise UnreadError("bytes that are no UTF-8")
    if control := _CONTROL.search(text):
        raise UnreadError(f"a control character (U+{ord(control[0]):04X})")
    return invocation(text, source.program, source.read)
