"""The tags by which coverage is counted: one text for everything that a case can cover.

The name of a command stands last and labels hold no white space, so that no two things share a tag.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

UNKNOWN = "unknown command"
"""The tag of a step whose command the program does not have."""

NOTHING = "nothing"
"""The label of no optional argument at all."""

_PAIRS = ("pair ", "options ")


def command_tag(name: str) -> str:
    """The tag of a step of command `name`."""
    return f"command {name}"


def edge_tag(edge: str, place: str, name: str) -> str:
    """The tag of an edge value; `place` is `args[0]`, …, `before[0]`, … or `stdin`."""
    return f"edge {edge} {place} of {name}"


def pair_tag(first: str, second: str) -> str:
    """The tag of a step of `second` right after a step of `first`. Names hold no `>`."""
    return f"pair {first} > {second}"


def option_tag(label: str, name: str) -> str:
    """The tag of an optional argument that a step has, with others or without."""
    return f"option {label} of {name}"


def alone_tag(label: str, name: str) -> str:
    """The tag of the only optional argument that a step has; of a step without any it is that of `NOTHING`."""
    return f"alone {label} of {name}"


def options_tag(labels: Sequence[str], name: str) -> str:
    """The tag of two optional arguments or more that one step has, in the order of the command line."""
    return f"options {' + '.join(labels)} of {name}"


def choice_tag(label: str, value: str, name: str) -> str:
    """The tag of a choice that was drawn; `value` as `gate.corpus.slots.shown` has it."""
    return f"choice {label}={value} of {name}"


def repeat_tag(label: str, name: str) -> str:
    """The tag of an argument that a step has twice or more."""
    return f"repeat {label} of {name}"


def unknown_option_tag(name: str) -> str:
    """The tag of a step with an option that its command does not have."""
    return f"unknown option of {name}"


def life_tag(noun: str, life: str) -> str:
    """The tag of two commands in sequence on one thing: `create then read`, `read twice`, `read after delete`."""
    return f"life {noun}: {life}"


def expanded(tags: Iterable[str]) -> frozenset[str]:
    """The tags with all that they say: an option that stands alone is drawn, too, and of many options in one step every pair is.

    What a corpus keeps is the short form: six options in one step are one tag instead of twenty-one.
    """
    found: set[str] = set()
    for tag in tags:
        found.add(tag)
        kind, _, rest = tag.partition(" ")
        labels, _, name = rest.partition(" of ")
        if kind == "alone" and labels != NOTHING:
            found.add(option_tag(labels, name))
        elif kind == "options":
            found.discard(tag)
            several = labels.split(" + ")
            found.update(option_tag(label, name) for label in several)
            found.update(options_tag(pair, name) for pair in combinations(several, 2))
    return frozenset(found)


def is_pair(tag: str) -> bool:
    """Whether a tag is of two things together. There are many: everything that is covered alone counts more."""
    return tag.startswith(_PAIRS)
