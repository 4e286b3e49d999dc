"""The report of what a corpus shows of a program, as lines for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gate.corpus.behaviour import BehaviourShown, CommandShown
from gate.counted import counted


def behaviour_lines(shown: BehaviourShown, *, escape: Callable[[str], str]) -> Iterator[str]:
    """A line for what was seen, then under it what was not. `escape` makes text of the program fit for a terminal."""
    yield f"behaviour: {counted(shown.steps, 'step')} in {counted(shown.cases, 'case')} on the baseline"
    seen = ", ".join(f"{escape(each.status)} ({each.steps})" for each in shown.statuses)
    yield f"exit statuses: {seen or 'none: the program prints its own trace'}"
    yield from (f"  never seen: {code}" for code in shown.usual)
    yield from (f"  never seen: {each.code}, which {escape(each.file)}:{each.line} names" for each in shown.named)
    yield from _commands(shown, escape)
    for each in shown.options:
        steps = f"{counted(each.steps, 'step')} ended otherwise" if each.steps else "in no step"
        yield f"  never in a step that ended in 0: {escape(each.option)} of {escape(each.command)} ({steps})"


def _commands(shown: BehaviourShown, escape: Callable[[str], str]) -> Iterator[str]:
    ran = [each for each in shown.commands if each.steps]
    yield f"commands that ran: {len(ran)} of {len(shown.commands)}"
    yield from (f"  {escape(each.command)}: never ran" for each in shown.commands if not each.steps)
    if shown.statuses:
        yield from (f"  {escape(each.command)}: never ended in 0" for each in ran if not each.succeeded)
        yield from (f"  {escape(each.command)}: never ended in anything but 0" for each in ran if not each.failed)
    if silent := _names((each for each in ran if not each.printed), escape):
        yield f"  never printed on standard output: {silent}"
    if still := _names((each for each in ran if not each.wrote), escape):
        yield f"  never touched a file: {still}"


def _names(commands: Iterable[CommandShown], escape: Callable[[str], str]) -> str:
    return ", ".join(escape(each.command) for each in commands)
