"""The sentences of a stated intent: where each one stands, which commands it is about, and what it affirms or denies of each."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import zip_longest
from typing import NamedTuple

from auditor.drafting.fence import visible
from auditor.drafting.offline_clauses import (
    Clause,
    clauses_of,
    coordinated,
    named_in,
    names,
    names_by_removal,
    part_of_a_name,
    polarised,
    spoken_of,
)
from auditor.drafting.offline_layout import Span, spans
from auditor.drafting.offline_vocabulary import (
    heading_fault,
    is_crossed,
    is_foreign,
    label_fault,
    says_only_no,
    takes_back,
)
from auditor.drafting.words import Word, instruction_like, stem, words


class Facts(NamedTuple):
    """What a sentence says about one command. Concepts as in words.py."""

    command: str
    affirmed: frozenset[str]
    denied: frozenset[str]
    """Under a negation, or said of the time before the patch."""
    options: frozenset[str]
    """Options that the sentence names, `--all`."""
    said: tuple[Word, ...]
    """Every word that has to be accounted for: what it says of the command, and what comes before it."""
    own: bool
    """Whether it names the command itself, and not only every command."""


class Sentence(NamedTuple):
    """One sentence, bullet point or commit subject."""

    text: str
    """Verbatim from the intent."""
    start: int
    clauses: tuple[Clause, ...]
    dismissed: str
    """Why it supports nothing: it plans, it says that something stays, it speaks to the classifier.

    Empty when it may support, and where it speaks of no command.
    """

    @property
    def commands(self) -> frozenset[str]:
        """The commands that any of its clauses is about."""
        return frozenset[str]().union(*(clause.commands for clause in self.clauses))

    def facts(self, command: str) -> Facts:
        """What it says about a command; all empty where it does not name it."""
        affirmed: set[str] = set()
        denied: set[str] = set()
        said: list[Word] = []
        past = named = False
        told = [clause for clause in self.clauses if not _explains(clause)]
        for clause, following in zip_longest(told, told[1:]):
            about = command in clause.commands
            for word, negated in polarised(clause.words, past=past, removes=not names_by_removal(clause, command)):
                if about or (not clause.commands and word.concept in CONDITIONS):
                    (denied if negated else affirmed).add(word.concept)
            leads_up = following is not None and following.joint == "so that"
            if about or not (clause.commands or leads_up):
                beside = coordinated(clause.words, command)
                said += [
                    word for word in clause.words if word not in beside and not part_of_a_name(word, clause.commands)
                ]
            named = named or (about and bool(named_in(clause.words, (command,))))
            past = len(clause.words) <= 4 and any(word.concept == "before" for word in clause.words)
        options = {word.text for clause in self.clauses for word in clause.words if word.text.startswith("-")}
        return Facts(command, frozenset(affirmed), frozenset(denied), frozenset(options), tuple(said), named)


_PREFIX = re.compile(
    r"(?P<kind>feat|fix|docs?|style|refactor|perf|tests?|build|ci|chore|revert)(?:\((?P<scope>[^)]*)\))?!?: +",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"[^:]{1,80}(?=:)")
_QUOTED = re.compile(
    "\"[^\"]+\"|\u201c[^\u201d]+\u201d|\u201e[^\u201c]+\u201c|\u00ab[^\u00bb]+\u00bb|(?<!\\w)'[^']+'(?!\\w)"
)
_STORY = re.compile(r"As an? [\w -]{1,30},? (?=I want )", re.IGNORECASE)
_REFERENCE = re.compile(
    r"[ ,;(]*(?:(?:see|closes?|fixes|fix|refs?|issue|pr|for) +)?(?:#\d+|[A-Z]{2,}-\d+)\)?\Z", re.IGNORECASE
)
_NO_BEHAVIOUR = re.compile(r"(?:docs?|style|refactor|tests?|build|ci|chore|revert)", re.IGNORECASE)
CONDITIONS = frozenset({"missing", "empty", "duplicate", "unknown", "invalid", "negativ", "larg", "long"})
"""What may be the matter with an argument: a sentence about one says nothing about another."""

_FIXES = re.compile(r"\bfix(?:e[ds])?\b", re.IGNORECASE)
_ASKS = {"is", "are", "does", "should", "shall", "will", "has"}
_DOUBTED = {"idempotent", "succeed", "fail", "sort"}
_REST = {
    *["and", "but", "no", "nothing", "other", "else", "is", "are", "was", "command", "commands", "behaviour", "output"],
    *["change", "changes", "changed", "meant", "to"],
}
_NEWS = {"now", "must", "should", "shall", "will", "make", "makes", "let", "lets", "idempotent"}

READ = 50_000
"""Characters of an intent that are read; what comes after them supports nothing."""

LONGEST = 1_000
"""Characters of a sentence; a longer one is no sentence."""

_STAYS = {stem(word) for word in ("keep", "preserve", "stay", "remain", "still", "unchanged", "untouched")}
_CHANGES = {stem(word) for word in ("change", "affect", "alter", "touch", "differ", "modify")}


def sentences(intent: str, commands: Collection[str]) -> tuple[Sentence, ...]:
    """The sentences of an intent, in order; `commands` are the command words that can be spoken of.

    Comments in HTML, what is struck out, fenced code, tables, quoted lines (`>`) and trailers hold none. Nothing is read past
    50,000 characters: a sentence that goes on there is none.
    """
    read = intent[:READ]
    every = [span for span in spans(read) if span.end < READ or len(intent) <= READ]
    return tuple(
        _sentence(intent, span, following, commands)
        for span, following in zip_longest(every, every[1:])
        if span.end - span.start <= LONGEST
    )


def _sentence(intent: str, span: Span, following: Span | None, commands: Collection[str]) -> Sentence:
    text = intent[span.start : span.end]
    prefix = _PREFIX.match(text)
    label = _label(text, prefix, commands)
    clauses = tuple(clauses_of(_REFERENCE.sub("", text), _begins(text, prefix, label, commands), commands))
    if not any(clause.commands for clause in clauses):
        return Sentence(text, span.start, clauses, "")
    after = intent[following.start : following.end] if following and following.block == span.block else ""
    asked = intent[span.end : span.end + 1] == "?"
    kind = prefix["kind"].lower() if prefix else ""
    why = _set_aside(text, span, asked=asked, after=after, commands=commands)
    return Sentence(text, span.start, clauses, why or _dismissed(text, kind, label, clauses, commands))


def _label(text: str, prefix: re.Match[str] | None, commands: Collection[str]) -> str:
    """What stands before the first colon, past a commit's prefix, and names no command."""
    found = _LABELLED.match(text, prefix.end() if prefix else 0)
    if found is None or names(found[0], commands) or any(word.concept == "everywhere" for word in words(found[0])):
        return ""
    return found[0]


