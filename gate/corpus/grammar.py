"""The grammar of a corpus: commands, typed arguments, pools and edge values, as `gate.toml` states them."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

import msgspec

Kind = Literal["literal", "choice", "pool", "int", "float", "text", "flag"]

Edge = Literal[
    "empty",
    "duplicate",
    "missing",
    "folder",
    "unreadable",
    "unicode",
    "long",
    "zero",
    "negative",
    "huge",
    "wrong",
    "bare",
]

Role = Literal["create", "read", "update", "delete", "list"]


class Argument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One argument of a command. Exactly the keys that its kind uses may be set; None is a key that is not set."""

    kind: Kind
    value: str | None = None
    """literal: the word itself."""
    values: tuple[str, ...] | None = None
    """choice: the words to choose from."""
    pool: str | None = None
    """pool: the name of a list under `[pools]`."""
    min: int | float | None = None
    """int, float: the smallest value (0); text: the shortest, in characters (1)."""
    max: int | float | None = None
    """int, float: the largest value (100); text: the longest, in characters (20)."""
    optional: bool = False
    """Whether the argument may be left out."""
    option: str | None = None
    """An option name that precedes the value, e.g. `--limit`; one that ends in `=` is joined to it. A flag is this word alone."""
    repeat: int = 1
    """Drawn up to so many times in a row."""
    one_of: str | None = None
    """Of the arguments of a command with this label at most one is drawn; exactly one where none of them is optional."""
    edges: tuple[Edge, ...] = ()
    """Edge values to draw as well: see docs/corpus.md."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest of a number or of a text's length, defaults filled in."""
        lowest, highest = (1, 20) if self.kind == "text" else (0, 100)
        return (lowest if self.min is None else self.min, highest if self.max is None else self.max)


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One command of the program."""

    name: str
    """The command word; several words with single spaces between them are several words of the command line."""
    words: tuple[str, ...] | None = None
    """The command words where they are not the name; none where the program has no command word."""
    before: tuple[Argument, ...] = ()
    """Arguments that stand before the command words."""
    args: tuple[Argument, ...] = ()
    after: tuple[str, ...] = ()
    """Precondition: at least one of these commands stands earlier in the case."""
    stdin: Argument | None = None
    """What to draw for standard input; None is an empty input."""
    role: Role | None = None
    """What the command does to a thing that outlives the step; set together with `noun`."""
    noun: str | None = None
    """What sort of thing that is: commands of one noun are put in sequence (gate.corpus.lives)."""

    @property
    def command_words(self) -> tuple[str, ...]:
        """The words of the command line that name this command."""
        return tuple(self.name.split(" ")) if self.words is None else self.words


class Grammar(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What cases are drawn from."""

    pools: dict[str, tuple[str, ...]] = {}
    commands: tuple[Command, ...] = ()
    unknown_commands: bool = True
    """Whether steps with a command that the program does not have are drawn too."""
    unknown_options: bool = False
    """Whether steps with an option that the command does not have are drawn too."""
    min_steps: int = 1
    max_steps: int = 6

    @property
    def has_strangers(self) -> bool:
        """Whether steps with an unknown command can be drawn: a program without command words takes any word for an argument."""
        return self.unknown_commands and any(command.command_words for command in self.commands)


def grammar_digest(grammar: Grammar) -> str:
    """`sha256:…` over everything the grammar says. The order of the pools says nothing; the order of all else does."""
    return "sha256:" + sha256(msgspec.json.encode(grammar, order="deterministic")).hexdigest()
