"""What a hand-written case covers, read off its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from gate.corpus.grammar import Grammar
from gate.corpus.slots import Form, Slot, shown
from gate.corpus.tags import UNKNOWN, choice_tag, command_tag, option_tag, options_tag, pair_tag
from gate.corpus.told_command import ToldCommands, stands, words_of
from gate.domain import Step


def observed_tags(grammar: Grammar, steps: Iterable[Step]) -> tuple[str, ...]:
    """The commands, pairs, options and choices of options that a hand-written case covers, sorted, in the short form
    (gate.corpus.tags.expanded).

    Which command a step is of says gate.corpus.told_command. Edges, lives and arguments without an option are not read off: a word does
    not say which argument it was meant for.
    """
    known = ToldCommands(grammar)
    found: set[str] = set()
    names: list[str | None] = []
    for step in steps:
        form = known.form(step)
        names.append(None if form is None else form.command.name)
        found.update((UNKNOWN,) if form is None else _tags(form, words_of(step)))
    found |= {pair_tag(first, second) for first, second in pairwise(names) if first is not None and second is not None}
    return tuple(sorted(found))


def _tags(form: Form, argv: Sequence[str]) -> Iterator[str]:
    name = form.command.name
    yield command_tag(name)
    there = [slot for slot in form.slots if any(stands(slot, word) for word in argv)]
    yield from (option_tag(slot.label, name) for slot in there)
    variable = [slot.label for slot in there if slot.variable]
    if len(variable) > 1:
        yield options_tag(variable, name)
    for slot in there:
        for value in slot.argument.values or ():
            if any(_has_value(slot, value, words) for words in zip(argv, (*argv[1:], ""), strict=True)):
                yield choice_tag(slot.label, shown(value), name)


def _has_value(slot: Slot, value: str, words: tuple[str, str]) -> bool:
    option = slot.argument.option or ""
    return words == (option, value) or words[0] == f"{option.removesuffix('=')}={value}"
