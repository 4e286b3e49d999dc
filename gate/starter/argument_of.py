"""What a parser says of one option or argument, as arguments of a grammar: of the right kind, with all edges of that kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from gate.corpus.grammar import Argument, Edge
from gate.parser.parsed import ParsedArgument, ParsedOption, ParsedValue
from gate.starter.telling_words import NAME, is_folder, path_like, quoted, telling, waits, written_to

REPEAT = 3
"""How often at most what may be given any number of times is drawn in a row."""

_CHOICE: tuple[Edge, ...] = ("empty", "wrong")
_NUMBER: tuple[Edge, ...] = ("empty", "zero", "negative", "huge", "wrong")
_SHORT_NUMBER: tuple[Edge, ...] = ("zero", "negative", "wrong")
_TEXT: tuple[Edge, ...] = ("empty", "unicode", "long")
_FILE: tuple[Edge, ...] = ("empty", "missing", "folder", "unreadable")
_LARGEST = 1 << 62


@dataclass(frozen=True, slots=True, kw_only=True)
class PackFacts:
    """What a fixture pack holds, as words of a command line."""

    files: tuple[str, ...]
    """Never empty. The first is what the program most likely reads."""
    folders: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """Words that the samples use as names: keys, heads of columns."""
    texts: tuple[str, ...] = ()
    """For standard input; never empty where a command reads it."""


@dataclass(slots=True, kw_only=True)
class Pools:
    """The pools that arguments have asked for, in that order."""

    facts: PackFacts
    named: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, name: str, words: Sequence[str]) -> str:
        """The name of a pool with exactly these words: `name` itself, or with a number where another has it."""
        told, wanted, number = tuple(dict.fromkeys(words)), name, 1
        while self.named.setdefault(wanted, told) != told:
            number += 1
            wanted = f"{name}-{number}"
        return wanted

    def files(self, names: Sequence[str], *, dash: bool = False) -> str:
        """The pool for a path of these names."""
        facts = self.facts
        if written_to(names):
            return self.add("output", ("out.txt", "no-such-folder/out.txt", facts.files[0]))
        if is_folder(names):
            return self.add("folder", (*facts.folders, ".", facts.files[0]))
        return self.add("file", (*facts.files, *facts.folders, *(["-"] if dash else [])))


def of_option(option: ParsedOption, pools: Pools) -> tuple[Argument, ...]:
    """The arguments for one option: one, or for one whose value may be left out one with and one without it, of which one is drawn.

    A flag with both a `--x` and a `--no-x` is two of which one is drawn.
    """
    name = option.names[0]
    repeat = REPEAT if option.repeatable else 1
    optional = not option.required
    if option.value is None:
        opposite = next(
            (each for each in option.names[1:] if re.sub("^--no-", "--", each) == re.sub("^--no-", "--", name)), None
        )
        spellings = [name, opposite] if opposite else [name]
        label = option.one_of or (f"{name} or not" if opposite else None)
        return tuple(
            Argument(kind="flag", option=each, optional=optional, repeat=repeat, one_of=_label(label))
            for each in spellings
        )
    names = (*option.names, option.value.metavar)
    valued = _of_value(option.value, names, option.help, pools)
    if not option.value_optional:
        return (_with(valued, option=name, optional=optional, repeat=repeat, one_of=option.one_of, bare=True),)
    label = option.one_of or f"{name} with or without"
    joined = f"{name}=" if name.startswith("--") else name
    return (
        Argument(kind="flag", option=name, optional=optional, one_of=_label(label)),
        _with(valued, option=joined, optional=optional, repeat=repeat, one_of=label, bare=False),
    )


def of_argument(argument: ParsedArgument, pools: Pools, *, dash: bool = False) -> tuple[Argument, ...]:
    """The arguments for one positional: as many as it needs at least, then those that may be left out."""
    value = argument.value
    if value.kind == "text" and path_like(argument.name, value.metavar):
        value = ParsedValue(kind="path", metavar=value.metavar)
    one = _of_value(value, (argument.name, value.metavar), argument.help, pools, dash=dash)
    if argument.one_of is not None:
        many = REPEAT if argument.most is None else min(max(argument.most, 1), REPEAT)
        return (_with(one, optional=argument.least == 0, repeat=many, one_of=argument.one_of),)
    plain = _with(one, optional=False)
    if argument.most is None:
        return (*[plain] * max(argument.least - 1, 0), _with(one, optional=argument.least == 0, repeat=REPEAT))
    further = min(argument.most, argument.least + REPEAT) - argument.least
    return (*[plain] * argument.least, *[_with(one, optional=True)] * further)


def _of_value(
    value: ParsedValue, names: Sequence[str], help_text: str, pools: Pools, *, dash: bool = False
) -> Argument:
    match value.kind:
        case "choice" if choices := tuple(dict.fromkeys(filter(usable, value.choices))):
            return Argument(kind="choice", values=choices, edges=_CHOICE)
        case "path":
            return Argument(kind="pool", pool=pools.files(names, dash=dash), edges=_FILE)
        case "int" | "float":
            low, high = _bounds(value, brief=waits(names))
            kind = value.kind
            return Argument(kind=kind, min=low, max=high, edges=_SHORT_NUMBER if waits(names) else _NUMBER)
    return _of_text(value, names, help_text, pools)


def _of_text(value: ParsedValue, names: Sequence[str], help_text: str, pools: Pools) -> Argument:
    if any(path_like(name, "") for name in names):
        return Argument(kind="pool", pool=pools.files(names), edges=_FILE)
    given = (value.default,) if value.default and usable(value.default) else ()
    if words := quoted(help_text):
        return Argument(kind="pool", pool=pools.add(_slug(names[0]), (*words, *given)), edges=(*_TEXT, "missing"))
    if (told := telling(names)) is not None:
        keys = pools.facts.keys if told[0] == NAME else ()
        return Argument(kind="pool", pool=pools.add(told[0], (*told[1], *keys)), edges=_TEXT)
    return Argument(kind="text", max=12, edges=_TEXT)


def _bounds(value: ParsedValue, *, brief: bool) -> tuple[int, int]:
    """The parser's own, as far as a grammar takes them, else 0 to 100, or to 2 where large ones only cost time."""

    def within(bound: int) -> int:
        return max(-_LARGEST, min(bound, _LARGEST))

    usual = 2 if brief else 100
    if value.max is not None:
        most = within(value.max)
        return min(within(0 if value.min is None else value.min), most), most
    least = within(0 if value.min is None else value.min)
    return least, max(least, usual)


def _with(
    argument: Argument,
    *,
    optional: bool,
    option: str | None = None,
    repeat: int = 1,
    one_of: str | None = None,
    bare: bool = False,
) -> Argument:
    edges: tuple[Edge, ...] = (*argument.edges, "bare") if bare else argument.edges
    return Argument(
        kind=argument.kind, value=argument.value, values=argument.values, pool=argument.pool, min=argument.min, max=argument.max,
        option=option, optional=optional, repeat=repeat, one_of=_label(one_of), edges=edges,
    )  # fmt: skip


def _label(told: str | None) -> str | None:
    return told if told and usable(told) else None


def usable(word: str) -> bool:
    """Whether a word can stand in a grammar: no NUL, and UTF-8 can hold it."""
    return not any(character == "\0" or "\ud800" <= character <= "\udfff" for character in word)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "word"
