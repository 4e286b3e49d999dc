"""A grammar as a Hypothesis strategy of cases. Only the drawing process imports this module: it imports Hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, assert_never

from hypothesis import strategies as st

from gate.corpus import words
from gate.corpus.coverage import UNKNOWN, command_tag, edge_tag, pair_tag
from gate.corpus.exchange import DrawnCase, DrawnStep
from gate.corpus.grammar import Argument, Command, Edge, Grammar

_T = TypeVar("_T")


@st.composite
def drawn_cases(draw: st.DrawFn, grammar: Grammar) -> DrawnCase:
    """Cases of a checked grammar: min_steps to max_steps steps in order, each command only after one that it comes after.

    Words hold no NUL and are UTF-8; an empty word is possible. `covers` holds the tags of what was drawn on purpose.
    """
    writer = _Writer(draw, grammar)
    for _ in range(draw(st.integers(grammar.min_steps, grammar.max_steps))):
        writer.write_step()
    return DrawnCase(steps=tuple(writer.steps), covers=tuple(sorted(writer.covers)))


class _Writer:
    """Writes one case; remembers which commands ran and which words of each pool were used, in that order."""

    def __init__(self, draw: st.DrawFn, grammar: Grammar) -> None:
        self.draw = draw
        self.grammar = grammar
        self.steps: list[DrawnStep] = []
        self.covers: set[str] = set()
        self.used: dict[str, list[str]] = {name: [] for name in grammar.pools}
        self.ran: set[str] = set()
        self.previous: str | None = None

    def write_step(self) -> None:
        """Add one step, of an unknown command now and then where the grammar has them."""
        if self.grammar.unknown_commands and self._one_in(8):
            self._write_unknown()
            return
        command = self._choose([each for each in self.grammar.commands if self._may_start(each)])
        self.covers.add(command_tag(command.name))
        if self.previous is not None:
            self.covers.add(pair_tag(self.previous, command.name))
        argv = command.name.split(" ")
        for position, argument in enumerate(command.args):
            argv += self._argument(argument, place=f"args[{position}]", name=command.name)
        self.steps.append(DrawnStep(argv=tuple(argv), stdin=self._stdin(command)))
        self.ran.add(command.name)
        self.previous = command.name

    def _write_unknown(self) -> None:
        argv = [self._choose(words.unknown_names(self.grammar))]
        known = [word for pool in self.grammar.pools.values() for word in pool] or ["a"]
        argv += [self._choose(known) for _ in range(self.draw(st.integers(0, 2)))]
        self.covers.add(UNKNOWN)
        self.steps.append(DrawnStep(argv=tuple(argv), stdin=None))
        self.previous = None

    def _may_start(self, command: Command) -> bool:
        return not command.after or any(name in self.ran for name in command.after)

    def _one_in(self, odds: int) -> bool:
        return self.draw(st.integers(1, odds)) == odds

    def _choose(self, options: Sequence[_T]) -> _T:
        return self.draw(st.sampled_from(options))

    def _argument(self, argument: Argument, *, place: str, name: str) -> list[str]:
        if argument.optional and self._one_in(4):
            return []
        word = self._word(argument, place=place, name=name)
        if argument.option is None:
            return [word]
        return [argument.option + word] if argument.option.endswith("=") else [argument.option, word]

    def _stdin(self, command: Command) -> str | None:
        if command.stdin is None or (command.stdin.optional and self._one_in(4)):
            return None
        return self._word(command.stdin, place="stdin", name=command.name)

    def _word(self, argument: Argument, *, place: str, name: str) -> str:
        edges = [edge for edge in argument.edges if self._possible(edge, argument)]
        if edges and self._one_in(3):
            edge = self._choose(edges)
            self.covers.add(edge_tag(edge, place, name))
            word = self._choose(self._edge_words(edge, argument))
        else:
            word = self._plain_word(argument, words.STDIN_ALPHABET if place == "stdin" else words.TEXT_ALPHABET)
        if argument.pool is not None and word in self.grammar.pools[argument.pool]:
            self.used[argument.pool].append(word)
        return word

    def _possible(self, edge: Edge, argument: Argument) -> bool:
        return edge != "duplicate" or (argument.pool is not None and bool(self.used[argument.pool]))

    def _plain_word(self, argument: Argument, alphabet: str) -> str:
        smallest, largest = argument.bounds
        match argument.kind:
            case "literal":
                return argument.value or ""
            case "choice":
                return self._choose(argument.values or ())
            case "pool":
                return self._choose(self._pool(argument))
            case "int":
                return str(self.draw(st.integers(smallest, largest)))
            case "text":
                return self.draw(st.text(alphabet, min_size=smallest, max_size=largest))
            case _:
                assert_never(argument.kind)

    def _pool(self, argument: Argument) -> tuple[str, ...]:
        return self.grammar.pools[argument.pool or ""]

    def _edge_words(self, edge: Edge, argument: Argument) -> Sequence[str]:
        if edge == "duplicate":
            return tuple(dict.fromkeys(self.used[argument.pool or ""]))
        if edge == "missing":
            pool = self._pool(argument)
            used = self.used[argument.pool or ""]
            return (words.absent_word(pool), *(word for word in dict.fromkeys(pool) if word not in used))
        if edge == "unicode" and argument.kind == "int":
            return words.UNICODE_NUMBERS
        return words.FIXED[edge]
