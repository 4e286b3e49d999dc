"""The sentences of a stated intent: where each one stands, which commands it is about, and what it affirms or denies of each."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from auditor.drafting.words import Word, concept_of, instruction_like, same_word, stem, words


class Facts(NamedTuple):
    """What a sentence says about one command. Concepts as in words.py."""

    affirmed: frozenset[str]
    denied: frozenset[str]
    """Under a negation, or said of the time before the patch."""
    options: frozenset[str]
    """Options that the sentence names, `--all`."""


class Clause(NamedTuple):
    """A stretch of a sentence between commas, colons and the like."""

    words: tuple[Word, ...]
    commands: frozenset[str]
    """Commands that it is about, its own or those of the clause before."""


class Sentence(NamedTuple):
    """One sentence, bullet point or commit subject."""

    text: str
    """Verbatim from the intent."""
    start: int
    clauses: tuple[Clause, ...]
    dismissed: str
    """Why it supports nothing: it plans, it says that something stays, it speaks to the classifier. Empty when it may support."""

    @property
    def commands(self) -> frozenset[str]:
        """The commands that any of its clauses is about."""
        return frozenset[str]().union(*(clause.commands for clause in self.clauses))

    def facts(self, command: str) -> Facts:
        """What it says about a command; all empty where it does not name it."""
        affirmed: set[str] = set()
        denied: set[str] = set()
        past = False
        for clause in self.clauses:
            if command in clause.commands:
                for word, negated in _polarised(
                    clause.words, past=past, removes=concept_of(command.lower()) != "delete"
                ):
                    (denied if negated else affirmed).add(word.concept)
            past = len(clause.words) <= 4 and any(word.concept == "before" for word in clause.words)
        options = {word.text for clause in self.clauses for word in clause.words if word.text.startswith("-")}
        return Facts(frozenset(affirmed), frozenset(denied), frozenset(options))


_HIDDEN_BLOCK = re.compile(r"<!--.*?(?:-->|\Z)|^(```|~~~).*?(?:^\1|\Z)", re.DOTALL | re.MULTILINE)
_SKIPPED = re.compile(r"\s*(?:>|[A-Z][\w-]*-by: |Change-Id: |Fixes: [0-9a-f]{7})")
_LEAD = re.compile(r"\s*(?:#{1,6} |[-*+•] |\d{1,3}[.)] )?(?P<box>\[[ xX]\] )?")
_PREFIX = re.compile(
    r"(?:feat|fix|docs?|style|refactor|perf|tests?|build|ci|chore|revert)(?:\((?P<scope>[^)]*)\))?!?: +", re.IGNORECASE
)
_END = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)[.!?](?=\s|$)")
_CLAUSE = re.compile(r"[,;:()\u2013\u2014]|\s-\s|\b(?:but|while|whereas|although|though|because|since|so that)\b")
_WRAPPED = 50
READ = 50_000
"""Characters of an intent that are read; what comes after them supports nothing."""

LONGEST = 1_000
"""Characters of a sentence; a longer one is no sentence."""

_STAYS = {stem(word) for word in ("keep", "preserve", "stay", "remain", "still", "unchanged", "untouched")}
_CHANGES = {stem(word) for word in ("change", "affect", "alter", "touch", "differ", "modify")}
_FILLER = frozenset(
    {
        "the",
        "a",
        "an",
        "any",
        "and",
        "or",
        "both",
        "command",
        "subcommand",
        "for",
        "in",
        "when",
        "if",
        "now",
        "also",
        "on",
        "of",
        "with",
    }
    | {"make", "makes", "let", "lets", "have", "it", "this"}
)
_SINGLE = {"no", "without", "neither", "nor"}
_VERBS = {"show", "succeed", "fail", "sort", "add", "warn", "exit", "return", "round", "giv", "say", "idempotent"}
_ENDS = {"succeed", "fail", "idempotent"}
_REMOVES = {verb + end for verb in ("remove", "drop", "omit", "hide", "discard", "strip") for end in ("", "s")}


def sentences(intent: str, commands: Collection[str]) -> tuple[Sentence, ...]:
    """The sentences of an intent, in order; `commands` are the command words that can be spoken of.

    Comments in HTML, fenced code, quoted lines (`>`) and trailers hold none. A wrapped line goes on in the next one.
    Nothing is read past 50,000 characters.
    """
    found = []
    for start, end, boxed in _spans(intent[:READ]):
        if end - start > LONGEST:
            continue
        scope = _PREFIX.match(intent, start, end)
        scoped = scope and scope["scope"] and _spoken(words(scope["scope"]), commands)
        cut = scope.end() if scope and not scoped else start
        asked = "it plans or asks" if intent[end : end + 1] == "?" else ""
        planned = "it ticks no box" if boxed == "[ ] " else asked
        found.append(_sentence(intent[cut:end], cut, commands, planned))
    return tuple(sentence for sentence in found if sentence.text)


def _sentence(text: str, start: int, commands: Collection[str], planned: str) -> Sentence:
    clauses = tuple(_clauses(text, commands))
    return Sentence(text, start, clauses, planned or _dismissed(text, clauses))


def _spans(intent: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of each sentence, and its tick box."""
    blanked = _HIDDEN_BLOCK.sub(lambda match: re.sub(r"[^\n]", "\0", match[0]), intent)
    for start, end, box in _paragraphs(blanked):
        at = start
        for stop in [*(match.start() for match in _END.finditer(blanked, start, end)), end]:
            first, last = at, stop
            while first < last and blanked[first] in " \t\n.!?":
                first += 1
            while last > first and blanked[last - 1].isspace():
                last -= 1
            if first < last:
                yield first, last, box
            at = stop


