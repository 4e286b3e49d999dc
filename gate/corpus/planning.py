"""Plans: goals packed into cases, so that the order of their steps covers pairs of neighbours as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from gate.corpus.goals import Goal, StepGoal, goals
from gate.corpus.grammar import Grammar
from gate.corpus.grammar_faults import steps_needed
from gate.corpus.slots import Form
from gate.corpus.tags import pair_tag

_LONGEST = 6
"""Steps of a planned case, where the grammar allows as many: what comes after the first difference is hard to read. A goal that needs
more has a case of its own."""

Plan = tuple[StepGoal, ...]
"""The steps of one case, in order, with all that they come after."""


def plans(grammar: Grammar, forms: Mapping[str, Form], wanted: frozenset[str], *, most: int) -> tuple[Plan, ...]:
    """At most `most` cases that cover the `wanted` tags, as far as goals and the order of steps can. The same input, the same plans.

    A goal that fits in no case of `max_steps` steps is left out; what only it covers stays uncovered.
    """
    return tuple(_Planner(grammar, forms, wanted).write(most))


class _Planner:
    def __init__(self, grammar: Grammar, forms: Mapping[str, Form], wanted: frozenset[str]) -> None:
        self.grammar = grammar
        self.forms = forms
        self.longest = min(grammar.max_steps, max(_LONGEST, grammar.min_steps))
        self.depth = steps_needed(grammar)
        names = list(forms)
        self.pairs = {
            first: dict.fromkeys(second for second in names if pair_tag(first, second) in wanted) for first in names
        }
        self.rows = [_Row(goals) for goals in goals(grammar, forms, wanted)]

    def write(self, most: int) -> Iterator[Plan]:
        made = 0
        while made < most and (plan := self._goal_case() or self._pair_case()):
            made += 1
            yield plan

    def _goal_case(self) -> Plan:
        """The next case of goals; empty when none is left."""
        steps: list[StepGoal] = []
        while (row := self._next(steps)) is not None:
            steps = self._with(steps, row.take())
        self._strike(steps)
        return tuple(steps)

    def _next(self, steps: Sequence[StepGoal]) -> _Row | None:
        """The row whose goal is to come next: of those that fit, one whose neighbourhood is wanted, and the one least served."""
        if steps and len(steps) >= self.longest:
            return None
        last = steps[-1] if steps else None
        after = {} if last is None or last.unknown_option else self.pairs.get(last.command or "", {})
        here = {other.command for one, other in pairwise(steps) if last is not None and one.command == last.command}
        best: tuple[bool, int] | None = None
        chosen: _Row | None = None
        for row in self.rows:
            head = row.head
            while head is not None and not steps and len(self._with((), head)) > self.grammar.max_steps:
                row.shorten()
                head = row.head
            if head is None or (steps and len(self._with(steps, head)) > self.longest):
                continue
            rank = (head[0].command not in after or head[0].command in here, row.served)
            if best is None or rank < best:
                best, chosen = rank, row
        return chosen

    def _pair_case(self) -> Plan:
        """A case of plain steps along neighbours that are still wanted; empty when there are none that fit."""
        for first, seconds in self.pairs.items():
            while seconds:
                second = next(iter(seconds))
                del seconds[second]
                steps = self._neighbours(first, second)
                if len(steps) <= self.grammar.max_steps:
                    self._walk(steps)
                    self._strike(steps)
                    return tuple(steps)
        return ()

    def _neighbours(self, first: str, second: str) -> list[StepGoal]:
        steps = self._after([], first)
        if not self._ready([*steps, self._plain(first)], second):
            steps = self._after(steps, second)
        return [*steps, self._plain(first), self._plain(second)]

    def _walk(self, steps: list[StepGoal]) -> None:
        while len(steps) < self.longest:
            self._strike(steps)
            onward = [name for name in self.pairs[steps[-1].command or ""] if self._ready(steps, name)]
            name = max(onward, key=lambda name: len(self.pairs[name]), default=None)
            if name is None:
                return
            steps.append(self._plain(name))

    def _strike(self, steps: Sequence[StepGoal]) -> None:
        for one, other in pairwise(steps):
            if (
                one.command is not None
                and other.command is not None
                and not (one.unknown_option or other.unknown_option)
            ):
                self.pairs[one.command].pop(other.command, None)

    def _with(self, steps: Sequence[StepGoal], goal: Iterable[StepGoal]) -> list[StepGoal]:
        """The steps with those of a goal, each after what it comes after."""
        written = list(steps)
        for step in goal:
            if step.command is not None:
                written = self._after(written, step.command)
            written.append(step)
        return written

    def _after(self, steps: Sequence[StepGoal], name: str) -> list[StepGoal]:
        """The steps, and the fewest that have to come before a step of `name` can."""
        if self._ready(steps, name):
            return list(steps)
        first = min(
            (known for known in self.forms[name].command.after if known in self.depth),
            key=lambda known: self.depth[known],
        )
        return [*self._after(steps, first), self._plain(first)]

    def _ready(self, steps: Iterable[StepGoal], name: str) -> bool:
        after = self.forms[name].command.after
        return not after or any(step.command in after and not step.unknown_option for step in steps)

    def _plain(self, name: str) -> StepGoal:
        return StepGoal(command=name, present=self.forms[name].completed(()))


class _Row:
    """Goals that are asked for one by one."""

    def __init__(self, goals: Iterator[Goal]) -> None:
        self.served = 0
        self._goals = goals
        self.head: Goal | None = next(goals, None)
        """The next goal; None when there is none."""

    def take(self) -> Goal:
        """The next goal, which is then another."""
        head = self.head or ()
        self.served += 1
        self.head = next(self._goals, None)
        return head

    def shorten(self) -> None:
        """Instead of the next goal, which fits in no case, its last step alone; where that is all it has, the goal after it."""
        head = self.head or ()
        self.head = head[-1:] if len(head) > 1 else next(self._goals, None)
