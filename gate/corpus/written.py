"""What the steps of a drawn case cover, told from how they were written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gate.corpus.grammar import Edge, Grammar
from gate.corpus.lives import Event, lived
from gate.corpus.slots import Form, shown
from gate.corpus.tags import (
    NOTHING,
    UNKNOWN,
    alone_tag,
    choice_tag,
    command_tag,
    edge_tag,
    option_tag,
    options_tag,
    pair_tag,
    repeat_tag,
    unknown_option_tag,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenStep:
    """One step as it was written. Places are those of gate.corpus.slots."""

    name: str | None
    """The command; None where the program does not have it."""
    present: frozenset[str] = frozenset()
    """The places of the optional arguments that it has."""
    edges: tuple[tuple[str, Edge], ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    """Place and value of every choice."""
    inputs: tuple[tuple[str, str], ...] = ()
    """Place and word of what is read: the first word of each pool that stands without an option, and standard input of few texts."""
    repeats: tuple[str, ...] = ()
    """The places whose argument stands there twice or more."""
    unknown_option: bool = False
    thing: str | None = None
    """The name of its thing."""


def covered_by(grammar: Grammar, forms: Mapping[str, Form], steps: Sequence[WrittenStep]) -> tuple[str, ...]:
    """The tags of a case, sorted, in the short form (gate.corpus.tags.expanded).

    A step with an unknown option covers that alone. A step with edge values covers these, its command and its neighbours: an option beside
    a value that is refused is not exercised.
    """
    found: set[str] = set()
    previous: str | None = None
    events: list[Event] = []
    for step in steps:
        if step.name is None:
            found.add(UNKNOWN)
        elif step.unknown_option:
            found.add(unknown_option_tag(step.name))
        else:
            form = forms[step.name]
            found.update(_step_tags(form, step))
            if previous is not None:
                found.add(pair_tag(previous, step.name))
            events += _events(form, step)
        previous = None if step.unknown_option else step.name
    return tuple(sorted(found | lived(grammar, events)))


def inputs_read(forms: Mapping[str, Form], steps: Iterable[WrittenStep]) -> tuple[str, ...]:
    """For each input of a step the optional arguments beside it, an entry each, sorted: what an option does shows on the input that has it.

    Where a word is refused, or an option unknown, nothing is read.
    """
    found: set[str] = set()
    for step in steps:
        if step.name is not None and not step.unknown_option and not step.edges:
            form = forms[step.name]
            beside = [slot.label for slot in form.variable if slot.place in step.present] or [NOTHING]
            found.update(f"{label} {shown(word)} of {step.name}" for label in beside for _, word in step.inputs)
    return tuple(sorted(found))


def _step_tags(form: Form, step: WrittenStep) -> Iterator[str]:
    name = form.command.name
    yield command_tag(name)
    yield from (edge_tag(edge, place, name) for place, edge in step.edges)
    if step.edges:
        return
    yield from (choice_tag(form.by_place[place].label, shown(value), name) for place, value in step.choices)
    yield from (repeat_tag(form.by_place[place].label, name) for place in step.repeats)
    yield from (option_tag(slot.label, name) for slot in form.slots if slot.named and not slot.variable)
    present = [slot for slot in form.variable if slot.place in step.present]
    if len(present) > 1:
        yield options_tag([slot.label for slot in present], name)
    free = [slot for slot in present if slot.place not in form.due]
    if len(free) == 1:
        yield alone_tag(free[0].label, name)
    elif not free and form.variable:
        yield from (alone_tag(label, name) for label in [slot.label for slot in present] or [NOTHING])


def _events(form: Form, step: WrittenStep) -> Iterator[Event]:
    """A duplicate or a missing word is a name like others; a step with another edge value may have done nothing."""
    role, noun = form.command.role, form.command.noun
    if role is not None and noun is not None and all(edge in ("duplicate", "missing") for _, edge in step.edges):
        yield Event(noun=noun, role=role, name=step.thing)
