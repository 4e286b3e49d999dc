"""Usage lines that spell commands out, as those of docopt: which options belong to which line."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gate.parser.help.usage import Usage
from gate.parser.parsed import ParsedOption

_ENDING = frozenset({"-h", "--help", "--version"})


def shared(
    options: tuple[ParsedOption, ...], usages: Sequence[Usage]
) -> tuple[tuple[ParsedOption, ...], tuple[ParsedOption, ...]]:
    """Of a page whose usage lines spell commands out: the options of the lines without a command, and those before any command.

    A line takes what it names, and all where it says `[options]`; what no line names may stand before any command, but where a line
    with a command says `[options]`: then the others, which do not, take none of them.
    """
    spelled = [usage for usage in usages if usage.literals]
    plain = [usage for usage in usages if not usage.literals]
    named = {option.name for usage in spelled for option in usage.options}
    stated = {option.name for usage in plain for option in usage.options}
    every, loose = any(usage.takes_options for usage in plain), not any(usage.takes_options for usage in spelled)
    own = tuple(each for each in options if every or not stated.isdisjoint(each.names))
    before = tuple(
        each for each in options if named.isdisjoint(each.names) and (loose or not stated.isdisjoint(each.names))
    )
    return own, before


def does_something(usage: Usage, ending: Collection[str]) -> bool:
    """Whether a usage line without a command is for more than help and version."""
    names = [option.name for option in usage.options]
    told = usage.arguments or usage.takes_options or usage.commands is not None or not names
    return bool(told) or any(name not in ending and name not in _ENDING for name in names)
