"""The grammar of a program, made of what its parser says and what its fixture pack holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import structs

from gate.corpus.grammar import Argument, Command
from gate.parser.parsed import ParsedArgument, ParsedCommand, ParsedOption, ParsedProgram
from gate.parser.shape_values import names_path
from gate.starter.argument_of import PackFacts, Pools, as_often, drawable, greedy, of_argument, of_option, usable
from gate.starter.help_commands import HELP, free_name, help_commands
from gate.starter.roles import THING, sequenced
from gate.starter.telling_words import endless

_BEFORE_ON_ALL = 120
"""Options before the command words, times commands, up to which each command has them all."""
_BEFORE_ON = 5
"""Commands that have them otherwise."""
_NAMES = ("alpha", "beta", "gamma")
_KEYS = 2
"""Names of things that the pack holds already, beside the new ones."""
_STDIN = re.compile(r"stdin|standard[ -]input|\breads? from -|\bpipe|[`'\"]-[`'\"]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class StarterGrammar:
    """What the starter `gate.toml` says of the program."""

    pools: dict[str, tuple[str, ...]]
    commands: tuple[Command, ...]
    """At least one, names unique."""
    about: dict[str, str]
    """The first line of help of a command, by its name."""
    left_out: tuple[str, ...]
    """What is left out, and why, a line each."""
    stateful: bool
    """Whether commands are put in sequence."""


def grammar_of(program: ParsedProgram, facts: PackFacts, *, name: str) -> StarterGrammar:
    """The grammar; `name` is the program's, which a command without words goes by. Never raises for what a parser can say."""
    writer = _Writer(program, facts, name)
    commands = [made for command in program.commands if (made := writer.command(command)) is not None]
    for helped, about in help_commands([command.words for command in program.commands], taken=writer.taken):
        commands.append(helped)
        writer.about[helped.name] = about
    return StarterGrammar(
        pools=dict(writer.pools.named),
        commands=tuple(commands),
        about=writer.about,
        left_out=tuple(dict.fromkeys(writer.left_out)),
        stateful=bool(writer.roles),
    )


