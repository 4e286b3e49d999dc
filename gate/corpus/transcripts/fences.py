"""Markdown, and trycmd's `.trycmd`, which is Markdown: `$ ` lines inside fences. Each fence is a block."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gate.corpus.transcripts.model import Block, Prompt

_OPEN = re.compile(r"( {0,3}|\s*(?:[-*+]|\d+[.)])\s+|\s+)(`{3,}|~{3,})([^`]*)")
_NEXT_WORDS = re.compile(r"(?<!\\)\n")
_LOOKS = re.compile(r"[\s>]*\$ ")


def fence_blocks(lines: Sequence[str], *, shell: bool = True) -> tuple[Block, ...]:
    """A block for each fence that holds a prompt, and one for each `$ ` line outside of fences, which is a fault.

    `> ` right below a command goes on with it: in a shell as its next line, in trycmd as more words. A fence that is never closed makes
    all its prompts faults.
    """
    blocks: list[Block] = []
    at = 0
    while at < len(lines):
        opened = _OPEN.fullmatch(lines[at])
        if opened is None:
            if _LOOKS.match(lines[at]):
                blocks.append((Prompt(line=at + 1, fault="no command: it stands outside of a fence"),))
            at += 1
            continue
        end = _closing(lines, at + 1, opened[2])
        prompts = _prompts(lines, at + 1, min(end, len(lines)), indent=len(opened[1]))
        if end == len(lines):
            reason = f"the fence of line {at + 1} is never closed"
            prompts = [replace(prompt, fault=reason) for prompt in prompts]
        if not shell:
            prompts = [replace(prompt, text=_NEXT_WORDS.sub(" ", prompt.text)) for prompt in prompts]
        if prompts:
            blocks.append(tuple(prompts))
        at = end + 1
    return tuple(blocks)


def _closing(lines: Sequence[str], start: int, fence: str) -> int:
    """The index of the line that closes, or `len(lines)`."""
    for at in range(start, len(lines)):
        text = lines[at].strip()
        if len(text) >= len(fence) and text == fence[0] * len(text):
            return at
    return len(lines)


def _prompts(lines: Sequence[str], start: int, end: int, *, indent: int) -> list[Prompt]:
    prompts: list[Prompt] = []
    at = start
    while at < end:
        found, number = _LOOKS.match(lines[at]), at + 1
        text = _without(lines[at], indent)
        at += 1
        if text.startswith("$ "):
            typed = [text[2:]]
            while at < end and _goes_on(more := _without(lines[at], indent)):
                typed.append(more[2:])
                at += 1
            prompts.append(Prompt(line=number, text="\n".join(typed)))
        elif found:
            prompts.append(Prompt(line=number, fault="no command: something stands before the `$`"))
    return prompts


def _goes_on(text: str) -> bool:
    return text.startswith("> ") or text == ">"


def _without(line: str, indent: int) -> str:
    """The line without the indentation of its fence, as far as it has it."""
    blank = len(line) - len(line.lstrip(" \t"))
    return line[min(blank, indent) :]
