"""What a hand-written case covers, read off its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from gate.corpus.grammar import Grammar
from gate.corpus.slots import Form, Slot, forms, shown
from gate.corpus.tags import UNKNOWN, choice_tag, command_tag, option_tag, options_tag, pair_tag
from gate.domain import Step


def observed_tags(grammar: Grammar, steps: Iterable[Step]) -> tuple[str, ...]:
    """The commands, pairs, options and choices of options that a hand-written case covers, sorted, in the short form
    (gate.corpus.tags.expanded).

    A command is that with the most words which stand at the beginning, or right after the options that it has before them. Edges, lives
    and arguments without an option are not read off: a word does not say which argument it was meant for.
    """
    known = sorted(forms(grammar).values(), key=lambda form: -len(form.command.command_words))
    found: set[str] = set()
    names: list[str | None] = []
    for step in steps:
        argv = tuple(word.decode("utf-8", "surrogateescape") for word in step.argv)
        form = next((form for form in known if _has_words(form, argv)), None)
        names.append(None if form is None else form.command.name)
        found.update((UNKNOWN,) if form is None else _tags(form, argv))
    found |= {pair_tag(first, second) for first, second in pairwise(names) if first is not None and second is not None}
    return tuple(sorted(found))


def _has_words(form: Form, argv: Sequence[str]) -> bool:
    words, start = form.command.command_words, 0
    before = [slot for slot in form.slots if slot.place.startswith("before")]
    while True:
        if tuple(argv[start : start + len(words)]) == words:
            return True
        found = next((slot for slot in before if start < len(argv) and _stands(slot, argv[start])), None)
        if found is None:
            return False
        start += 1 if found.argument.kind == "flag" or "=" in argv[start] else 2


def _stands(slot: Slot, word: str) -> bool:
    option = slot.argument.option
    return bool(option) and (word == option or word.startswith(f"{(option or '').removesuffix('=')}="))


def _tags(form: Form, argv: Sequence[str]) -> Iterator[str]:
    name = form.command.name
    yield command_tag(name)
    there = [slot for slot in form.slots if any(_stands(slot, word) for word in argv)]
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