class _Writer:
    def __init__(self, program: ParsedProgram, facts: PackFacts, name: str) -> None:
        self.program = program
        self.pools = Pools(facts=facts)
        self.program_name = free_name([name], (), otherwise="program")
        self.roles = sequenced([command.words for command in program.commands])
        self.left_out: list[str] = []
        self.about: dict[str, str] = {}
        self.taken: set[str] = {HELP}
        """Names of commands that are given away."""
        self.written = 0
        self.single = all(not command.words for command in program.commands)

    def command(self, command: ParsedCommand) -> Command | None:
        """One command; None where it is left out."""
        shown = " ".join(command.words) or self.program_name
        if not all(word and usable(word) for word in command.words):
            self.left_out.append("a command: its words are none that a command line can hold")
            return None
        if any(endless(word) for word in command.words):
            self.left_out.append(f"command {shown}: it waits, serves, asks or only tells about itself")
            return None
        self.written += 1
        stdin = self._stdin(command)
        name = free_name(command.words, self.taken, otherwise=self.program_name)
        self.taken.add(name)
        self.about[name] = next((line.strip() for line in command.help.splitlines() if line.strip()), "")
        role, noun = self.roles.get(command.words, (None, None))
        arguments = self._arguments(command, noun, shown, dash=stdin is not None)
        before = self._before(command, shown)
        before, args = _labelled(before, arguments)
        return Command(
            name=name,
            words=None if tuple(name.split(" ")) == command.words else command.words,
            before=before,
            args=args,
            stdin=stdin,
            role=role,
            noun=noun,
        )

    def _arguments(self, command: ParsedCommand, noun: str | None, shown: str, *, dash: bool) -> list[Argument]:
        """Options, then positionals, then the options that would take these."""
        rest = any(argument.rest for argument in command.arguments)
        last = [option for option in command.options if greedy(option) and not rest]
        first = [option for option in command.options if option not in last]
        found = [each for option in first for each in self._option(option, shown, joined=rest)]
        found += self._positionals(command, noun, dash)
        return [*found, *(each for option in last for each in self._option(option, shown))]

    def _option(self, option: ParsedOption, shown: str, *, joined: bool = False) -> tuple[Argument, ...]:
        if not all(name and usable(name) for name in option.names):
            self.left_out.append(f"an option of {shown}: its name is none that a command line can hold")
            return ()
        told = f"option {option.names[0]} of {shown}"
        if any(endless(name) for name in option.names):
            self.left_out.append(f"{told}: it waits, serves, asks or only tells about itself")
            return ()
        if not drawable(option):
            self.left_out.append(f"{told}: it takes {option.least} words at once, which no argument of a grammar does")
            return ()
        found = of_option(option, self.pools, joined=joined)
        if joined and not found:
            self.left_out.append(f"{told}: it would take the words that follow it")
        elif joined and option.value_optional:
            self.left_out.append(f"{told} without a value: it would take the word that follows it")
        return found

    def _before(self, command: ParsedCommand, shown: str) -> tuple[Argument, ...]:
        if not command.words:
            return tuple(each for option in command.before for each in self._option(option, shown, joined=True))
        many = len(command.before) * len(self.program.commands) > _BEFORE_ON_ALL
        if many and self.written > _BEFORE_ON:
            if command.before:
                self.left_out.append(
                    f"options before the command words, but for the first {_BEFORE_ON} commands: they are many"
                )
            return ()
        return tuple(each for option in command.before for each in self._option(option, self.program_name, joined=True))

    def _positionals(self, command: ParsedCommand, noun: str | None, dash: bool) -> list[Argument]:
        found: list[Argument] = []
        thing = next((each for each in command.arguments if noun and _is_text(each)), None)
        for argument in command.arguments:
            if argument is thing and noun:
                found += self._named(argument, noun)
            else:
                found += of_argument(argument, self.pools, dash=dash)
        return found

    def _named(self, argument: ParsedArgument, noun: str) -> tuple[Argument, ...]:
        """The name of the thing that commands of a noun share."""
        words = (*_NAMES, *self.pools.facts.keys[:_KEYS])
        pool = self.pools.add("name" if noun == THING else re.sub(r"[^a-z0-9]+", "-", noun) or "name", words)
        named = Argument(kind="pool", pool=pool, edges=("empty", "duplicate", "missing", "unicode", "long"))
        return as_often(named, argument)

    def _stdin(self, command: ParsedCommand) -> Argument | None:
        """Text for a command that says that it reads some, or that reads some where it is given no file."""
        told = bool(_STDIN.search(_help_of(command))) or any(each.value.default == "-" for each in command.arguments)
        paths = [each for each in command.arguments if _is_path(each)]
        without = not command.words and self.single and (not paths or any(each.least == 0 for each in paths))
        if not (told or without) or not self.pools.facts.texts:
            return None
        return Argument(
            kind="choice", values=self.pools.facts.texts, optional=not without, edges=("empty", "unicode", "long")
        )


def _help_of(command: ParsedCommand) -> str:
    options, arguments = (each.help for each in command.options), (each.help for each in command.arguments)
    return "\n".join((command.help, *options, *arguments))


def _is_text(argument: ParsedArgument) -> bool:
    return argument.value.kind == "text" and not _is_path(argument)


def _is_path(argument: ParsedArgument) -> bool:
    return argument.value.kind == "path" or (
        argument.value.kind == "text" and names_path(argument.name, argument.value.metavar)
    )


def _labelled(
    before: Sequence[Argument], args: Sequence[Argument]
) -> tuple[tuple[Argument, ...], tuple[Argument, ...]]:
    """The arguments of a command, without labels that only one of them has: an exclusion needs two."""
    seen = Counter(each.one_of for each in (*before, *args))

    def alone(each: Argument) -> Argument:
        return structs.replace(each, one_of=None) if each.one_of is not None and seen[each.one_of] == 1 else each

    return tuple(map(alone, before)), tuple(map(alone, args))
