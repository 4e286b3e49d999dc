"""The text of a starter `gate.toml`: commented, so that a person can go on from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gate.corpus.grammar import Argument, Command
from gate.parser.parsed import Source
from gate.starter.grammar_of import StarterGrammar
from gate.starter.toml_text import argument, comment, key, table, toml
from gate.starter.ways import Way

CASES = 200
_TIMEOUT = 10.0
_STEPS = {True: 4, False: 1}
"""Steps of a case, by whether commands are put in sequence; without state further steps only hide which one differs."""
_READ = {
    "argparse": "its own parser (argparse)",
    "click": "its own parser (click)",
    "optparse": "its own parser (optparse)",
    "help": "what --help prints",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Where the files of a project stand, relative to `gate.toml`."""

    folder: str = "gate"
    fixtures: str = "fixtures"
    properties: str = "properties"


def project_text(way: Way, grammar: StarterGrammar, *, names: Names, source: Source, notes: Sequence[str]) -> str:
    """The whole file, LF, with a final newline. It loads, and its grammar has no fault, for whatever a parser said."""
    blocks = [
        _head(names, source, notes, grammar.left_out),
        _program(way),
        _build(way),
        _settings(grammar),
        _pools(grammar),
        *(_command(command, grammar.about.get(command.name, "")) for command in grammar.commands),
    ]
    return "\n\n".join("\n".join(block) for block in map(list, blocks) if block) + "\n"


def _head(names: Names, source: Source, notes: Sequence[str], left_out: Sequence[str]) -> Iterator[str]:
    yield f"# Written by `gate init` from {_READ[source]}. It is yours now: edit it, draw again, pin again."
    yield "# What can be done with it: `gate corpus --help`. Its keys: the pages `config` and `corpus` of the gate's documentation."
    for title, lines in (("Not read:", notes), ("Left out, add what you want to have compared:", left_out)):
        if lines:
            yield "#"
            yield f"# {title}"
            yield from (comment(f"- {line}") for line in lines)
    yield "version = 1"
    for name, usual in (("folder", "gate"), ("fixtures", "fixtures"), ("properties", "properties")):
        if (told := getattr(names, name)) != usual:
            yield f"{name} = {toml(told)}"


def _program(way: Way) -> Iterator[str]:
    yield "# What each step starts: these words, then the step's own."
    if not way.build.command:
        yield from (comment(line, width=140) for line in way.why)
    yield "[program]"
    yield f"argv = {toml(way.program.argv)}"
    if way.program.path:
        yield f"path = {toml(way.program.path)}"
    if way.program.env:
        yield f"env = {table(way.program.env)}"


def _build(way: Way) -> Iterator[str]:
    if not way.build.command:
        return
    yield from (comment(line, width=140) for line in way.why)
    yield "[build]"
    yield f"command = {toml(way.build.command)}"
    if way.build.pass_env:
        yield f"pass_env = {toml(way.build.pass_env)}"
    if way.build.network:
        yield "network = true  # for what it depends on; the steps have none"


def _settings(grammar: StarterGrammar) -> Iterator[str]:
    worded = any(command.command_words for command in grammar.commands)
    yield "[replay]"
    yield f"timeout = {_TIMEOUT}  # seconds a step may take"
    yield ""
    yield "[corpus]"
    yield f"cases = {CASES}"
    yield "seed = 1"
    yield f"max_steps = {_STEPS[grammar.stateful]}"
    yield f"unknown_commands = {toml(worded)}"
    yield "unknown_options = true"


def _pools(grammar: StarterGrammar) -> Iterator[str]:
    if not grammar.pools:
        return
    yield "# Words that arguments are drawn from. Names of files are those of the fixture pack."
    yield "[pools]"
    yield from (f"{key(name)} = {toml(words)}" for name, words in grammar.pools.items())


def _command(command: Command, about: str) -> Iterator[str]:
    if about:
        yield comment(about)
    yield "[[command]]"
    yield f"name = {toml(command.name)}"
    if command.words is not None:
        yield f"words = {toml(command.words)}"
    if command.role is not None and command.noun is not None:
        yield f"role = {toml(command.role)}"
        yield f"noun = {toml(command.noun)}"
    yield from _arguments("before", command.before)
    yield from _arguments("args", command.args)
    if command.stdin is not None:
        yield f"stdin = {argument(command.stdin)}"


def _arguments(name: str, arguments: Sequence[Argument]) -> Iterator[str]:
    if arguments:
        yield f"{name} = ["
        yield from (f"  {argument(each)}," for each in arguments)
        yield "]"
