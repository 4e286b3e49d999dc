"""Goals: rows of steps that cover, each, something that is wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from gate.corpus.grammar import Edge, Grammar
from gate.corpus.lives import Life, lives
from gate.corpus.slots import Form, Slot, shown
from gate.corpus.tags import choice_tag, expanded, options_tag
from gate.corpus.written import WrittenStep, covered_by

_FEW = 12
"""Optional arguments up to which a step that is to cover pairs has four of them; with more it has six."""
_MOST_PACKS = 1000
"""Steps at most that one command gets for pairs of its options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepGoal:
    """One step that is wanted. Places are those of gate.corpus.slots; what a goal leaves open is drawn."""

    command: str | None
    """None: one that the program does not have."""
    present: tuple[str, ...] = ()
    """Exactly these optional arguments are there."""
    edges: tuple[tuple[str, Edge], ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    """Place and value of choices."""
    repeats: tuple[str, ...] = ()
    """The arguments that stand there twice or more; the others stand there once."""
    unknown_option: bool = False
    thing: int | None = None
    """Steps of one case with the same number and noun name the same thing."""


Goal = tuple[StepGoal, ...]
"""Steps that follow each other in one case; the commands that they come after are not among them."""


def goals(grammar: Grammar, forms: Mapping[str, Form], wanted: frozenset[str]) -> tuple[Iterator[Goal], ...]:
    """Rows of goals that cover, together, all of the `wanted` tags that goals can cover; each covers one that none asked for before did.

    A row for unknown commands, then one for each command in the order of the grammar (every option among others, each alone, the choices
    that are left, edges, pairs of options), then one for the lives of each noun. Neighbours are no goals: they depend on the order of
    all others (gate.corpus.planning).
    """
    left = set(wanted)
    return tuple(_needed(grammar, forms, row, left) for row in _rows(grammar, forms, left))


def _needed(grammar: Grammar, forms: Mapping[str, Form], row: Iterable[Goal], left: set[str]) -> Iterator[Goal]:
    for goal in row:
        promised = _promised(grammar, forms, goal)
        if not left.isdisjoint(promised):
            left -= promised
            yield goal


def _rows(grammar: Grammar, forms: Mapping[str, Form], left: set[str]) -> Iterator[Iterable[Goal]]:
    if grammar.has_strangers:
        yield ((StepGoal(command=None),),)
    for form in forms.values():
        yield _command_goals(grammar, form, left)
    numbered = tuple(enumerate(lives(grammar)))
    for noun in dict.fromkeys(life.noun for _, life in numbered):
        yield [_life_goal(forms, life, thing) for thing, life in numbered if life.noun == noun]


def _command_goals(grammar: Grammar, form: Form, left: set[str]) -> Iterator[Goal]:
    yield from _spread(form, left)
    yield from _alone(form)
    yield from _choices(form)
    yield from _edges(form)
    if grammar.unknown_options:
        yield (StepGoal(command=form.command.name, present=form.completed(()), unknown_option=True),)
    yield from _packs(form, left)


def _promised(grammar: Grammar, forms: Mapping[str, Form], goal: Goal) -> frozenset[str]:
    """What the steps of a goal cover whatever is drawn for the rest."""
    steps = [
        WrittenStep(
            name=step.command,
            present=frozenset(step.present),
            edges=step.edges,
            choices=step.values,
            repeats=step.repeats,
            unknown_option=step.unknown_option,
            thing=None if step.thing is None else str(step.thing),
        )
        for step in goal
    ]
    return expanded(covered_by(grammar, forms, steps))


def _alone(form: Form) -> Iterator[Goal]:
    name = form.command.name
    for slot in form.slots:
        present = _with(form, slot)
        values = tuple((slot.place, value) for value in (slot.argument.values or ())[:1])
        if slot.argument.repeat > 1:
            yield (StepGoal(command=name, present=present, values=values, repeats=(slot.place,)),)
        yield (StepGoal(command=name, present=present, values=values),)
    yield (StepGoal(command=name, present=form.completed(())),)


def _choices(form: Form) -> Iterator[Goal]:
    for slot in form.slots:
        for value in slot.argument.values or ():
            yield (StepGoal(command=form.command.name, present=_with(form, slot), values=((slot.place, value),)),)


def _with(form: Form, slot: Slot) -> tuple[str, ...]:
    """The optional arguments of a step that has this one and no other that it can do without."""
    return form.completed((slot.place,) if slot.variable else ())


def _edges(form: Form) -> Iterator[Goal]:
    name = form.command.name
    for slot in form.slots:
        present = _with(form, slot)
        for edge in slot.argument.edges:
            step = StepGoal(command=name, present=present, edges=((slot.place, edge),))
            yield (StepGoal(command=name, present=present), step) if edge == "duplicate" else (step,)


def _spread(form: Form, left: set[str]) -> Iterator[Goal]:
    """Every optional argument once, in as few steps as have room for them: what a small corpus has of a program with many options."""
    waiting = list(form.variable)
    while waiting:
        chunk: list[Slot] = []
        for slot in waiting:
            if len(chunk) < _width(form) and not any(form.excludes(slot, other) for other in chunk):
                chunk.append(slot)
        waiting = [slot for slot in waiting if slot not in chunk]
        present = form.completed(slot.place for slot in chunk)
        yield (StepGoal(command=form.command.name, present=present, values=_open_values(form, present, left)),)


def _width(form: Form) -> int:
    return 4 if len(form.variable) <= _FEW else 6


def _packs(form: Form, left: set[str]) -> Iterator[Goal]:
    """Steps with several optional arguments, each with as many pairs that are still wanted as come together greedily."""
    slots = form.variable
    number = {slot.place: place for place, slot in enumerate(slots)}
    partners = _open_pairs(form, left)
    for _ in range(_MOST_PACKS):
        first = next((place for place in range(len(slots)) if partners[place]), None)
        if first is None:
            return
        present = form.completed(slots[place].place for place in _pack(form, first, partners))
        places = {number[place] for place in present}
        for place in places:
            partners[place] -= places
        yield (StepGoal(command=form.command.name, present=present, values=_open_values(form, present, left)),)


def _open_pairs(form: Form, left: set[str]) -> list[set[int]]:
    """For each optional argument the others, by number, with which it is still wanted in one step."""
    partners: list[set[int]] = [set() for _ in form.variable]
    for (one, slot), (other, after) in combinations(enumerate(form.variable), 2):
        if options_tag((slot.label, after.label), form.command.name) in left:
            partners[one].add(other)
            partners[other].add(one)
    return partners


def _pack(form: Form, first: int, partners: Sequence[set[int]]) -> list[int]:
    """`first` and one after the other the argument with most open pairs among them; of equals the one that stands first."""
    slots = form.variable
    pack = [first]
    gains = Counter(partners[first])
    while len(pack) < _width(form):
        able = [place for place in gains if not any(form.excludes(slots[place], slots[other]) for other in pack)]
        if not able:
            break
        best = max(able, key=lambda place: (gains[place], -place))
        pack.append(best)
        gains.update(partners[best])
        for place in pack:
            del gains[place]
    return pack


def _open_values(form: Form, present: tuple[str, ...], left: set[str]) -> tuple[tuple[str, str], ...]:
    """For each choice among these arguments, and among those that are always there, the first value that is still wanted."""
    found: dict[str, str] = {}
    for slot in form.slots:
        if slot.place in present or not slot.variable:
            for value in slot.argument.values or ():
                if choice_tag(slot.label, shown(value), form.command.name) in left:
                    found.setdefault(slot.place, value)
    return tuple(found.items())


def _life_goal(forms: Mapping[str, Form], life: Life, thing: int) -> Goal:
    return tuple(_life_steps(forms.values(), life, thing))


def _life_steps(forms: Iterable[Form], life: Life, thing: int) -> Iterator[StepGoal]:
    for role in life.roles:
        form = next(form for form in forms if form.command.noun == life.noun and form.command.role == role)
        place = form.name_place
        named = (place,) if place is not None and form.by_place[place].variable else ()
        yield StepGoal(command=form.command.name, present=form.completed(named), thing=None if place is None else thing)
