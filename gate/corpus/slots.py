"""The arguments of a command with the places where they stand and the labels by which a report names them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from gate.corpus.grammar import Argument, Command, Grammar

_LONGEST = 40
"""Characters of a word that a report shows whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One argument of a command."""

    place: str
    """`before[0]`, …, `args[0]`, …, `stdin`."""
    label: str
    """Its option word, else its place; both where two arguments of the command have the same option. No white space."""
    argument: Argument

    @property
    def variable(self) -> bool:
        """Whether a step may have it or not."""
        return self.argument.optional or self.argument.one_of is not None

    @property
    def named(self) -> bool:
        """Whether coverage counts it among the options."""
        return self.variable or self.argument.option is not None


@dataclass(frozen=True, kw_only=True)
class Form:
    """A command as steps are written from it."""

    command: Command
    slots: tuple[Slot, ...]
    """In the order of the command line; standard input last."""

    @cached_property
    def by_place(self) -> dict[str, Slot]:
        """The arguments by their places."""
        return {slot.place: slot for slot in self.slots}

    @cached_property
    def variable(self) -> tuple[Slot, ...]:
        """The arguments that a step may have or not."""
        return tuple(slot for slot in self.slots if slot.variable)

    @cached_property
    def groups(self) -> dict[str, tuple[Slot, ...]]:
        """The arguments of each label of `one_of`."""
        labels = dict.fromkeys(slot.argument.one_of for slot in self.slots if slot.argument.one_of is not None)
        return {label: tuple(slot for slot in self.slots if slot.argument.one_of == label) for label in labels if label}

    @cached_property
    def due(self) -> frozenset[str]:
        """The places of the groups of which exactly one argument is drawn."""
        groups = (group for group in self.groups.values() if not any(slot.argument.optional for slot in group))
        return frozenset(slot.place for group in groups for slot in group)

    @cached_property
    def name_place(self) -> str | None:
        """Where the name of a command's thing stands: the first argument of a pool, else the first text. Those that are always there
        come before those that may be left out. None: the command names no thing."""
        if self.command.role is None:
            return None
        named = [slot for slot in self.slots if slot.place.startswith("args")]
        for variable in (False, True):
            for kind in ("pool", "text"):
                for slot in named:
                    if slot.variable is variable and slot.argument.kind == kind:
                        return slot.place
        return None

    def excludes(self, one: Slot, other: Slot) -> bool:
        """Whether no step can have both."""
        return one.argument.one_of is not None and one.argument.one_of == other.argument.one_of

    def completed(self, places: Iterable[str]) -> tuple[str, ...]:
        """These places, and of each group that has to have one the first where none of them is in it, in the order of the slots."""
        wanted = set(places)
        for group in self.groups.values():
            if group[0].place in self.due and not any(slot.place in wanted for slot in group):
                wanted.add(group[0].place)
        return tuple(slot.place for slot in self.variable if slot.place in wanted)


def forms(grammar: Grammar) -> dict[str, Form]:
    """The forms of all commands, by name, in the order of the grammar."""
    return {command.name: _form(command) for command in grammar.commands}


def shown(word: str) -> str:
    """A word as a token of printable ASCII without white space: literally where it is short and plain, else quoted and cut, with a
    digest where it was cut. No two words are shown alike."""
    if 0 < len(word) <= _LONGEST and all("!" <= character <= "~" for character in word) and not word.startswith("'"):
        return word
    quoted = ascii(word[:_LONGEST]).replace(" ", "\\x20")
    quoted = quoted if quoted.startswith("'") else f"'{quoted}'"
    return (
        quoted if len(word) <= _LONGEST else f"{quoted}~{sha256(word.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    )


def _form(command: Command) -> Form:
    places = [(f"before[{place}]", argument) for place, argument in enumerate(command.before)]
    places += [(f"args[{place}]", argument) for place, argument in enumerate(command.args)]
    places += [("stdin", command.stdin)] if command.stdin is not None else []
    seen = Counter(argument.option for _, argument in places)
    return Form(
        command=command,
        slots=tuple(
            Slot(place=place, label=_label(place, argument, seen), argument=argument) for place, argument in places
        ),
    )


def _label(place: str, argument: Argument, seen: Counter[str | None]) -> str:
    if not argument.option:
        return place
    word = shown(argument.option.removesuffix("=") or argument.option)
    return word if seen[argument.option] == 1 else f"{word}:{place}"
