"""What a program's own parser says: commands, options and arguments, whatever library or help text they were read from."""

from __future__ import annotations

from typing import Literal

import msgspec

Source = Literal["argparse", "click", "optparse", "help"]
"""`click` is Typer, too, which is built on it; `help` is the text that `--help` prints, of a program in any language."""

ValueKind = Literal["text", "int", "float", "choice", "path"]


class ParsedValue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an option or an argument takes."""

    kind: ValueKind = "text"
    choices: tuple[str, ...] = ()
    """choice: the words, in the parser's order; never empty there, and empty for every other kind."""
    default: str | None = None
    """The default as a word of the command line, where the parser states one that is one."""
    min: int | None = None
    """int, float: the smallest value, where the parser states it."""
    max: int | None = None
    """int, float: the largest value, where the parser states it."""
    metavar: str = ""
    """The placeholder of the help, e.g. `FILE`; empty where there is none."""


class ParsedOption(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One option."""

    names: tuple[str, ...]
    """All spellings, the longest first: `--output`, `-o`. Never empty."""
    value: ParsedValue | None = None
    """None: a flag."""
    value_optional: bool = False
    """Whether the value may be left out (`--color[=WHEN]`)."""
    joined: bool = False
    """Whether the help writes `--name=VALUE`: a program of no parser's, as many in shell or awk, takes no other spelling."""
    least: int = 1
    """How many words its value is, at least; `value_optional` says whether all may be left out."""
    most: int | None = 1
    """How many words its value is, at most; None is any number (`--files A B C`)."""
    required: bool = False
    """In a mutually exclusive group: whether one of the group is required."""
    repeatable: bool = False
    """Whether a second one adds to the first (append, count, multiple)."""
    one_of: str | None = None
    """The label of the mutually exclusive group that it is in; the same label is the same group within one command."""
    help: str = ""


class ParsedArgument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One positional argument."""

    name: str
    value: ParsedValue = ParsedValue()
    least: int = 1
    """How many words at least; 0 where it may be left out."""
    most: int | None = 1
    """How many words at most; None is any number."""
    rest: bool = False
    """Whether all that follows is its own, options too (argparse's REMAINDER)."""
    one_of: str | None = None
    """As for an option, in the same groups."""
    help: str = ""


class ParsedCommand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One command, or the whole program where it has none."""

    words: tuple[str, ...] = ()
    """The command words: (`remote`, `add`); empty for a program without commands, and for what a program with commands does alone."""
    before: tuple[ParsedOption, ...] = ()
    """Options of the program itself, which stand before the command words."""
    options: tuple[ParsedOption, ...] = ()
    """Without `--help` and `--version`."""
    arguments: tuple[ParsedArgument, ...] = ()
    help: str = ""


class ParsedProgram(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program, read."""

    source: Source
    commands: tuple[ParsedCommand, ...]
    """In the parser's order, sub-commands of sub-commands too; aliases are not commands of their own. Never empty."""
    notes: tuple[str, ...] = ()
    """What could not be read, a line each, for the person who runs `gate init`."""
