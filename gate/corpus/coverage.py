"""What a corpus covers of its grammar: commands, options, choices, edge values, pairs of each, lives.

A pair `a > b` is covered when a step of command `b` directly follows a step of command `a` in one case; `a` may be `b`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from gate.corpus.grammar import Grammar
from gate.corpus.lives import lives
from gate.corpus.slots import Form, forms, shown
from gate.corpus.tags import (
    NOTHING,
    UNKNOWN,
    alone_tag,
    choice_tag,
    command_tag,
    edge_tag,
    expanded,
    option_tag,
    options_tag,
    pair_tag,
    repeat_tag,
    unknown_option_tag,
)

MOST = 20
"""Uncovered lines of one sort that a report shows unless all are asked for."""

_ALWAYS = ("commands", "edges", "pairs")
"""Sorts that a report names also where the grammar has nothing of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How much of one sort of thing is covered."""

    what: str
    """`commands`, `options`, `options alone`, `repeats`, `choices`, `edges`, `unknown options`, `lives`, `pairs` or `pairs of options`."""
    covered: int
    uncovered: tuple[str, ...]
    """The tags that no case covers, in the order of the grammar."""

    @property
    def total(self) -> int:
        """How many there are."""
        return self.covered + len(self.uncovered)


def coverage(grammar: Grammar, tags: Iterable[str]) -> tuple[Share, ...]:
    """Everything that `grammar` has, held against what the cases cover. Tags that the grammar does not know count nothing.

    A sort of which the grammar has nothing is left out, but for commands, edges and pairs.
    """
    seen = expanded(tags)
    return tuple(
        Share(
            what=what,
            covered=sum(tag in seen for tag in expected),
            uncovered=tuple(tag for tag in expected if tag not in seen),
        )
        for what, expected in wanted_tags(grammar).items()
        if expected or what in _ALWAYS
    )


def wanted_tags(grammar: Grammar) -> dict[str, tuple[str, ...]]:
    """Every tag that cases of `grammar` can cover, by its sort, in the order of the grammar; pairs come last."""
    known = forms(grammar).values()
    sorts: dict[str, Iterable[str]] = {
        "commands": (
            *(command_tag(form.command.name) for form in known),
            *([UNKNOWN] if grammar.has_strangers else []),
        ),
        "options": (option_tag(slot.label, form.command.name) for form in known for slot in form.slots if slot.named),
        "options alone": (tag for form in known for tag in _alone_tags(form)),
        "repeats": (
            repeat_tag(slot.label, form.command.name)
            for form in known
            for slot in form.slots
            if slot.argument.repeat > 1
        ),
        "choices": (tag for form in known for tag in _choice_tags(form)),
        "edges": (
            edge_tag(edge, slot.place, form.command.name)
            for form in known
            for slot in form.slots
            for edge in slot.argument.edges
        ),
        "unknown options": (unknown_option_tag(form.command.name) for form in known if grammar.unknown_options),
        "lives": (life.tag for life in lives(grammar) if grammar.max_steps >= len(life.roles)),
        "pairs": _pair_tags(grammar),
        "pairs of options": (tag for form in known for tag in _option_pair_tags(form)),
    }
    return {what: tuple(dict.fromkeys(tags)) for what, tags in sorts.items()}


def coverage_lines(shares: Iterable[Share], *, most: int | None = MOST) -> tuple[str, ...]:
    """The report, a line each: a count for every sort, and under it what is not covered, at most `most` of a sort (None: all)."""
    lines: list[str] = []
    for share in shares:
        lines.append(f"{share.what}: {share.covered} of {share.total} covered")
        lines.extend(f"  not covered: {tag}" for tag in share.uncovered[:most])
        if most is not None and len(share.uncovered) > most:
            lines.append(f"  … and {len(share.uncovered) - most} more (all of them: gate corpus coverage --all)")
    return tuple(lines)


def _alone_tags(form: Form) -> Iterable[str]:
    if not form.variable:
        return
    if not form.due:
        yield alone_tag(NOTHING, form.command.name)
    yield from (alone_tag(slot.label, form.command.name) for slot in form.variable)


def _choice_tags(form: Form) -> Iterable[str]:
    for slot in form.slots:
        for value in slot.argument.values or ():
            yield choice_tag(slot.label, shown(value), form.command.name)


def _pair_tags(grammar: Grammar) -> Iterable[str]:
    if grammar.max_steps < 2:
        return ()
    names = [command.name for command in grammar.commands]
    return (pair_tag(first, second) for first in names for second in names)


def _option_pair_tags(form: Form) -> Iterable[str]:
    for one, other in combinations(form.variable, 2):
        if not form.excludes(one, other):
            yield options_tag((one.label, other.label), form.command.name)
