"""What the cases of one corpus show of each command, and those of another do not: words, options, input, variables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec

from gate.corpus.contents import Corpus
from gate.corpus.literal import literal
from gate.corpus.tags import expanded
from gate.domain import Step

OPTION = re.compile(rb"--?[A-Za-z][A-Za-z0-9_-]*(?==|\Z)")
"""The option that a word begins with."""

_NUMBER = re.compile(r"[+-]?\d{1,40}(?:\.\d{1,40})?")
_COMMAND = "command "

Seen = dict[str, dict[str, set[bytes]]]
"""By command, by place: the words."""


class Narrowed(msgspec.Struct, frozen=True, kw_only=True):
    """One place of a command where OLD has words that NEW has not. Nothing is told of a command or an option that NEW has not at all."""

    command: str
    """Empty for steps of no command that has a name."""
    place: str
    """`argument 1`, …; `option --limit`: the word after it, or joined to it; `options`: which there are; `standard input`;
    `variable NAME`."""
    lost: tuple[str, ...]
    """The words that NEW has not, quoted as a shell takes them: numbers first, by size, then the others."""
    old: int
    """Different words of OLD there."""
    new: int
    """Different words of NEW there."""

    @property
    def smaller(self) -> bool:
        """Whether NEW has fewer words there; else it has others instead."""
        return self.new < self.old


def narrowed(old: Corpus, new: Corpus) -> tuple[Narrowed, ...]:
    """Where NEW has lost words: places with fewer words first, then by command and place. Of a corpus and itself: nothing.

    What a command is, is known from what drawn cases cover; without any it is the first word. An argument is counted from 1, options and
    the words after them left out: what follows an option is taken for its value, as the corpus does not say which options have none.
    """
    names = _names(old) | _names(new)
    before, after = _seen(old, names), _seen(new, names)
    found = [
        Narrowed(command=command, place=place, lost=_sorted(lost), old=len(words), new=len(left))
        for command, places in before.items()
        if command in after
        for place, words in places.items()
        if (lost := words - (left := after[command].get(place, set()))) and (left or not place.startswith("option "))
    ]
    return tuple(sorted(found, key=lambda each: (not each.smaller, each.command, each.place)))


def _names(corpus: Corpus) -> set[tuple[bytes, ...]]:
    tags = expanded(tag for own in corpus.covers.values() for tag in own)
    return {tuple(tag.removeprefix(_COMMAND).encode().split(b" ")) for tag in tags if tag.startswith(_COMMAND)}


def _seen(corpus: Corpus, names: set[tuple[bytes, ...]]) -> Seen:
    found: Seen = defaultdict(lambda: defaultdict(set))
    for case in corpus.cases:
        for step in case.steps:
            command = _command(step.argv, names)
            places = found[b" ".join(command).decode("utf-8", "backslashreplace")]
            places.setdefault("options", set())
            for place, word in _words(step, step.argv[len(command) :]):
                places[place].add(word)
    return found


def _command(argv: Sequence[bytes], names: set[tuple[bytes, ...]]) -> tuple[bytes, ...]:
    if not names:
        return tuple(argv[:1]) if argv and not argv[0].startswith(b"-") else ()
    heads = (tuple(argv[:length]) for length in range(len(argv), 0, -1))
    return next((head for head in heads if head in names), ())


def _words(step: Step, rest: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    place, number = "", 0
    for word in rest:
        option = OPTION.match(word)
        if option is not None:
            yield "options", option[0]
            place = f"option {option[0].decode('ascii')}"
            if option[0] == word:
                continue
            yield place, word[option.end() + 1 :]
        elif place:
            yield place, word
        else:
            number += 1
            yield f"argument {number}", word
        place = ""
    if step.stdin is not None:
        yield "standard input", step.stdin
    yield from ((f"variable {name}", text.encode("utf-8", "surrogateescape")) for name, text in step.env.items())


def _sorted(words: set[bytes]) -> tuple[str, ...]:
    def key(text: str) -> tuple[bool, float, str]:
        number = _NUMBER.fullmatch(text)
        return number is None, float(text) if number else 0.0, text

    return tuple(sorted(map(literal, words), key=key))