def _begins(text: str, prefix: re.Match[str] | None, label: str, commands: Collection[str]) -> int:
    """Where the words of a sentence begin: past its label, its `feat:`, its `As a user`; the scope of a prefix may be a command."""
    if story := _STORY.match(text):
        return story.end()
    if prefix and prefix["scope"] and spoken_of(words(prefix["scope"]), commands):
        return prefix.start("scope")
    return (prefix.end() if prefix else 0) + len(label)


def _explains(clause: Clause) -> bool:
    """Whether it gives a reason or a purpose, or says that nothing else changes; that is nothing of what a command does."""
    if {"else", "other"} & {word.text for word in clause.words} and all(word.text in _REST for word in clause.words):
        return True
    purpose = clause.joint == "so that" and not named_in(clause.words, tuple(clause.commands))
    return clause.joint == "because" or (purpose and clause.words[0].text != "it")


def _set_aside(text: str, span: Span, *, asked: bool, after: str, commands: Collection[str]) -> str:
    """Why its place in the text takes from a sentence; empty when nothing does."""
    if span.box == "[ ] ":
        return "it ticks no box"
    if asked:
        return "it plans or asks"
    for over in span.over:
        announces = over.rstrip(" *_").endswith(":") and not names(over, commands)
        fault = label_fault(over) if announces else heading_fault(over, names=names(over, commands))
        if fault:
            return f'it stands under "{_short(over)}"'
        if _FIXES.search(over) and _as_it_is(words(text)):
            return "it may tell the fault that is fixed"
    return f'"{_short(after)}" takes it back' if takes_back(after, names=names(after, commands)) else ""


def _short(text: str) -> str:
    line = " ".join(visible(text).split())
    return line if len(line) <= 30 else f"{line[:29]}\u2026"


def _dismissed(text: str, kind: str, label: str, clauses: tuple[Clause, ...], commands: Collection[str]) -> str:
    """Why the words of a sentence support nothing; empty when they may."""
    said = [word for clause in clauses if not _explains(clause) for word in clause.words]
    named = {word.concept for word in said}
    fault = label_fault(label)
    quoted = any(_is_speech(quote[0], commands) for quote in _QUOTED.finditer(text))
    reasons = {
        "it speaks to whoever classifies": instruction_like(text),
        f"a commit of the kind {kind} changes no behaviour": _NO_BEHAVIOUR.fullmatch(kind),
        "it is not plain English, and no other language is read": is_foreign(text),
        "it quotes what somebody else says": quoted,
        f'it is labelled "{_short(fault)}"': fault,
        "it is crossed out": is_crossed(text),
        "it names a command as a part of a longer word": _within_a_word(text, commands),
        "it plans or asks": "later" in named or (said and said[0].text in _ASKS),
        "it says that something stays as it was": (_CHANGES if "not" in named else _STAYS) & named,
        "it takes back what it says": any(says_only_no(clause.words) for clause in clauses),
        "it may tell the fault that is fixed": _FIXES.search(label or kind) and _as_it_is(said),
    }
    return next((why for why, holds in reasons.items() if holds), "")


def _is_speech(quote: str, commands: Collection[str]) -> bool:
    """Whether a quotation is a statement on a command, or a word for what one does, which somebody else uses."""
    every = words(quote)
    return (len(every) > 1 and names(quote, commands)) or any(word.concept in _DOUBTED for word in every)


def _within_a_word(text: str, commands: Collection[str]) -> bool:
    """`delete-all`, `soft-delete`: the name of something else, unless it is a command, too."""
    glued = (re.finditer(rf"[\w-]*(?<![^\W_])-?{re.escape(name)}-?[\w-]*", text, re.IGNORECASE) for name in commands)
    found = {match[0].lower() for matches in glued for match in matches if "-" in match[0].strip("-")}
    return any(not word.startswith("-") and word not in {name.lower() for name in commands} for word in found)


def _as_it_is(said: Sequence[Word]) -> bool:
    """Whether a command succeeds or fails, with no word for what is new in it: `now`, `no longer`, `must`."""
    ends = next(
        (at for at, word in enumerate(said) if word.concept in {"succeed", "fail"} and word.text.endswith("s")), 0
    )
    return ends > 0 and not any(word.concept == "not" or word.text in _NEWS for word in said[:ends])