def _paragraphs(text: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of each paragraph, bullet point or unwrapped line, without its bullet."""
    held: tuple[int, int, str] | None = None
    at, wrapped = 0, False
    for line in text.split("\n"):
        start, end = at, at + len(line.rstrip())
        at += len(line) + 1
        lead = _LEAD.match(line)
        bullet = bool(lead and lead[0].strip())
        if "\0" in line or not line.strip() or _SKIPPED.match(line):
            if held:
                yield held
            held = None
        elif held and not bullet and (line.startswith("  ") or wrapped):
            held = (held[0], end, held[2])
        else:
            if held:
                yield held
            held = (start + (lead.end() if lead else 0), end, (lead["box"] or "") if lead else "")
        wrapped = len(line.rstrip()) >= _WRAPPED and line.rstrip()[-1] not in ".!?:;"
    if held:
        yield held


def _clauses(text: str, commands: Collection[str]) -> Iterator[Clause]:
    waiting: tuple[Word, ...] = ()
    about: frozenset[str] = frozenset()
    for part in _parts(words(text), [match.start() for match in _CLAUSE.finditer(text)]):
        if waiting and not (_listed(part[:1], commands) or _bare(waiting, commands)):
            yield Clause(waiting, about)
            waiting = ()
        joined = waiting + part
        about = _spoken(joined, commands) or about
        if _listed(joined[-1:], commands):
            waiting = joined
        else:
            waiting = ()
            yield Clause(joined, about)
    if waiting:
        yield Clause(waiting, about)


def _listed(every: tuple[Word, ...], commands: Collection[str]) -> bool:
    return any(_part_of_a_name(word, commands) for word in every)


def _bare(every: tuple[Word, ...], commands: Collection[str]) -> bool:
    """Whether a clause is a command and nothing more: what follows its colon or comma is said of it."""
    return all(word.text in _FILLER or _part_of_a_name(word, commands) for word in every)


def _parts(every: tuple[Word, ...], stops: list[int]) -> Iterator[tuple[Word, ...]]:
    bounds = [0, *stops, 1 << 62]
    for first, last in pairwise(bounds):
        if part := tuple(word for word in every if first <= word.start < last):
            yield part


def _spoken(every: tuple[Word, ...], commands: Collection[str]) -> frozenset[str]:
    """The commands that a clause is about: named as such, or by a synonym where no command is; not in a comparison or an exception.

    Of several only the first, unless they are joined by commas and `and`.
    """
    named = _named(every, commands)
    if any(word.concept == "everywhere" for word in every):
        return frozenset(commands) - {name for name, place in named if _excepted(every, place)}
    counted = [(name, place) for name, place in named if not (_excepted(every, place) or _compared(every, place))]
    return frozenset(name for name, place in counted if _bare(every[counted[0][1] : place], commands))


def _named(every: tuple[Word, ...], commands: Collection[str]) -> list[tuple[str, int]]:
    """Each mention of a command and its place, in the order of the words."""
    exact = [(name, place) for place in range(len(every)) for name in commands if _stands(every, place, name)]
    return exact or [
        (name, place)
        for place, word in enumerate(every)
        for name in commands
        if word.concept == concept_of(name.lower())
    ]


def _stands(every: tuple[Word, ...], place: int, command: str) -> bool:
    """Whether the command stands at a place, which may be several words: `dry-run`."""
    parts = _texts(command)
    return (
        bool(parts)
        and len(every) >= place + len(parts)
        and all(same_word(part, every[place + offset].text) for offset, part in enumerate(parts))
    )


def _part_of_a_name(word: Word, commands: Collection[str]) -> bool:
    return any(same_word(word.text, part) for name in commands for part in _texts(name))


@cache
def _texts(command: str) -> tuple[str, ...]:
    return tuple(word.text for word in words(command))


def _excepted(every: tuple[Word, ...], place: int) -> bool:
    return any(word.concept == "except" for word in every[:place])


def _compared(every: tuple[Word, ...], place: int) -> bool:
    nearest = next((word.concept for word in reversed(every[:place]) if word.text not in _FILLER), "")
    return nearest == "compared"


def _polarised(every: tuple[Word, ...], *, past: bool, removes: bool) -> Iterator[tuple[Word, bool]]:
    """Each word of a clause, and whether it is denied: behind a negation or a verb of removal, or said of the past.

    `no` and `without` deny the next word alone; other negations last to the end of the clause, to `now`, or to `and` with a verb.
    """
    past = past or any(word.concept == "before" for word in every)
    lasting, single, removed = False, False, False
    for number, word in enumerate(every):
        if word.text == "now":
            past = lasting = single = removed = False
        elif word.concept == "not":
            single, lasting = word.text in _SINGLE, lasting != (word.text not in _SINGLE)
        elif word.text == "and":
            lasting = lasting and not (number + 1 < len(every) and every[number + 1].concept in _VERBS)
        else:
            yield word, lasting or single or past or (removed and word.concept not in _ENDS)
            single = single and word.text in _FILLER
            removed = removed or (removes and word.text in _REMOVES)


def _dismissed(text: str, clauses: tuple[Clause, ...]) -> str:
    said = [word for clause in clauses for word in clause.words]
    named = {word.concept for word in said}
    if instruction_like(text):
        return "it speaks to whoever classifies"
    if "later" in named:
        return "it plans or asks"
    if (_CHANGES if "not" in named else _STAYS) & named:
        return "it says that something stays as it was"
    return ""
