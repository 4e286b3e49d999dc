"""What a corpus shows of a program: exit statuses, options that worked, output, files; and what it never shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from gate.corpus.exit_codes import NamedCode
from gate.corpus.grammar import Argument, Command, Grammar
from gate.corpus.told_command import ToldCommands
from gate.domain import Case, Record, Step

USUAL = ("0", "1", "2")
"""The codes that most programs have: done, failed, wrongly called."""


class StatusSeen(msgspec.Struct, frozen=True, kw_only=True):
    """How often steps ended so."""

    status: str
    steps: int


class CommandShown(msgspec.Struct, frozen=True, kw_only=True):
    """What the steps of one command did."""

    command: str
    steps: int
    """0: no step of it ran, and the rest is false."""
    succeeded: bool = False
    """Whether one ended in 0."""
    failed: bool = False
    """Whether one ended otherwise."""
    printed: bool = False
    """Whether one printed on standard output."""
    wrote: bool = False
    """Whether one touched a file."""


class OptionUnshown(msgspec.Struct, frozen=True, kw_only=True):
    """An option of the grammar that is in no step that ended in 0."""

    command: str
    option: str
    steps: int
    """Steps that have it and ended otherwise."""


class BehaviourShown(msgspec.Struct, frozen=True, kw_only=True):
    """The report. Without steps: nothing was seen."""

    cases: int
    steps: int
    statuses: tuple[StatusSeen, ...]
    """The most frequent first; of equals by name. Empty where the program's own trace has none."""
    commands: tuple[CommandShown, ...]
    """In the order of the grammar; without one, the first words of steps, sorted."""
    options: tuple[OptionUnshown, ...]
    usual: tuple[str, ...]
    """Of `USUAL` those that no step ended in."""
    named: tuple[NamedCode, ...]
    """Codes that the program's own source names and no step ended in."""


Row = tuple[str, Step, Record]
"""A command, the step, and what it did."""


def behaviour_shown(
    grammar: Grammar, cases: Sequence[Case], run: Sequence[Sequence[Record]], named: Iterable[NamedCode]
) -> BehaviourShown:
    """What `cases` show; `run[i]` are the records of case i in one run of the baseline. A record of no step of ours tells its status alone.

    A step of no command of the grammar counts for statuses alone.
    """
    statuses = Counter(_status(record) for records in run for record in records if "status" in record.fields)
    known = ToldCommands(grammar) if grammar.commands else None
    told: dict[tuple[bytes, ...], str] = {}
    rows = [row for case, records in zip(cases, run, strict=True) for row in _rows(known, case, records, told)]
    names = [command.name for command in grammar.commands] or sorted({name for name, _, _ in rows})
    return BehaviourShown(
        cases=len(cases),
        steps=sum(map(len, run)),
        statuses=tuple(
            StatusSeen(status=status, steps=count)
            for status, count in sorted(statuses.items(), key=lambda item: (-item[1], item[0]))
        ),
        commands=tuple(_shown(name, [record for held, _, record in rows if held == name]) for name in names),
        options=tuple(option for command in grammar.commands for option in _unshown(command, rows)),
        usual=tuple(code for code in USUAL if statuses and code not in statuses),
        named=tuple(each for each in named if statuses and str(each.code) not in statuses),
    )


def _rows(
    known: ToldCommands | None, case: Case, records: Iterable[Record], told: dict[tuple[bytes, ...], str]
) -> Iterable[Row]:
    """The command is empty where the grammar has commands, and not this one. `told`: what was found so far."""
    for record in records:
        if 1 <= record.step <= len(case.steps):
            step = case.steps[record.step - 1]
            if step.argv not in told:
                told[step.argv] = record.command if known is None else _command(known, step)
            yield told[step.argv], step, record


def _command(known: ToldCommands, step: Step) -> str:
    form = known.form(step)
    return "" if form is None else form.command.name


def _shown(name: str, records: Sequence[Record]) -> CommandShown:
    statuses = {_status(record) for record in records if "status" in record.fields}
    return CommandShown(
        command=name,
        steps=len(records),
        succeeded="0" in statuses,
        failed=bool(statuses - {"0"}),
        printed=any(_holds(record, "stdout") for record in records),
        wrote=any(_holds(record, "files") for record in records),
    )


def _unshown(command: Command, rows: Sequence[Row]) -> Iterable[OptionUnshown]:
    own = [(step, _status(record)) for name, step, record in rows if name == command.name]
    for option in dict.fromkeys(name for argument in _arguments(command) for name in _options(argument)):
        ended = [status for step, status in own if _has(step, option)]
        if "0" not in ended:
            yield OptionUnshown(command=command.name, option=option.removesuffix("="), steps=len(ended))


def _arguments(command: Command) -> tuple[Argument, ...]:
    return (*command.before, *command.args)


def _options(argument: Argument) -> Iterable[str]:
    if argument.option is not None:
        yield argument.option
    words = (*(argument.values or ()), *((argument.value,) if argument.value else ()))
    if argument.option is None:
        yield from (word for word in words if word.startswith("-") and word.strip("-"))


def _has(step: Step, option: str) -> bool:
    name = option.removesuffix("=").encode()
    return any(word == name or word.startswith(name + b"=") for word in step.argv)


def _status(record: Record) -> str:
    held = record.fields.get("status")
    return "" if held is None else held.data.decode("ascii", "backslashreplace")


def _holds(record: Record, field: str) -> bool:
    held = record.fields.get(field)
    return held is not None and held.size > 0
