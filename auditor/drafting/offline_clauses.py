"""The clauses of a sentence: which commands each one is about, and which of its words it denies."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from auditor.drafting.words import Word, concept_of, same_word, words


class Clause(NamedTuple):
    """A stretch of a sentence between commas, colons and the like."""

    words: tuple[Word, ...]
    commands: frozenset[str]
    """Commands that it is about, its own or those of the clause before."""
    joint: str = ""
    """What stands before it: a comma, `because`; empty for the first one."""


_CLAUSE = re.compile(
    r"[-=]>|[\u2190-\u21ff]|[,;:()\[\]\u2013\u2014]|\s-\s|\b(?:(?<!anything )but|while|whereas|although|though|because|since|so that)\b"
)
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
_JOINING = {"the", "a", "an", "and", "or", "both", "command", "commands", "subcommand", "subcommands"}
_LIKELY = {"get", "set", "delete", "list", "add"}
_REMOVES = {verb + end for verb in ("remove", "drop", "omit", "hide", "discard", "strip") for end in ("", "s")}


def clauses_of(text: str, skipped: int, commands: Collection[str]) -> Iterator[Clause]:
    """The clauses of a sentence but for its first `skipped` characters."""
    waiting: tuple[Word, ...] = ()
    begun = ""
    about: frozenset[str] = frozenset()
    every = tuple(word for word in words(text) if word.start >= skipped)
    for joint, part in _parts(every, [match for match in _CLAUSE.finditer(text) if match.start() >= skipped]):
        if waiting and not (_listed(part[:1], commands) or _bare(waiting, commands)):
            yield Clause(waiting, about, begun)
            waiting = ()
        begun = begun if waiting else joint
        joined = waiting + part
        about = spoken_of(joined, commands) or about
        if _listed(joined[-1:], commands):
            waiting = joined
        else:
            waiting = ()
            yield Clause(joined, about, begun)
    if waiting:
        yield Clause(waiting, about, begun)


def _listed(every: tuple[Word, ...], commands: Collection[str]) -> bool:
    return any(part_of_a_name(word, commands) for word in every)


def _bare(every: tuple[Word, ...], commands: Collection[str]) -> bool:
    """Whether a clause is a command and nothing more: what follows its colon or comma is said of it."""
    return all(word.text in _FILLER or part_of_a_name(word, commands) for word in every)


def _parts(every: tuple[Word, ...], stops: list[re.Match[str]]) -> Iterator[tuple[str, tuple[Word, ...]]]:
    """The words between stops, without the stop itself, and the stop before them in lower case."""
    starts = [(0, 0, ""), *((stop.start(), stop.end(), stop[0].strip().lower()) for stop in stops), (1 << 62, 0, "")]
    for (_, first, joint), (last, _, _) in pairwise(starts):
        if part := tuple(word for word in every if first <= word.start < last):
            yield joint, part


def spoken_of(every: tuple[Word, ...], commands: Collection[str]) -> frozenset[str]:
    """The commands that a clause is about: named as such, or by a synonym where no command is; not in a comparison or an exception.

    Of several only the first, unless they are joined by commas and `and`.
    """
    named = named_in(every, commands)
    if any(word.concept == "everywhere" for word in every):
        return frozenset(commands) - {name for name, place in named if _excepted(every, place)}
    counted = [(name, place) for name, place in named if not (_excepted(every, place) or _compared(every, place))]
    return frozenset(name for name, place in counted if _joined(every[counted[0][1] : place], commands))


def _joined(every: tuple[Word, ...], commands: Collection[str]) -> bool:
    """Whether nothing but `and` and the like stands between commands: `delete in set` is about one of them."""
    return all(word.text in _JOINING or part_of_a_name(word, commands) for word in every)


def named_in(every: tuple[Word, ...], commands: Collection[str]) -> list[tuple[str, int]]:
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


def part_of_a_name(word: Word, commands: Collection[str]) -> bool:
    """Whether a word is one of those that a command's name consists of."""
    return any(same_word(word.text, part) for name in commands for part in _texts(name))


@cache
def _texts(command: str) -> tuple[str, ...]:
    return tuple(word.text for word in words(command))


def _excepted(every: tuple[Word, ...], place: int) -> bool:
    return any(word.concept == "except" for word in every[:place])


def _compared(every: tuple[Word, ...], place: int) -> bool:
    nearest = next((word.concept for word in reversed(every[:place]) if word.text not in _FILLER), "")
    return nearest == "compared"


def coordinated(every: tuple[Word, ...], command: str) -> tuple[Word, ...]:
    """The words of a clause that are commands beside this one, as it seems: alone, or joined to it by `and`.

    Which commands a program has is not known where only one of them differs.
    """
    likely = tuple(word for word in every if word.concept in _LIKELY)
    if len(every) == 1:
        return likely
    places = [place for _, place in named_in(every, (command,))]
    return tuple(
        word
        for word in likely
        for place in places
        for step in (2, -2)
        if every[place + step : place + step + 1] == (word,) and every[place + step // 2].text in {"and", "or"}
    )


def polarised(every: tuple[Word, ...], *, past: bool, removes: bool) -> Iterator[tuple[Word, bool]]:
    """Each word of a clause, and whether it is denied: behind a negation or a verb of removal, or said of the past.

    `no`, `without` and `from` deny the next word alone; other negations last to the end of the clause, to `now`, or to `and` with a verb.
    """
    past = past or any(word.concept == "before" for word in every)
    lasting, single, removed = False, False, False
    for number, word in enumerate(every):
        if word.text == "now":
            past = lasting = single = removed = False
        elif word.concept == "not":
            single, lasting = word.text in _SINGLE, lasting != (word.text not in _SINGLE)
        elif word.text == "from":
            single = True
        elif word.text == "and":
            lasting = lasting and not (number + 1 < len(every) and every[number + 1].concept in _VERBS)
        else:
            ends = word.concept in _ENDS and word.text.endswith("s")
            yield word, lasting or single or past or (removed and not ends)
            single = single and word.text in _FILLER
            removed = removed or (removes and word.text in _REMOVES)


def names_by_removal(clause: Clause, command: str) -> bool:
    """Whether a verb of removal in it is the command: `rm`, or `removes` where the command's own word does not stand."""
    return concept_of(command.lower()) == "delete" and not (
        any(_stands(clause.words, place, command) for place in range(len(clause.words)))
        and not any(same_word(command, word) for word in _REMOVES)
    )


def names(text: str, commands: Collection[str]) -> bool:
    """Whether a text names a command by its own word."""
    every = words(text)
    return any(_stands(every, place, name) for place in range(len(every)) for name in commands)
