"""The words of one step, drawn as its goal wants them. Only the drawing process imports this module: it imports Hypothesis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar, assert_never

from hypothesis import strategies as st

from gate.corpus import words
from gate.corpus.goals import StepGoal
from gate.corpus.grammar import Argument, Edge
from gate.corpus.slots import Form, Slot
from gate.corpus.written import WrittenStep

_T = TypeVar("_T")

_HEAD = 4
"""Words at the beginning of a pool of more than twice as many that are drawn more often than the others."""


@dataclass(slots=True, kw_only=True)
class Memory:
    """What a case has used so far."""

    pools: dict[str, tuple[str, ...]]
    used: dict[str, list[str]] = field(default_factory=dict)
    """The words of each pool that were used, in that order."""
    things: dict[str, list[str]] = field(default_factory=dict)
    """The names of the things of each noun, in the order in which they were named."""
    numbered: dict[tuple[str, int], str] = field(default_factory=dict)
    """The names that goals fixed, by noun and number."""


class DrawnLine:
    """One step of a command that the program has: drawn when it is made, words left to right, then standard input."""

    def __init__(self, draw: st.DrawFn, memory: Memory, goal: StepGoal, form: Form) -> None:
        self.stdin: str | None = None
        self._draw, self._memory, self._goal, self._form = draw, memory, goal, form
        self._wanted = dict(goal.edges)
        self._rows: dict[str, list[str]] = {"before": [], "args": []}
        self._last: dict[str, list[str]] = {"before": [], "args": []}
        self._edges: list[tuple[str, Edge]] = []
        self._choices: list[tuple[str, str]] = []
        self._inputs: dict[str, str] = {}
        self._thing: str | None = None
        for slot in form.slots:
            if not slot.variable or slot.place in goal.present or (slot.place == "stdin" and self._asks_for_input):
                self._write(slot)

    @property
    def _asks_for_input(self) -> bool:
        """Whether a word says that standard input is to be read: an empty one would tell little. It covers nothing by itself."""
        return "-" in (*self._rows["before"], *self._rows["args"])

    @property
    def argv(self) -> tuple[str, ...]:
        """The words of the command line; options without their value stand last."""
        before, args = ([*self._rows[part], *self._last[part]] for part in ("before", "args"))
        return (*before, *self._form.command.command_words, *args)

    @property
    def told(self) -> WrittenStep:
        """What was drawn."""
        return WrittenStep(
            name=self._form.command.name,
            present=frozenset(self._goal.present),
            edges=tuple(self._edges),
            choices=tuple(self._choices),
            inputs=tuple(self._inputs.items()),
            repeats=self._goal.repeats,
            unknown_option=self._goal.unknown_option,
            thing=self._thing,
        )

    def _write(self, slot: Slot) -> None:
        edge = self._wanted.get(slot.place)
        part = slot.place.partition("[")[0]
        if slot.place == "stdin":
            self.stdin = self._word(slot, edge)
        elif edge == "bare":
            self._edges.append((slot.place, edge))
            self._last[part].append(slot.argument.option or "")
        else:
            least, most = (2, slot.argument.repeat) if slot.place in self._goal.repeats else (1, 1)
            for time in range(self._draw(st.integers(least, most))):
                self._rows[part] += self._value(slot, edge if time == 0 else None)

    def _value(self, slot: Slot, edge: Edge | None) -> list[str]:
        option = slot.argument.option
        if slot.argument.kind == "flag":
            return [option or ""]
        word = self._word(slot, edge)
        if option is None:
            return [word]
        return [option + word] if option.endswith("=") else [option, word]

    def _word(self, slot: Slot, edge: Edge | None) -> str:
        argument = slot.argument
        pool = self._memory.pools.get(argument.pool or "", ())
        used = self._memory.used.setdefault(argument.pool or "", [])
        able = words.edge_words(edge, argument, pool=pool, used=used) if edge is not None else ()
        if edge is not None and able:
            self._edges.append((slot.place, edge))
            word = self._choose(able)
        else:
            word = self._plain(slot, pool)
        if word in pool:
            used.append(word)
        if slot.place == self._form.name_place and self._thing is None:
            self._thing = word
            self._memory.things.setdefault(self._form.command.noun or "", []).append(word)
        return word

    def _plain(self, slot: Slot, pool: Sequence[str]) -> str:
        word = dict(self._goal.values).get(slot.place)
        if word is None and slot.place == self._form.name_place:
            word = self._name(slot, pool)
        if word is None:
            word = self._any(slot, pool)
        if slot.argument.option is None and slot.argument.kind == ("choice" if slot.place == "stdin" else "pool"):
            self._inputs.setdefault(slot.place, word)
        if slot.argument.kind == "choice" and (not slot.variable or slot.place in self._goal.present):
            self._choices.append((slot.place, word))
        return word

    def _name(self, slot: Slot, pool: Sequence[str]) -> str | None:
        """The name of the thing that the goal wants; of any other thing, half of the time one that was named before."""
        noun, role = self._form.command.noun or "", self._form.command.role
        named = self._memory.things.get(noun, [])
        if self._goal.thing is not None:
            key = (noun, self._goal.thing)
            if key not in self._memory.numbered:
                self._memory.numbered[key] = self._any(slot, [word for word in pool if word not in named] or pool)
            return self._memory.numbered[key]
        if role == "create" or not named or self._draw(st.booleans()):
            return None
        return self._choose(tuple(dict.fromkeys(named)))

    def _any(self, slot: Slot, pool: Sequence[str]) -> str:
        argument = slot.argument
        smallest, largest = argument.bounds
        match argument.kind:
            case "literal" | "flag":
                return argument.value or ""
            case "choice":
                return self._choose(argument.values or ())
            case "pool":
                return self._choose(self._head(slot, pool))
            case "int":
                return str(self._draw(st.integers(int(smallest), int(largest))))
            case "float":
                return self._decimal(argument)
            case "text":
                alphabet = words.STDIN_ALPHABET if slot.place == "stdin" else words.TEXT_ALPHABET
                return self._draw(st.text(alphabet, min_size=int(smallest), max_size=int(largest)))
            case _:
                assert_never(argument.kind)

    def _head(self, slot: Slot, pool: Sequence[str]) -> Sequence[str]:
        """Half of the time the first words of a long pool, which are the most telling ones, else all; always all where they name things."""
        long = len(pool) > 2 * _HEAD and slot.place != self._form.name_place
        return pool[:_HEAD] if long and self._draw(st.booleans()) else pool

    def _decimal(self, argument: Argument) -> str:
        """Hundredths, as people write them; where there is none between the bounds, any float."""
        smallest, largest = argument.bounds
        least, most = math.ceil(Decimal(smallest) * 100), math.floor(Decimal(largest) * 100)
        if least > most:
            return repr(self._draw(st.floats(smallest, largest)))
        return f"{Decimal(self._draw(st.integers(least, most))).scaleb(-2):f}"

    def _choose(self, options: Sequence[_T]) -> _T:
        return self._draw(st.sampled_from(options))
