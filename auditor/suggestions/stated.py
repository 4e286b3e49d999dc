"""The stated intent of a draft, read again: from its file, or from the messages of its commits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from auditor.suggestions.model import AnySuggestion, Input
from auditor.suggestions.stale import digest_of, text_as_it_was
from gate import api

_COMMIT = re.compile(r"commit:([0-9a-f]{40}|[0-9a-f]{64})")
_SHORT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What the draft was held against, byte for byte."""

    text: str
    where: str
    """`INTENT.md`, `the messages of 0123456789..89abcdef01`: somebody wrote that, it may be the patch."""


def commit_inputs(project_root: Path, base: str, head: str) -> tuple[Input, Input]:
    """Two commits as inputs, so that their messages can be read again. Raises GateError for names of no commit."""
    found = {"base": api.commit(project_root, base), "head": api.commit(project_root, head)}
    return (
        Input(name="base", digest=f"commit:{found['base']}"),
        Input(name="head", digest=f"commit:{found['head']}"),
    )


def stated_again(suggestion: AnySuggestion, project_root: Path) -> Stated | None:
    """The intent that the draft names, where it reads as it did. None: given as text, changed, gone, named twice, or not at hand."""
    named: dict[str, list[Input]] = {}
    for given in suggestion.provenance.inputs:
        named.setdefault(given.name, []).append(given)
    if len(named.get("intent", ())) != 1:
        return None
    (intent,) = named["intent"]
    if intent.path is not None:
        text = text_as_it_was(intent, project_root)
        return None if text is None else Stated(text=text, where=intent.path)
    ids = [_COMMIT.fullmatch(given.digest) for name in ("base", "head") for given in named.get(name, ())]
    return _of_commits(intent, [found[1] for found in ids if found], project_root)


def _of_commits(intent: Input, ids: list[str], project_root: Path) -> Stated | None:
    if len(ids) != 2:
        return None
    base, head = ids
    try:
        text = api.intent(project_root, base, head)
    except api.GateError:
        return None
    where = f"the messages of {base[:_SHORT]}..{head[:_SHORT]}"
    return Stated(text=text, where=where) if digest_of(text.encode("utf-8")) == intent.digest else None
