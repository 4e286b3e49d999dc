"""A grammar as a Hypothesis strategy of cases. Only the drawing process imports this module: it imports Hypothesis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from hypothesis import strategies as st

from gate.corpus import words
from gate.corpus.drawn_line import DrawnLine, Memory
from gate.corpus.exchange import DrawnCase, DrawnStep
from gate.corpus.goals import StepGoal
from gate.corpus.grammar import Edge, Grammar
from gate.corpus.planning import Plan
from gate.corpus.slots import Form, Slot, forms
from gate.corpus.written import WrittenStep, covered_by, inputs_read

_T = TypeVar("_T")

_SELDOM = 16
"""One in so many free steps is of an unknown command, or has an unknown option: plans have these."""

_FEW = 4
"""Optional arguments up to which each is there three times in four; of more than these at most four are."""


def drawn_cases(
    grammar: Grammar, plan: Plan = (), *, known: Mapping[str, Form] | None = None
) -> st.SearchStrategy[DrawnCase]:
    """Cases of a checked grammar: min_steps to max_steps steps in order, each command only after one that it comes after.

    With a plan its steps come first, as many as max_steps allows, and others only as far as min_steps asks for them. Words hold no NUL
    and are UTF-8; an empty word is possible. `covers` holds the tags of what was drawn on purpose, in the short form. `known` are the
    forms of the grammar, where they are at hand.
    """
    return _cases(grammar, plan, forms(grammar) if known is None else known)


@st.composite
def _cases(draw: st.DrawFn, grammar: Grammar, plan: Plan, known: Mapping[str, Form]) -> DrawnCase:
    writer = _Writer(draw, grammar, known)
    for goal in plan[: grammar.max_steps]:
        writer.write(goal)
    number = grammar.min_steps if plan else draw(st.integers(grammar.min_steps, grammar.max_steps))
    while len(writer.steps) < number:
        writer.write(writer.free_step())
    return DrawnCase(
        steps=tuple(writer.steps),
        covers=covered_by(grammar, writer.forms, writer.written),
        inputs=inputs_read(writer.forms, writer.written),
    )


class _Writer:
    """Writes one case; remembers which commands ran and what they used."""

    def __init__(self, draw: st.DrawFn, grammar: Grammar, known: Mapping[str, Form]) -> None:
        self.draw = draw
        self.grammar = grammar
        self.forms = known
        self.steps: list[DrawnStep] = []
        self.written: list[WrittenStep] = []
        self.memory = Memory(pools=grammar.pools)
        self.ran: set[str] = set()

    def free_step(self) -> StepGoal:
        """Any step that can stand here; of an unknown command or with an unknown option now and then where the grammar has them."""
        if self.grammar.has_strangers and self._one_in(_SELDOM):
            return StepGoal(command=None)
        form = self._choose([form for form in self.forms.values() if self._may_start(form)])
        name, present = form.command.name, self._present(form)
        if self.grammar.unknown_options and self._one_in(_SELDOM):
            return StepGoal(command=name, present=present, unknown_option=True)
        slots = [slot for slot in form.slots if not slot.variable or slot.place in present]
        repeats = tuple(slot.place for slot in slots if slot.argument.repeat > 1 and self._one_in(3))
        return StepGoal(command=name, present=present, edges=self._edges(slots), repeats=repeats)

    def write(self, goal: StepGoal) -> None:
        """Add one step."""
        if goal.command is None:
            self._write_unknown()
            return
        form = self.forms[goal.command]
        line = DrawnLine(self.draw, self.memory, goal, form)
        argv = line.argv
        if goal.unknown_option:
            argv = (*argv, self._choose(words.unknown_options(form.command)))
        else:
            self.ran.add(form.command.name)
        self._add(argv, line.stdin, line.told)

    def _write_unknown(self) -> None:
        argv = [self._choose(words.unknown_names(self.grammar))]
        known = [word for pool in self.grammar.pools.values() for word in pool] or ["a"]
        argv += [self._choose(known) for _ in range(self.draw(st.integers(0, 2)))]
        self._add(argv, None, WrittenStep(name=None))

    def _add(self, argv: Sequence[str], stdin: str | None, written: WrittenStep) -> None:
        self.steps.append(DrawnStep(argv=tuple(argv), stdin=stdin))
        self.written.append(written)

    def _may_start(self, form: Form) -> bool:
        after = form.command.after
        return not after or any(name in self.ran for name in after)

    def _present(self, form: Form) -> tuple[str, ...]:
        heads = [self._choose(group) for group in form.groups.values()]
        free = [slot for slot in form.variable if slot.argument.one_of is None or slot in heads]
        due = [slot.place for slot in free if slot.place in form.due]
        optional = [slot.place for slot in free if slot.place not in form.due]
        if len(optional) <= _FEW:
            drawn = [place for place in optional if not self._one_in(4)]
        else:
            drawn = self.draw(st.lists(st.sampled_from(optional), unique=True, max_size=_FEW))
        return form.completed((*due, *drawn))

    def _edges(self, slots: Sequence[Slot]) -> tuple[tuple[str, Edge], ...]:
        """None in three steps of four, one in most of the others, any number in the rest: plans have each edge, and the first that is
        refused hides what comes after it."""
        able = [slot for slot in slots if slot.argument.edges]
        how = self.draw(st.integers(1, 12)) if able else 1
        if how <= 9:
            return ()
        chosen = [self._choose(able)] if how <= 11 else [slot for slot in able if self._one_in(3)]
        return tuple((slot.place, self._choose(slot.argument.edges)) for slot in chosen)

    def _one_in(self, odds: int) -> bool:
        return self.draw(st.integers(1, odds)) == odds

    def _choose(self, options: Sequence[_T]) -> _T:
        return self.draw(st.sampled_from(options))
