"""Bounds on what a program may say that it takes: it says so itself, and may say anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec import structs

from gate.parser.parsed import ParsedArgument, ParsedCommand, ParsedOption, ParsedProgram, ParsedValue

MOST_COMMANDS = 500
MOST_DEPTH = 10
"""Words of a command."""
MOST_PARTS = 5000
"""Options and arguments of all commands together."""
MOST_CHOICES = 200
MOST_WORDS = 16
"""Words of one option or argument that has to have several."""
LONGEST_WORD = 200
"""Characters of a word that a command line would hold: a name, a choice, a default."""
LONGEST_TEXT = 2000
"""Characters of a help."""
MOST_NOTES = 50
_LONGEST_NOTE = 500
_LARGEST = 1 << 63

_Part = TypeVar("_Part", ParsedOption, ParsedArgument)


def bounded(program: ParsedProgram) -> ParsedProgram:
    """The program within these bounds, unchanged where it is; a note tells what was too much."""
    told: list[str] = []
    kept: list[ParsedCommand] = []
    room = MOST_PARTS
    for command in program.commands[:MOST_COMMANDS]:
        if len(command.words) > MOST_DEPTH or any(len(word) > LONGEST_WORD for word in command.words):
            told.append("a command of too many or too long words is left out")
            continue
        size = sum(map(len, (command.before, command.options, command.arguments)))
        if size > room:
            told.append(f"its commands take more than {MOST_PARTS} options and arguments in all: some are left out")
            kept.append(structs.replace(command, before=(), options=(), arguments=(), help=""))
        else:
            room -= size
            kept.append(_command(command, told))
    if len(program.commands) > MOST_COMMANDS:
        told.append(f"it has {len(program.commands)} commands: the first {MOST_COMMANDS} are taken")
    notes = tuple(dict.fromkeys(note[:_LONGEST_NOTE] for note in (*program.notes[:MOST_NOTES], *told)))
    return structs.replace(program, commands=tuple(kept), notes=notes[: 2 * MOST_NOTES])


def _command(command: ParsedCommand, told: list[str]) -> ParsedCommand:
    return structs.replace(
        command,
        before=_options(command.before, told),
        options=_options(command.options, told),
        arguments=tuple(_counted(_shortened(each, told), each.name[:LONGEST_WORD], told) for each in command.arguments),
        help=command.help[:LONGEST_TEXT],
    )


def _options(options: Sequence[ParsedOption], told: list[str]) -> tuple[ParsedOption, ...]:
    kept = []
    for option in options:
        names = tuple(name for name in option.names[:MOST_DEPTH] if len(name) <= LONGEST_WORD)
        if names:
            kept.append(_counted(structs.replace(_shortened(option, told), names=names), names[0], told))
        else:
            told.append("an option of too long a name is left out")
    return tuple(kept)


def _counted(part: _Part, name: str, told: list[str]) -> _Part:
    """With counts that a step can have."""
    if part.least > MOST_WORDS:
        told.append(f"{name} wants {min(part.least, _LARGEST)} words: {MOST_WORDS} are drawn")
    least = max(0, min(part.least, MOST_WORDS))
    most = None if part.most is None or part.most >= _LARGEST else max(least, min(part.most, MOST_WORDS))
    return structs.replace(part, least=least, most=most)


def _shortened(part: _Part, told: list[str]) -> _Part:
    label = None if part.one_of is None else part.one_of[:LONGEST_WORD]
    value = None if part.value is None else _value(part.value, told)
    short = structs.replace(part, help=part.help[:LONGEST_TEXT], one_of=label, value=value)
    return structs.replace(short, name=short.name[:LONGEST_WORD]) if isinstance(short, ParsedArgument) else short


def _value(value: ParsedValue, told: list[str]) -> ParsedValue:
    choices = tuple(word for word in value.choices if len(word) <= LONGEST_WORD)
    if len(choices) > MOST_CHOICES:
        told.append(f"one of {len(choices)} words: the first {MOST_CHOICES} are taken")
    default = value.default if value.default is not None and len(value.default) <= LONGEST_WORD else None
    return structs.replace(
        value,
        choices=choices[:MOST_CHOICES],
        default=default,
        metavar=value.metavar[:LONGEST_WORD],
        min=_within(value.min),
        max=_within(value.max),
    )


def _within(number: int | None) -> int | None:
    return None if number is None or abs(number) >= _LARGEST else number
