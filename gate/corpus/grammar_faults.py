"""What is wrong with a grammar, beyond what its types say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gate.corpus.grammar import Argument, Command, Grammar
from gate.errors import CorpusError

KeyPath = tuple[str | int, ...]
"""Where a key stands in `gate.toml`: `("command", 2, "args", 0, "pool")`."""

Fault = tuple[KeyPath, str]

_NEXT_STEP = "Mend the key in gate.toml; docs/corpus.md has the grammar."
_NAME = re.compile(r"[^\s|>\x00-\x1f]+(?: [^\s|>\x00-\x1f]+)*")
_LONGEST_TEXT = 1000
_MOST_STEPS = 100
_WIDEST = 1 << 63

_WORD_EDGES = frozenset({"empty", "unicode", "long"})
_KEYS = {
    "literal": ("value",),
    "choice": ("values",),
    "pool": ("pool",),
    "int": ("min", "max"),
    "text": ("min", "max"),
}
EDGES: dict[str, frozenset[str]] = {
    "literal": frozenset(),
    "choice": _WORD_EDGES,
    "pool": _WORD_EDGES | {"duplicate", "missing"},
    "int": _WORD_EDGES | {"zero", "negative", "huge"},
    "text": _WORD_EDGES,
}
"""The edges that each kind of argument can have."""


def check_grammar(grammar: Grammar) -> None:
    """Refuse a grammar that nothing, or not everything it names, can be drawn from. Raises CorpusError naming the first faulty key."""
    for path, complaint in grammar_faults(grammar):
        raise CorpusError(f"gate.toml: {dotted(path)}: {complaint}", next_step=_NEXT_STEP)
    if not grammar.commands:
        raise CorpusError(
            "gate.toml: command: expected at least one [[command]], got none: nothing can be drawn",
            next_step="Describe the program's commands, or write cases by hand: gate corpus add",
        )


def dotted(path: KeyPath) -> str:
    """A key path as people write it: `command[2].args[0].pool`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def grammar_faults(grammar: Grammar) -> Iterator[Fault]:
    """Every fault, in the order in which a reader meets it. A grammar without commands has none: its cases are all written by hand."""
    yield from _step_faults(grammar)
    for name, words in grammar.pools.items():
        yield from _words_faults(("pools", name), words)
    names = [command.name for command in grammar.commands]
    for position, command in enumerate(grammar.commands):
        here: KeyPath = ("command", position)
        if not _NAME.fullmatch(command.name):
            yield (
                (*here, "name"),
                f"expected words with single spaces between them and no `|` or `>`, got {command.name!r}",
            )
        if command.name in names[:position]:
            yield (
                (*here, "name"),
                f"expected a name of its own, got {command.name!r} as in command[{names.index(command.name)}]",
            )
        yield from _command_faults(here, command, grammar.pools)
    yield from _order_faults(grammar)


def _step_faults(grammar: Grammar) -> Iterator[Fault]:
    if grammar.min_steps < 1:
        yield ("corpus", "min_steps"), f"expected at least 1, got {grammar.min_steps}"
    if not grammar.min_steps <= grammar.max_steps <= _MOST_STEPS:
        wanted = f"expected min_steps ({grammar.min_steps}) to {_MOST_STEPS}"
        yield ("corpus", "max_steps"), f"{wanted}, got {grammar.max_steps}"


def _words_faults(path: KeyPath, words: tuple[str, ...]) -> Iterator[Fault]:
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


def _command_faults(here: KeyPath, command: Command, pools: Mapping[str, tuple[str, ...]]) -> Iterator[Fault]:
    for position, argument in enumerate(command.args):
        yield from _argument_faults((*here, "args", position), argument, pools)
    if command.stdin is not None:
        yield from _argument_faults((*here, "stdin"), command.stdin, pools)
        if command.stdin.option is not None:
            yield (*here, "stdin", "option"), f"standard input has no option name, got {command.stdin.option!r}"


