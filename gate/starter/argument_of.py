"""What a parser says of one option or argument, as arguments of a grammar: of the right kind, with all edges of that kind."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec import structs

from gate.corpus.grammar import Argument, Edge
from gate.corpus.transcripts.credentials import secret_in
from gate.domain import Step
from gate.parser.parsed import ParsedArgument, ParsedOption, ParsedValue
from gate.parser.shape_values import names_path
from gate.starter.telling_words import NAME, is_either, is_folder, quoted, telling, waits, written_to

REPEAT = 3
"""How often at most what may be given any number of times is drawn in a row."""

_CHOICE: tuple[Edge, ...] = ("empty", "unicode", "wrong")
_NUMBER: tuple[Edge, ...] = ("empty", "unicode", "zero", "negative", "huge", "wrong")
_SHORT_NUMBER: tuple[Edge, ...] = ("empty", "unicode", "zero", "negative", "wrong")
"""Of seconds and of processes. Without `huge`: a sleep of 68 years ends in the time limit, and as many processes take the machine."""
_TEXT: tuple[Edge, ...] = ("empty", "unicode", "long")
_FILE: tuple[Edge, ...] = ("empty", "unicode", "missing", "folder", "unreadable")
_LARGEST = 1 << 62
_WORDS = ("alpha", "two words", "1")
"""Beside the default of a text of which nothing else is known."""


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

    def files(self, names: Sequence[str], *, dash: bool = False, default: str | None = None) -> str:
        """The pool for a path of these names; `default`: a path that the program takes by itself."""
        facts, further = self.facts, ((default,) if default else ())
        if written_to(names):
            return self.add("output", ("out.txt", "no-such-folder/out.txt", facts.files[0], *further))
        if is_either(names):
            return self.add("place", (*facts.folders, *facts.files, ".", *further))
        if is_folder(names):
            return self.add("folder", (*facts.folders, ".", facts.files[0], *further))
        return self.add("file", (*facts.files, *facts.folders, *(["-"] if dash else []), *further))


def greedy(option: ParsedOption) -> bool:
    """Whether an option takes the words that follow its own name, as many as there are, or one where there is one."""
    return option.value is not None and (option.value_optional or option.most is None)


def drawable(option: ParsedOption) -> bool:
    """Whether steps can have the option: one of several words only where it is always there, as nothing ties words to an option."""
    return option.value is None or option.least < 2 or (option.required and option.one_of is None)


def of_option(option: ParsedOption, pools: Pools, *, joined: bool = False) -> tuple[Argument, ...]:
    """The arguments for one drawable option: one, or for one whose value may be left out one with and one without it, of which one is
    drawn; for one of several words a word each.

    `joined`: other words follow, which a greedy option would take: its value is written into its own word, else it has no argument.
    """
    name = option.names[0]
    repeat = REPEAT if option.repeatable else 1
    optional = not option.required
    if option.value is None:
        return (Argument(kind="flag", option=name, optional=optional, repeat=repeat, one_of=_label(option.one_of)),)
    valued = _of_value(option.value, (*option.names, option.value.metavar), option.help, pools)
    long = name.startswith("--")
    if greedy(option) and joined:
        if not long and option.most is None:
            return ()
        name = f"{name}=" if long else name
        return (_with(valued, option=name, optional=optional, repeat=repeat, one_of=option.one_of),)
    if option.value_optional:
        label = option.one_of or f"{name} with or without"
        return (
            Argument(kind="flag", option=name, optional=optional, one_of=_label(label)),
            _with(valued, option=f"{name}=" if long else name, optional=optional, repeat=repeat, one_of=label),
        )
    equals = option.joined and long and option.least == 1
    name = f"{name}=" if equals else name
    first = _with(valued, option=name, optional=optional, repeat=repeat, one_of=option.one_of, bare=not equals)
    return (first, *[_with(valued, optional=False)] * (option.least - 1))


def of_argument(argument: ParsedArgument, pools: Pools, *, dash: bool = False) -> tuple[Argument, ...]:
    """The arguments for one positional: as many as it needs at least, then those that may be left out."""
    value = argument.value
    if value.kind == "text" and names_path(argument.name, value.metavar):
        value = structs.replace(value, kind="path")
    one = _of_value(value, (argument.name, value.metavar), argument.help, pools, dash=dash)
    if argument.one_of is not None:
        many = REPEAT if argument.most is None else min(max(argument.most, 1), REPEAT)
        return (_with(one, optional=argument.least == 0, repeat=many, one_of=argument.one_of),)
    return as_often(one, argument)


def as_often(one: Argument, argument: ParsedArgument) -> tuple[Argument, ...]:
    """`one` as often as the positional takes a word."""
    plain = _with(one, optional=False)
    if argument.most is None:
        return (*[plain] * max(argument.least - 1, 0), _with(one, optional=argument.least == 0, repeat=REPEAT))
    further = min(argument.most, argument.least + REPEAT) - argument.least
    return (*[plain] * argument.least, *[_with(one, optional=True)] * further)


def _of_value(
    value: ParsedValue, names: Sequence[str], help_text: str, pools: Pools, *, dash: bool = False
) -> Argument:
    if value.default is not None and _is_secret(names, value.default):
        value = structs.replace(value, default=None)
    match value.kind:
        case "choice" if choices := tuple(dict.fromkeys(word for word in value.choices if _is_open(word))):
            return Argument(kind="choice", values=choices, edges=_CHOICE)
        case "path":
            return Argument(kind="pool", pool=pools.files(names, dash=dash, default=_default(value)), edges=_FILE)
        case "int" | "float":
            low, high = _bounds(value, brief=waits(names))
            kind = value.kind
            return Argument(kind=kind, min=low, max=high, edges=_SHORT_NUMBER if waits(names) else _NUMBER)
    return _of_text(value, names, help_text, pools)


def _of_text(value: ParsedValue, names: Sequence[str], help_text: str, pools: Pools) -> Argument:
    default = _default(value)
    if names_path(*names):
        return Argument(kind="pool", pool=pools.files(names, default=default), edges=_FILE)
    given = (default,) if default else ()
    if words := [word for word in quoted(help_text) if not _is_secret(names, word)]:
        return Argument(kind="pool", pool=pools.add(_slug(names[0]), (*words, *given)), edges=(*_TEXT, "missing"))
    if (told := telling(names)) is not None:
        keys = pools.facts.keys if told[0] == NAME else ()
        return Argument(kind="pool", pool=pools.add(told[0], (*told[1], *keys, *given)), edges=_TEXT)
    if given:
        return Argument(kind="pool", pool=pools.add(_slug(names[0]), (*given, *_WORDS)), edges=_TEXT)
    return Argument(kind="text", max=12, edges=_TEXT)


def _default(value: ParsedValue) -> str | None:
    """The default, where a grammar can hold it: no path of a machine (those are others the next time), and nothing like an option."""
    word = value.default
    if not word or not usable(word) or word.startswith(("/", "~", "\\")) or (word.startswith("-") and word != "-"):
        return None
    return word


def _is_open(choice: str) -> bool:
    """By its form alone: the choices of `--password-store` are no passwords."""
    return usable(choice) and not _is_secret((), choice)


def _is_secret(names: Sequence[str], word: str) -> bool:
    """Whether a word looks like a secret, by its form or by the option that it stands for: it must not be written into a file."""
    data = word.encode("utf-8", "surrogateescape")
    return any(
        secret_in(Step(argv=(name.encode("utf-8", "surrogateescape"), data))) is not None for name in ("", *names)
    )


def _bounds(value: ParsedValue, *, brief: bool) -> tuple[int, int]:
    """The parser's own, as far as a grammar takes them, else 0 to 100, or to 2 where large ones only cost time. A default that lies
    beyond what the parser does not state is within."""

    def within(bound: int) -> int:
        return max(-_LARGEST, min(bound, _LARGEST))

    least = within(0 if value.min is None else value.min)
    most = max(least, 2 if brief else 100) if value.max is None else within(value.max)
    number = None if brief else _number(value.default)
    if number is not None and value.min is None:
        least = min(least, within(math.floor(number)))
    if number is not None and value.max is None:
        most = max(most, within(math.ceil(number)))
    return min(least, most), most


def _number(word: str | None) -> float | None:
    try:
        number = float(word or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


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
    """Whether a word can stand in a grammar: no NUL, UTF-8 can hold it, and it was read whole (U+FFFD stands for what was not)."""
    return not any(character in "\0\ufffd" or "\ud800" <= character <= "\udfff" for character in word)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "word"
