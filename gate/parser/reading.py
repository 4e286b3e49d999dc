"""Reading what a program takes: its own parser where it is Python and has one, else what its help says."""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from gate.errors import StarterError
from gate.parser.bounded import bounded
from gate.parser.help.text import usage_arguments
from gate.parser.help.walk import Tried, commands_told, walk_help
from gate.parser.parsed import ParsedArgument, ParsedCommand, ParsedOption, ParsedProgram, ParsedValue
from gate.parser.python_start import PythonStart, python_start
from gate.parser.starting import Asking, asking
from gate.replay.sandbox import Sandbox

MOST_REPORTED = 1 << 25
"""Bytes of a report that are read."""

_READER = Path(__file__).with_name("reader.py")
_SHOWN = 2
"""Tries that an error tells."""
_INPUTS = (b"", b"some words\n", b"{}\n", b"1\n", b"a,b\n1,2\n")
"""What a program without a parser and without a help is given to read."""
_SHARE = 0.4  # of the time, for each start of the reader
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Reported(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the reader: one parser that the program called."""

    nonce: str
    certain: bool
    """Whether the parser was about to parse the whole command line."""
    program: ParsedProgram | None = None
    usage: str = ""
    """optparse: the usage line, which alone may name arguments."""
    fault: str = ""
    """Why the parser could not be read."""


def read_program(
    argv: Sequence[str],
    *,
    environment: Mapping[str, str],
    folder: Path | None = None,
    sandbox: Sandbox,
    readable: Sequence[Path] = (),
    timeout: float = 60.0,
) -> ParsedProgram:
    """What the program that `argv` starts takes.

    It is started in `sandbox` with `environment` (HOME and TMPDIR are its own), in `folder`, or in an empty one; `readable` as for
    `Sandbox.wrap`. `timeout`: seconds for all of it. Raises StarterError, with what was tried, where nothing can be read.
    """
    tried = Tried()
    with asking(environment=environment, folder=folder, sandbox=sandbox, readable=readable, seconds=timeout) as place:
        start = python_start(argv, environment=environment, folder=place.folder)
        notes: list[str] = []
        if start is not None:
            program = _by_parser(start, place, timeout, tried, notes)
            if program is not None:
                return _cleaned(_with_commands(program, argv, place), notes)
        program = walk_help(argv, place, tried) or _taken_for_a_filter(argv, place, tried)
    if program is None:
        more = f"; and {len(tried.lines) - _SHOWN} tries more" if len(tried.lines) > _SHOWN else ""
        raise StarterError(
            "cannot read what the program takes: expected a parser or a help text, got none: "
            f"{'; '.join(tried.lines[:_SHOWN])}{more}",
            next_step="See that the program starts with --help; or write its [[command]]s into gate.toml by hand (docs/corpus.md).",
        )
    return _cleaned(program, notes)


def _taken_for_a_filter(argv: Sequence[str], place: Asking, tried: Tried) -> ParsedProgram | None:
    """A program that says nothing of itself, and without words takes one of a few small inputs and ends in 0. None for another: one that
    cannot even start ends in some other way."""
    if tried.endless:
        return None
    for text in _INPUTS:
        told = place.ask(argv, seconds=place.left(), stdin=text)
        if told.status == "0":
            note = "no parser and no help: it took some standard input and ended in 0, and is taken to read that alone; add its words"
            return ParsedProgram(source="help", commands=(ParsedCommand(),), notes=(note,))
    tried.add(argv, told)
    return None


def _with_commands(program: ParsedProgram, argv: Sequence[str], place: Asking) -> ParsedProgram:
    """The program; by its help where that lists commands of which its parser knows nothing, as it tells them apart by itself."""
    known = {choice for command in program.commands for each in command.arguments for choice in each.value.choices}
    if any(command.words for command in program.commands) or not set(commands_told(argv, place)) - known:
        return program
    walked = walk_help(argv, place, Tried())
    if (
        walked is None
        or sum(bool(command.options or command.arguments) for command in walked.commands if command.words) < 2
    ):
        return program
    note = "the program tells its commands apart by itself, not by its parser: they are read from its help"
    return msgspec.structs.replace(walked, notes=(note, *walked.notes))


def _by_parser(
    start: PythonStart, place: Asking, timeout: float, tried: Tried, notes: list[str]
) -> ParsedProgram | None:
    """Start the program under the reader, with `--help`, and where no parser is called so, without."""
    for number, words in enumerate((("--help",), ())):
        report, nonce = place.private / f"report-{number}", secrets.token_hex(16)
        given = (*start.interpreter, str(_READER), str(report), nonce, start.kind, start.target, *start.words, *words)
        told = place.ask(given, seconds=timeout * _SHARE / (number + 1))
        lines = list(_reported(report, nonce))
        notes += [f"a parser could not be read: {line.fault}" for line in lines if line.fault]
        program = chosen(lines)
        if program is not None:
            return program
        tried.add((*start.interpreter, start.target, *start.words, *words, "(its parser)"), told)
        if told.status in ("timeout", "overflow"):
            break
    return None


def chosen(lines: Sequence[Reported]) -> ParsedProgram | None:
    """The program's own parser of all that it called: the first certain one, else the one that takes most; None for none.

    Ties: the first. A library's parser for words of its own (a file of settings, defaults from an empty list) is never certain,
    nor is one that parses a part of the line before the program's own does.
    """
    best: Reported | None = None
    for line in lines:
        if line.program is None or not _size(line.program):
            continue
        if line.certain:
            best = line
            break
        if best is None or best.program is None or _size(line.program) > _size(best.program):
            best = line
    if best is None or best.program is None:
        return None
    if not best.usage:
        return best.program
    arguments = usage_arguments(best.usage)
    first, *rest = best.program.commands
    return msgspec.structs.replace(best.program, commands=(msgspec.structs.replace(first, arguments=arguments), *rest))


def _size(program: ParsedProgram) -> int:
    return sum(len(each.options) + len(each.arguments) + len(each.words) for each in program.commands)


def _reported(path: Path, nonce: str) -> Iterator[Reported]:
    """The lines with the nonce. Anything else in the file is passed over: the program could write it, too."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return
        data = stream.read(MOST_REPORTED)
    for line in data.splitlines():
        try:
            reported = msgspec.json.decode(line, type=Reported)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        if secrets.compare_digest(reported.nonce.encode("utf-8", "replace"), nonce.encode()):
            yield reported


def _cleaned(program: ParsedProgram, notes: Sequence[str]) -> ParsedProgram:
    """The program, bounded, without what no command line can hold, and with help that a terminal can show."""
    program = bounded(program)
    commands = tuple(_clean_command(command) for command in program.commands if _typable(*command.words))
    if not commands:
        commands = (ParsedCommand(),)
    told = tuple(dict.fromkeys(_shown(note) for note in (*program.notes, *notes)))
    return msgspec.structs.replace(program, commands=commands, notes=told)


def _clean_command(command: ParsedCommand) -> ParsedCommand:
    return msgspec.structs.replace(
        command,
        before=_clean_options(command.before),
        options=_clean_options(command.options),
        arguments=tuple(_clean_argument(argument) for argument in command.arguments),
        help=_shown(command.help),
    )


def _clean_options(options: Sequence[ParsedOption]) -> tuple[ParsedOption, ...]:
    cleaned = [
        msgspec.structs.replace(
            option,
            names=tuple(name for name in option.names if _typable(name)),
            value=None if option.value is None else _clean_value(option.value),
            help=_shown(option.help),
        )
        for option in options
        if any(_typable(name) for name in option.names)
    ]
    return _parted(cleaned)


def _parted(options: Sequence[ParsedOption]) -> tuple[ParsedOption, ...]:
    """The options, where a parser has flags `--x` and `--no-x` that are two options of their own, these two as of one group."""
    free = {name for option in options if option.value is None and option.one_of is None for name in option.names}
    labels = {
        each: f"{name} or not" for name in free if f"--no-{name[2:]}" in free for each in (name, f"--no-{name[2:]}")
    }

    def label(option: ParsedOption) -> str | None:
        return option.one_of or next((labels[name] for name in option.names if name in labels), None)

    return tuple(
        msgspec.structs.replace(option, one_of=label(option)) if option.value is None else option for option in options
    )


def _clean_argument(argument: ParsedArgument) -> ParsedArgument:
    return msgspec.structs.replace(
        argument,
        name=_shown(argument.name) or "argument",
        value=_clean_value(argument.value),
        help=_shown(argument.help),
    )


def _clean_value(value: ParsedValue) -> ParsedValue:
    choices = tuple(choice for choice in value.choices if choice and not _CONTROL.search(choice))
    default = None if value.default is None or _CONTROL.search(value.default) else value.default
    kind = "text" if value.kind == "choice" and not choices else value.kind
    return msgspec.structs.replace(
        value, kind=kind, choices=choices if kind == "choice" else (), default=default, metavar=_shown(value.metavar)
    )


def _typable(*words: str) -> bool:
    return all(word and not _CONTROL.search(word) and not re.search(r"\s", word) for word in words)


def _shown(text: str) -> str:
    return " ".join(_CONTROL.sub(" ", text).split())
