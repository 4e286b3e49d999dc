"""Lives: what becomes of a thing that commands create, read, update, delete and list.

A life is two roles in a row on one thing. What other things do in between says nothing, and neither do lists, but where the life is
one with a list. Where the noun has a command that creates, the thing was created before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gate.corpus.grammar import Grammar, Role
from gate.corpus.tags import life_tag

_ROLES: tuple[Role, ...] = ("create", "read", "update", "delete", "list")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A step that did something to a thing."""

    noun: str
    role: Role
    name: str | None
    """The thing's name; None where the step names none: it is taken for every thing of the noun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """Two roles in a row."""

    noun: str
    first: Role
    second: Role
    created: bool
    """Whether the noun has a command that creates."""

    @property
    def tag(self) -> str:
        """Its tag of coverage."""
        return life_tag(self.noun, life_name(self.first, self.second))

    @property
    def roles(self) -> tuple[Role, ...]:
        """The shortest row of roles on one thing that shows it."""
        before: tuple[Role, ...] = ("create",) if self.created and self.first != "create" else ()
        return (*before, self.first, self.second)


def life_name(first: Role, second: Role) -> str:
    """`read twice`, `read after delete`, `create then read`."""
    if first == second:
        return f"{first} twice"
    return f"{second} after delete" if first == "delete" else f"{first} then {second}"


def lives(grammar: Grammar) -> tuple[Life, ...]:
    """The lives of every noun, as far as it has commands of these roles, in the order of the grammar."""
    nouns = dict.fromkeys(command.noun for command in grammar.commands if command.noun is not None)
    return tuple(life for noun in nouns for life in _lives_of(grammar, noun))


def lived(grammar: Grammar, events: Sequence[Event]) -> frozenset[str]:
    """The tags of the lives that these events, in the order of the case, show."""
    known = {(life.noun, life.first, life.second): life for life in lives(grammar)} if events else {}
    found: set[str] = set()
    for noun, name in dict.fromkeys((event.noun, event.name) for event in events):
        own = [event.role for event in events if event.noun == noun and event.name in (name, None)]
        for row in (own, [role for role in own if role != "list"]):
            found.update(
                life.tag
                for place, pair in enumerate(pairwise(row))
                if (life := known.get((noun, *pair))) is not None and (not life.created or "create" in row[: place + 1])
            )
    return frozenset(found)


def _lives_of(grammar: Grammar, noun: str) -> Iterable[Life]:
    has = {command.role for command in grammar.commands if command.noun == noun}
    for first in _ROLES:
        for second in _ROLES:
            if {first, second} <= has and _telling(first, second):
                yield Life(noun=noun, first=first, second=second, created="create" in has)


def _telling(first: Role, second: Role) -> bool:
    if first == second or first in ("create", "delete"):
        return True
    return first == "update" and second in ("read", "list")
