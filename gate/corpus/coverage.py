"""What a corpus covers of its grammar: commands, edge values, pairs of neighbouring commands.

A pair `a > b` is covered when a step of command `b` directly follows a step of command `a` in one case; `a` may be `b`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from gate.corpus.grammar import Grammar
from gate.domain import Step

UNKNOWN = "unknown command"
"""The tag of a step whose command the program does not have."""


def command_tag(name: str) -> str:
    """The tag of a step of command `name`."""
    return f"command {name}"


def edge_tag(edge: str, place: str, name: str) -> str:
    """The tag of an edge value; `place` is `args[0]`, … or `stdin`. The name stands last, so that no two edges share a tag."""
    return f"edge {edge} {place} of {name}"


def pair_tag(first: str, second: str) -> str:
    """The tag of a step of `second` right after a step of `first`. Names hold no `>`."""
    return f"pair {first} > {second}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How much of one sort of thing is covered."""

    what: str
    """`commands`, `edges` or `pairs`."""
    covered: int
    uncovered: tuple[str, ...]
    """The tags that no case covers, in the order of the grammar."""

    @property
    def total(self) -> int:
        """How many there are."""
        return self.covered + len(self.uncovered)


def coverage(grammar: Grammar, tags: Iterable[str]) -> tuple[Share, ...]:
    """Commands, edges and pairs of `grammar`, held against what the cases cover. Tags that the grammar does not know count nothing."""
    seen = frozenset(tags)
    wanted = {"commands": _command_tags(grammar), "edges": _edge_tags(grammar), "pairs": _pair_tags(grammar)}
    return tuple(
        Share(
            what=what,
            covered=sum(tag in seen for tag in expected),
            uncovered=tuple(tag for tag in expected if tag not in seen),
        )
        for what, expected in wanted.items()
    )


def observed_tags(grammar: Grammar, steps: Iterable[Step]) -> tuple[str, ...]:
    """The commands and pairs that a hand-written case covers, read off its words: the longest command name that a step begins with.

    Edges are not read off: a word does not say which argument it was meant for.
    """
    names = [_command_of(grammar, step) for step in steps]
    tags = {UNKNOWN if name is None else command_tag(name) for name in names}
    tags |= {pair_tag(first, second) for first, second in pairwise(names) if first is not None and second is not None}
    return tuple(sorted(tags))


def coverage_lines(shares: Iterable[Share]) -> tuple[str, ...]:
    """The report, a line each: a count for every sort, and under it what is not covered."""
    lines: list[str] = []
    for share in shares:
        lines.append(f"{share.what}: {share.covered} of {share.total} covered")
        lines.extend(f"  not covered: {tag}" for tag in share.uncovered)
    return tuple(lines)


def _command_of(grammar: Grammar, step: Step) -> str | None:
    names = sorted((command.name for command in grammar.commands), key=lambda name: -len(name.split(" ")))
    for name in names:
        words = tuple(word.encode() for word in name.split(" "))
        if step.argv[: len(words)] == words:
            return name
    return None


def _command_tags(grammar: Grammar) -> list[str]:
    unknown = [UNKNOWN] if grammar.unknown_commands else []
    return [command_tag(command.name) for command in grammar.commands] + unknown


def _edge_tags(grammar: Grammar) -> list[str]:
    tags: list[str] = []
    for command in grammar.commands:
        for position, argument in enumerate(command.args):
            tags += [edge_tag(edge, f"args[{position}]", command.name) for edge in argument.edges]
        if command.stdin is not None:
            tags += [edge_tag(edge, "stdin", command.name) for edge in command.stdin.edges]
    return list(dict.fromkeys(tags))


def _pair_tags(grammar: Grammar) -> list[str]:
    if grammar.max_steps < 2:
        return []
    names = [command.name for command in grammar.commands]
    return [pair_tag(first, second) for first in names for second in names]
