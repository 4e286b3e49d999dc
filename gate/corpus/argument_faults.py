"""What is wrong with one command of a grammar: its arguments, words and role."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from gate.corpus.grammar import Argument, Command

KeyPath = tuple[str | int, ...]
"""Where a key stands in `gate.toml`: `("command", 2, "args", 0, "pool")`."""

Fault = tuple[KeyPath, str]

Pools = Mapping[str, tuple[str, ...]]

_LONGEST_TEXT = 1000
_WIDEST = 1 << 63
_MOST_REPEATS = 20
_NOUN = re.compile(r"[^\s:\x00-\x1f]+")

_WORD_EDGES = frozenset({"empty", "unicode", "long", "bare"})
_NUMBER_EDGES = _WORD_EDGES | {"zero", "negative", "huge", "wrong"}
_KEYS: dict[str, tuple[str, ...]] = {
    "literal": ("value",),
    "choice": ("values",),
    "pool": ("pool",),
    "int": ("min", "max"),
    "float": ("min", "max"),
    "text": ("min", "max"),
    "flag": ("option",),
}
_NEEDED = ("literal", "choice", "pool", "flag")
EDGES: dict[str, frozenset[str]] = {
    "literal": frozenset(),
    "choice": _WORD_EDGES | {"wrong"},
    "pool": _WORD_EDGES | {"duplicate", "missing", "folder", "unreadable"},
    "int": _NUMBER_EDGES,
    "float": _NUMBER_EDGES,
    "text": _WORD_EDGES,
    "flag": frozenset(),
}
"""The edges that each kind of argument can have."""


def command_faults(here: KeyPath, command: Command, pools: Pools) -> Iterator[Fault]:
    """Every fault of one command but for its name and what it comes after; `here` is where it stands."""
    yield from _command_word_faults(here, command)
    for key, arguments in (("before", command.before), ("args", command.args)):
        for position, argument in enumerate(arguments):
            yield from _argument_faults((*here, key, position), argument, pools)
    if command.stdin is not None:
        yield from _argument_faults((*here, "stdin"), command.stdin, pools)
        yield from _stdin_faults((*here, "stdin"), command.stdin)
    yield from _group_faults(here, command)
    yield from _role_faults(here, command)


def words_faults(path: KeyPath, words: tuple[str, ...]) -> Iterator[Fault]:
    """Every fault of a list of words that one is drawn from."""
    if not words:
        yield path, "expected at least one word, got none"
    for position, word in enumerate(words):
        yield from _word_faults((*path, position), word)


def _word_faults(path: KeyPath, word: str) -> Iterator[Fault]:
    if "\0" in word:
        yield path, f"expected a word that a command line can hold, got one with a NUL: {word!r}"
    if not _encodable(word):
        yield path, f"expected text that UTF-8 can hold, got {word!r}"


def _encodable(word: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in word)


def _command_word_faults(here: KeyPath, command: Command) -> Iterator[Fault]:
    for position, word in enumerate(command.words or ()):
        if not word:
            yield (*here, "words", position), "expected a command word, got an empty one"
        yield from _word_faults((*here, "words", position), word)


def _stdin_faults(here: KeyPath, stdin: Argument) -> Iterator[Fault]:
    if stdin.option is not None:
        yield (*here, "option"), f"standard input has no option name, got {stdin.option!r}"
    if stdin.repeat != 1:
        yield (*here, "repeat"), f"standard input is there once, got {stdin.repeat}"
    if stdin.one_of is not None:
        yield (*here, "one_of"), f"standard input is in no group of arguments, got {stdin.one_of!r}"
    for position, edge in enumerate(stdin.edges):
        if edge in ("folder", "unreadable"):
            yield (*here, "edges", position), f"standard input is no file name, got edge {edge!r}"


def _group_faults(here: KeyPath, command: Command) -> Iterator[Fault]:
    rows = [((*here, "before", place), each) for place, each in enumerate(command.before)]
    rows += [((*here, "args", place), each) for place, each in enumerate(command.args)]
    members = Counter(argument.one_of for _, argument in rows)
    for path, argument in rows:
        if argument.one_of is not None and members[argument.one_of] == 1:
            yield (
                (*path, "one_of"),
                f"expected another argument of this command with the label, got {argument.one_of!r} alone",
            )


def _role_faults(here: KeyPath, command: Command) -> Iterator[Fault]:
    if command.role is not None and command.noun is None:
        yield (*here, "noun"), f"role {command.role!r} needs this key, got none"
    if command.noun is None:
        return
    if command.role is None:
        yield (*here, "role"), f"noun {command.noun!r} needs this key, got none"
    if not _NOUN.fullmatch(command.noun) or not _encodable(command.noun):
        yield (*here, "noun"), f"expected one word without `:`, got {command.noun!r}"


def _argument_faults(here: KeyPath, argument: Argument, pools: Pools) -> Iterator[Fault]:
    used = _KEYS[argument.kind]
    for key in ("value", "values", "pool", "min", "max"):
        if key not in used and getattr(argument, key) is not None:
            yield (*here, key), f"kind {argument.kind!r} does not use this key (it uses {', '.join(used)})"
    if argument.kind in _NEEDED and getattr(argument, used[0]) is None:
        yield (*here, used[0]), f"kind {argument.kind!r} needs this key, got none"
    yield from _value_faults(here, argument, pools)
    if not 1 <= argument.repeat <= _MOST_REPEATS:
        yield (*here, "repeat"), f"expected 1 to {_MOST_REPEATS}, got {argument.repeat}"
    if argument.one_of == "":
        yield (*here, "one_of"), "expected a label, got an empty one"
    yield from _edge_faults(here, argument)


def _edge_faults(here: KeyPath, argument: Argument) -> Iterator[Fault]:
    for position, edge in enumerate(argument.edges):
        path = (*here, "edges", position)
        if edge not in EDGES[argument.kind]:
            known = ", ".join(sorted(EDGES[argument.kind])) or "none"
            yield path, f"edge {edge!r} does not apply to kind {argument.kind!r} (known: {known})"
        elif edge == "bare" and (argument.option is None or argument.option.endswith("=")):
            wanted = "edge 'bare' needs an option that does not end in `=`"
            yield path, f"{wanted}, got {'none' if argument.option is None else repr(argument.option)}"


def _value_faults(here: KeyPath, argument: Argument, pools: Pools) -> Iterator[Fault]:
    if argument.value is not None:
        yield from _word_faults((*here, "value"), argument.value)
    if argument.values is not None:
        yield from words_faults((*here, "values"), argument.values)
    if argument.pool is not None and argument.pool not in pools:
        known = ", ".join(pools) or "none"
        yield (*here, "pool"), f"expected a list under [pools] (known: {known}), got {argument.pool!r}"
    if argument.option is not None:
        yield from _option_faults((*here, "option"), argument)
    if argument.kind in {"int", "float", "text"}:
        yield from _bound_faults(here, argument)


def _option_faults(path: KeyPath, argument: Argument) -> Iterator[Fault]:
    option = argument.option or ""
    if not option:
        yield path, "expected an option name, got an empty one"
    if argument.kind == "flag" and option.endswith("="):
        yield path, f"a flag has no value: expected an option that does not end in `=`, got {option!r}"
    yield from _word_faults(path, option)


def _bound_faults(here: KeyPath, argument: Argument) -> Iterator[Fault]:
    smallest, largest = argument.bounds
    bounds = (("min", smallest), ("max", largest))
    odd = [(key, bound) for key, bound in bounds if not _is_bound(bound, argument.kind)]
    for key, bound in odd:
        wanted = "a finite number" if argument.kind == "float" else "a whole number"
        yield (*here, key), f"expected {wanted}, got {bound!r}"
    if odd:
        return
    if smallest > largest:
        key = "max" if argument.min is None else "min"
        yield (*here, key), f"expected min <= max, got min {smallest} and max {largest}"
    for key, bound in bounds:
        if abs(bound) >= _WIDEST:
            yield (*here, key), f"expected less than 2^63 in size (see the edge 'huge'), got {bound}"
    if argument.kind != "text":
        return
    if smallest < 1:
        yield (*here, "min"), f"expected a length of at least 1 (the empty text is the edge 'empty'), got {smallest}"
    if largest > _LONGEST_TEXT:
        yield (*here, "max"), f"expected a length of at most {_LONGEST_TEXT} (see the edge 'long'), got {largest}"


def _is_bound(bound: float, kind: str) -> bool:
    return isinstance(bound, int) or (kind == "float" and math.isfinite(bound))
