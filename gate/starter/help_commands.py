"""Commands of a grammar that ask a program, and each command of it, what it says of itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from gate.corpus.grammar import Argument, Command
from gate.starter.argument_of import usable

HELP = "--help"
"""The option, and the name of the command that has it alone."""

_UNFIT = re.compile(r"[\s|>\x00-\x1f\ud800-\udfff]+")
"""What no name of a command can have."""

_ABOUT = "what each command says of itself"


def help_commands(commands: Sequence[Sequence[str]], *, taken: Collection[str]) -> Iterator[tuple[Command, str]]:
    """A command for each word or row of words that has commands below it, the program itself last, and a line about each.

    Together their steps ask for the help of every command by all its words. `commands` are the words of each; `taken` names that the
    grammar has already.
    """
    below: dict[tuple[str, ...], dict[str, None]] = {(): {}}
    for words in commands:
        if all(word and usable(word) for word in words):
            for place, word in enumerate(words):
                below.setdefault(tuple(words[:place]), {})[word] = None
    given = {*taken}
    for words, names in sorted(below.items(), key=lambda each: not each[0]):
        name = free_name((*words, HELP), given, otherwise=HELP) if words else HELP
        given.add(name)
        of = (Argument(kind="choice", values=tuple(names), optional=True),) if names else ()
        yield Command(name=name, words=words, args=(*of, Argument(kind="literal", value=HELP))), _ABOUT


def free_name(words: Sequence[str], taken: Collection[str], *, otherwise: str) -> str:
    """The words as the name of a command that none has yet, `otherwise` where they make none; another one has a number at its end."""
    plain = [_UNFIT.sub("-", word) for word in words if word.strip()]
    wanted = name = " ".join(plain) or otherwise
    number = 1
    while name in taken:
        number += 1
        name = f"{wanted}-{number}"
    return name
