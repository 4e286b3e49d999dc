"""What every set of hypotheses has to pass before anybody sees it, whoever drafted it. Pure; the draft of a model is hostile data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from auditor.drafting.checks import length_fault, shown_key, unclean
from auditor.drafting.checks_lengths import CLAIM, EVIDENCE, OUTCOME
from auditor.drafting.checks_suspects import suspect_in
from auditor.drafting.values import Drafted, Experiment, Failure, Hypothesis, Rejected
from auditor.drafting.verbatim import as_it_stands
from auditor.drafting.words import instruction_like

KEYS = ("h1", "h2", "h3")
"""Exactly three, in this order."""

LINES = 50
ROUND = 1_000
_FILE = re.compile(
    r"\b[\w./-]*\w\.(?:py|js|ts|go|rs|c|h|cpp|java|rb|sh|json|toml|ya?ml|cfg|ini|txt|log|db|lock|csv)\b(?!\.?\w)"
)
_CALL = re.compile(r"\b([A-Za-z_]\w*)\(\)")
_COUNTED = re.compile(r"\b(?:step|seed|line|case|run) #?\d+\b", re.IGNORECASE)


def check_hypotheses(draft: Drafted, failure: Failure, experiments: Sequence[Experiment]) -> Drafted:
    """The draft with its valid hypotheses in their order. Keys are `h1`, `h2`, … by place in the draft.

    A mechanism counts once: the second of one is rejected. What comes after three valid ones is rejected; what lacks to three is missing.
    A suspect that the material does not show is left out, which is told as demoted; its hypothesis stays.
    """
    kept: list[Hypothesis] = []
    rejected, demoted = list(draft.rejected), list(draft.demoted)
    for number, item in enumerate(draft.items, start=1):
        if not isinstance(item, Hypothesis):
            rejected.append(Rejected(key=f"h{number}", why=f"got a {type(item).__name__}"))
            continue
        told = _as_recorded(item, failure.log)
        if why := _fault(told, failure, experiments) or _too_many(told, kept):
            rejected.append(Rejected(key=f"h{number}", why=why))
            continue
        suspect = suspect_in(told.suspect, failure)
        if told.suspect and suspect is None:
            demoted.append(Rejected(key=f"h{number}", why=_left_out(told.suspect)))
        kept.append(msgspec.structs.replace(told, suspect=suspect))
    missing = KEYS[len(kept) :]
    return msgspec.structs.replace(
        draft, items=tuple(kept), rejected=tuple(rejected), demoted=tuple(demoted), missing=missing
    )


def _left_out(suspect: str) -> str:
    return f"its suspect {shown_key(suspect)!r} is no file or function that the failure shows, and is left out"


def _too_many(item: Hypothesis, kept: Sequence[Hypothesis]) -> str:
    if item.mechanism in {other.mechanism for other in kept}:
        return f"expected another mechanism than {item.mechanism}, which is taken"
    return f"expected exactly {len(KEYS)} hypotheses, this is one more" if len(kept) == len(KEYS) else ""


def hypothesis_fault(item: Hypothesis, failure: Failure, experiments: Sequence[Experiment]) -> str:
    """What is wrong with one hypothesis, taken alone; empty when nothing is. Its evidence may have other blanks and tabs than the log."""
    return _fault(_as_recorded(item, failure.log), failure, experiments)


def _as_recorded(item: Hypothesis, log: str) -> Hypothesis:
    """The hypothesis with its evidence as it stands in a line of the log, where only blanks and tabs differ."""
    return msgspec.structs.replace(item, evidence=as_it_stands(item.evidence, log, EVIDENCE, one_line=True))


def _fault(item: Hypothesis, failure: Failure, experiments: Sequence[Experiment]) -> str:
    offered = {one.id for one in experiments}
    if item.experiment not in offered:
        return f"expected one of the experiments {', '.join(sorted(offered)) or '(none)'}, got {shown_key(item.experiment)!r}"
    return evidence_fault(item.evidence, failure.log) or _said_fault(item) or _invented(item, failure, experiments)


def evidence_fault(evidence: str, log: str) -> str:
    """What is wrong with a piece of evidence; empty when it is one line of the log, or a part of one."""
    if why := length_fault("evidence", evidence.strip(), *EVIDENCE) or unclean("evidence", evidence):
        return why
    if evidence not in log:
        return f"its evidence is in no line of the log: {shown_key(evidence)!r}"
    if any(instruction_like(line) for line in _lines_with(evidence, log)):
        return "its evidence is a line that speaks to whoever reads the log"
    return ""


def _lines_with(evidence: str, log: str) -> Iterator[str]:
    """The first lines that hold the evidence, each once; of a long line what stands round it."""
    told: set[str] = set()
    at = log.find(evidence)
    while at >= 0 and len(told) < LINES:
        start = max(log.rfind("\n", 0, at) + 1, at - ROUND)
        stop = log.find("\n", at)
        line = log[start : min(stop if stop >= 0 else len(log), at + len(evidence) + ROUND)]
        if line not in told:
            told.add(line)
            yield line
        at = log.find(evidence, at + len(evidence))


def _said_fault(item: Hypothesis) -> str:
    if why := length_fault("claim", item.claim, *CLAIM):
        return why
    for name, text in (("if_true", item.if_true), ("if_false", item.if_false)):
        if why := length_fault(name, text, *OUTCOME):
            return why
    same = item.if_true.strip().lower() == item.if_false.strip().lower()
    return "its two outcomes are the same, so the experiment tells nothing apart" if same else ""


def _invented(item: Hypothesis, failure: Failure, experiments: Sequence[Experiment]) -> str:
    """The first file, function, step or seed that the words name and the material does not (reported fault 130)."""
    material = "\n".join([failure.subject, failure.log, *failure.sources, *(one.words for one in experiments)])
    for text in (item.claim, item.if_true, item.if_false):
        named = [*_FILE.findall(text), *_CALL.findall(text), *_COUNTED.findall(text)]
        if absent := [name for name in named if name.lower() not in material.lower()]:
            return f"it names {shown_key(absent[0])!r}, which the material does not"
    return ""
