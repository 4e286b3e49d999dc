"""What every second draft of a frozen property's statement has to pass, whoever drafted it. Pure."""

from __future__ import annotations

import re

import msgspec

from auditor.drafting.checks import length_fault, shown_key, unclean
from auditor.drafting.checks_lengths import NOTE, QUOTED, SENTENCE, STATEMENT
from auditor.drafting.redact import PLACEHOLDER
from auditor.drafting.values import Drafted, Rejected, Wording
from auditor.drafting.words import instruction_like

_BEGINS = re.compile(
    r"(?:For|After|Before|When|Whenever|However|Whatever|In|On|If|With|Each|Every|All|Any|No|Neither|At)\b"
)
_WEAKER = re.compile(
    r"\b(?:usually|normally|mostly|most of the time|typically|often|sometimes|generally|approximately|roughly|nearly|almost"
    r"|(?:about|around) \d+|tolerance|tolerances|approx|retr(?:y|ies|ied)|within \d+ ?%|unless)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"[`$={}<>|\\@]|\w\(|://|\s--?\w")


def check_wording(draft: Drafted, source: str, ballots: str) -> Drafted:
    """The draft with its one valid wording, key `wording`; none, and the reason, where it breaks a rule. Further ones are rejected."""
    kept: list[Wording] = []
    rejected = list(draft.rejected)
    for item in draft.items:
        why = wording_fault(item, source, ballots) if isinstance(item, Wording) else f"got a {type(item).__name__}"
        why = why or ("expected one wording, this is one more" if kept else "")
        if why:
            rejected.append(Rejected(key="wording", why=why))
        elif isinstance(item, Wording):
            kept.append(item)
    missing = () if kept else ("wording",)
    return msgspec.structs.replace(draft, items=tuple(kept), rejected=tuple(rejected), missing=missing)


def wording_fault(item: Wording, source: str, ballots: str) -> str:
    """What is wrong with one wording; empty when nothing is."""
    return (
        _quote_fault("unclear", item.unclear, source, "the property's source")
        or _quote_fault("seen", item.seen, ballots, "the ballots")
        or ("seen: a line that speaks to whoever reads the ballots" if instruction_like(item.seen) else "")
        or length_fault("statement", item.statement, *STATEMENT)
        or _statement_fault(item.statement, source)
        or length_fault("difference", item.difference, *SENTENCE)
        or length_fault("question", item.question, *SENTENCE)
        or (
            "question: expected one question"
            if item.question.count("?") != 1 or not item.question.endswith("?")
            else ""
        )
        or (_note_fault(item.repair_note) if item.repair_note else "")
    )


def _note_fault(note: str) -> str:
    """What a person may hand to `gate repair --note` is one short line of words, without code and secrets."""
    if found := PLACEHOLDER.search(note):
        return f"repair_note: expected words without a secret, got {found[0]}"
    if found := _CODE.search(note):
        return f"repair_note: expected words alone, got code or a command: {shown_key(found[0])!r}"
    return length_fault("repair_note", note, *NOTE)


def _quote_fault(name: str, quote: str, text: str, where: str) -> str:
    if not QUOTED[0] <= len(quote.strip()) <= QUOTED[1]:
        return f"{name}: expected {QUOTED[0]} to {QUOTED[1]} characters, got {len(quote.strip())}"
    if quote not in text:
        return f"{name}: not in {where}, character for character: {shown_key(quote)!r}"
    return unclean(name, quote.replace("\n", " "))


def _statement_fault(statement: str, source: str) -> str:
    if not _BEGINS.match(statement):
        return 'statement: expected it to begin with what it holds for ("For every …", "After …")'
    weaker = [word for word in _WEAKER.findall(statement) if word.lower() not in source.lower()]
    return f"statement: {weaker[0]!r} makes it weaker, and the source does not say so" if weaker else ""
