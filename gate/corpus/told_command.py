"""Which command of a grammar a step is of, read off its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from gate.corpus.grammar import Grammar
from gate.corpus.slots import Form, Slot, forms
from gate.domain import Step

_NUMBER = re.compile(r"-[\d.]")


class ToldCommands:
    """The commands of a grammar, to be found in steps."""

    def __init__(self, grammar: Grammar) -> None:
        self._forms = tuple(forms(grammar).values())
        self._strangers = grammar.has_strangers

    def form(self, step: Step) -> Form | None:
        """The command that a step is of; None where it is none that the grammar has.

        First those count whose literal words all stand in the step, and which have a place for every other word of it: `get --help` is of
        a command of these words rather than of `get`. Then the one with the most command words at the beginning, or right after the
        options that it has before them. One without command words comes last, the one that lacks the fewest literals first; where other
        commands have some, it has to have a place for every word that is no option. Ties are to the first of the grammar.
        """
        argv = words_of(step)
        able = [(form, rest) for form in self._forms if (rest := _without_words(form, argv)) is not None]
        ranked = [(_rank(form, rest), form) for form, rest in able if self._may_be(form, rest)]
        return min(ranked, key=lambda pair: pair[0])[1] if ranked else None

    def _may_be(self, form: Form, rest: Sequence[str]) -> bool:
        return bool(form.command.command_words) or not self._strangers or not _spare(form, rest)[1]


def words_of(step: Step) -> tuple[str, ...]:
    """The words of a step as text; a byte that is no UTF-8 is a lone surrogate."""
    return tuple(word.decode("utf-8", "surrogateescape") for word in step.argv)


def stands(slot: Slot, word: str) -> bool:
    """Whether a word is the option of an argument, alone or joined to a value."""
    option = slot.argument.option
    return bool(option) and (word == option or word.startswith(f"{(option or '').removesuffix('=')}="))


def _rank(form: Form, rest: Sequence[str]) -> tuple[bool, int, int, int]:
    literals = [slot for slot in form.slots if _is_literal(slot)]
    there = sum(_literal_stands(slot, rest) for slot in literals)
    words, missing = len(form.command.command_words), len(literals) - there
    proven = bool(literals) and not missing and _spare(form, rest) == (0, 0)
    return not proven, -(words + there) if proven else -words, missing, -there


def _without_words(form: Form, argv: Sequence[str]) -> tuple[str, ...] | None:
    """The other words of a step; None where the command words do not stand in it."""
    words, start = form.command.command_words, 0
    before = [slot for slot in form.slots if slot.place.startswith("before")]
    while tuple(argv[start : start + len(words)]) != words:
        if start >= len(argv):
            return None
        option = next((slot for slot in before if stands(slot, argv[start])), None)
        if option is None and not any(_is_literal(slot) and slot.argument.value == argv[start] for slot in before):
            return None
        start += 1 if option is None or option.argument.kind == "flag" or "=" in argv[start] else 2
    return (*argv[:start], *argv[start + len(words) :])


def _is_literal(slot: Slot) -> bool:
    """Whether every step of the command has these very words."""
    return not slot.variable and slot.place != "stdin" and slot.argument.kind in ("literal", "flag")


def _literal_stands(slot: Slot, rest: Sequence[str]) -> bool:
    option, value = slot.argument.option, slot.argument.value or ""
    if option is None:
        return value in rest
    if slot.argument.kind == "flag":
        return option in rest
    joined = f"{option.removesuffix('=')}={value}"
    return any(word == joined or (word, after) == (option, value) for word, after in pairwise((*rest, "")))


def _spare(form: Form, rest: Sequence[str]) -> tuple[int, int]:
    """How many options, and how many other words of a step the command has no place for."""
    named = [slot for slot in form.slots if slot.argument.option is not None]
    places = [slot for slot in form.slots if slot.argument.option is None and slot.place != "stdin"]
    fixed = [word for slot in places for word in _only(slot) * slot.argument.repeat]
    room = sum(slot.argument.repeat for slot in places if not _only(slot))
    closed = sum(slot.argument.repeat for slot in places if _only(slot))
    options, others, at = 0, 0, 0
    while at < len(rest):
        word = rest[at]
        slot = next((slot for slot in named if stands(slot, word)), None)
        if slot is not None:
            at += 1 if slot.argument.kind == "flag" or "=" in word else 2
            continue
        at += 1
        if word in fixed and closed:
            closed -= 1
        elif word.startswith("-") and word.strip("-") and not _NUMBER.match(word):
            options += 1
        else:
            others += 1
    return options, max(0, others - room)


def _only(slot: Slot) -> tuple[str, ...]:
    """The words of an argument that takes no others."""
    argument = slot.argument
    if argument.kind == "literal":
        return (argument.value or "",)
    return () if argument.edges else argument.values or ()
