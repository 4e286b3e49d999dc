"""What is wrong with a grammar, beyond what its types say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.corpus.argument_faults import Fault, KeyPath, command_faults, words_faults
from gate.corpus.grammar import Grammar
from gate.errors import CorpusError

_NEXT_STEP = "Mend the key in gate.toml; docs/corpus.md has the grammar."
_NAME = re.compile(r"[^\s|>\x00-\x1f]+(?: [^\s|>\x00-\x1f]+)*")
_MOST_STEPS = 100


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
        yield from words_faults(("pools", name), words)
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
        yield from command_faults(here, command, grammar.pools)
    yield from _order_faults(grammar)


def _step_faults(grammar: Grammar) -> Iterator[Fault]:
    if grammar.min_steps < 1:
        yield ("corpus", "min_steps"), f"expected at least 1, got {grammar.min_steps}"
    if not grammar.min_steps <= grammar.max_steps <= _MOST_STEPS:
        wanted = f"expected min_steps ({grammar.min_steps}) to {_MOST_STEPS}"
        yield ("corpus", "max_steps"), f"{wanted}, got {grammar.max_steps}"


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