def _argument_faults(here: KeyPath, argument: Argument, pools: Mapping[str, tuple[str, ...]]) -> Iterator[Fault]:
    used = _KEYS[argument.kind]
    for key in ("value", "values", "pool", "min", "max"):
        if key not in used and getattr(argument, key) is not None:
            yield (*here, key), f"kind {argument.kind!r} does not use this key (it uses {', '.join(used)})"
    if argument.kind in {"literal", "choice", "pool"} and getattr(argument, used[0]) is None:
        yield (*here, used[0]), f"kind {argument.kind!r} needs this key, got none"
    yield from _value_faults(here, argument, pools)
    for position, edge in enumerate(argument.edges):
        if edge not in EDGES[argument.kind]:
            known = ", ".join(sorted(EDGES[argument.kind])) or "none"
            yield (*here, "edges", position), f"edge {edge!r} does not apply to kind {argument.kind!r} (known: {known})"


def _value_faults(here: KeyPath, argument: Argument, pools: Mapping[str, tuple[str, ...]]) -> Iterator[Fault]:
    if argument.value is not None:
        yield from _word_faults((*here, "value"), argument.value)
    if argument.values is not None:
        yield from _words_faults((*here, "values"), argument.values)
    if argument.pool is not None and argument.pool not in pools:
        known = ", ".join(pools) or "none"
        yield (*here, "pool"), f"expected a list under [pools] (known: {known}), got {argument.pool!r}"
    if argument.option is not None:
        yield from _option_faults((*here, "option"), argument.option)
    if argument.kind in {"int", "text"}:
        yield from _bound_faults(here, argument)


def _option_faults(path: KeyPath, option: str) -> Iterator[Fault]:
    if not option:
        yield path, "expected an option name, got an empty one"
    yield from _word_faults(path, option)


def _bound_faults(here: KeyPath, argument: Argument) -> Iterator[Fault]:
    smallest, largest = argument.bounds
    if smallest > largest:
        key = "max" if argument.min is None else "min"
        yield (*here, key), f"expected min <= max, got min {smallest} and max {largest}"
    for key, bound in (("min", smallest), ("max", largest)):
        if abs(bound) >= _WIDEST:
            yield (*here, key), f"expected less than 2^63 in size (see the edge 'huge'), got {bound}"
    if argument.kind != "text":
        return
    if smallest < 1:
        yield (*here, "min"), f"expected a length of at least 1 (the empty text is the edge 'empty'), got {smallest}"
    if largest > _LONGEST_TEXT:
        yield (*here, "max"), f"expected a length of at most {_LONGEST_TEXT} (see the edge 'long'), got {largest}"


def _order_faults(grammar: Grammar) -> Iterator[Fault]:
    known = {command.name for command in grammar.commands}
    depth = steps_needed(grammar)
    for position, command in enumerate(grammar.commands):
        here: KeyPath = ("command", position, "after")
        strangers = [(place, name) for place, name in enumerate(command.after) if name not in known]
        for place, name in strangers:
            yield (*here, place), f"expected a command of this grammar, got {name!r}"
        if strangers:
            continue
        if command.name not in depth:
            yield (
                here,
                f"{command.name!r} can never start: what it comes after comes, in the end, after {command.name!r} itself",
            )
        elif depth[command.name] > grammar.max_steps:
            yield (
                here,
                f"{command.name!r} can stand in step {depth[command.name]} at the earliest, and max_steps is {grammar.max_steps}",
            )


def steps_needed(grammar: Grammar) -> dict[str, int]:
    """The earliest step (from 1) of every command, by name. A command that can never start is absent."""
    depth: dict[str, int] = {}
    for step in range(1, len(grammar.commands) + 1):
        ready = [
            command.name
            for command in grammar.commands
            if command.name not in depth and (not command.after or any(name in depth for name in command.after))
        ]
        depth.update(dict.fromkeys(ready, step))
    return depth
