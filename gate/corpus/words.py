"""The words that edge values and unknown commands are drawn from. A change here changes what every grammar draws: raise GENERATOR."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from gate.corpus.grammar import Argument, Command, Edge, Grammar

GENERATOR = 4
"""The version of everything that decides what is drawn, Hypothesis aside. It stands in the head of every drawn corpus."""

UNICODE = (
    "é",
    "e\u0301",  # the same letter, combining
    "\U0001f600",  # astral: two units in UTF-16
    "\u05e9\u05dc\u05d5\u05dd",  # right to left
    "a\u202eb",  # a right-to-left override
    "a\u00a0b",  # a space that is no separator
    "a\u2028b",  # a line separator that splits no line
    "a\u200bb",  # a space without width
    "\ufeffa",  # a byte order mark
    "\u0130",  # its lower case is two characters
    "\u1e9e",  # its upper case is itself
)
UNICODE_NUMBERS = ("\u0661\u0662", "\uff11\uff12", "\u00b2", "1\u00a0000", "\u22121")

FIXED: Mapping[Edge, tuple[str, ...]] = {
    "empty": ("",),
    "unicode": UNICODE,
    "long": ("a" * 4096,),
    "zero": ("0", "-0", "00"),
    "negative": ("-1", "-100"),
    "huge": ("2147483648", "9223372036854775808", "-9223372036854775809", "1" + "0" * 40),
    "folder": (".",),
}
"""The edges whose words depend on nothing."""

_NUMBERS: Mapping[Edge, tuple[str, ...]] = {"unicode": UNICODE_NUMBERS}
_INTS: Mapping[Edge, tuple[str, ...]] = {**_NUMBERS, "wrong": ("abc", "1.5", "1e3", "0x10")}
_FLOATS: Mapping[Edge, tuple[str, ...]] = {
    **_NUMBERS,
    "zero": ("0", "-0.0", "0.0"),
    "negative": ("-1", "-0.5"),
    "huge": ("1e308", "1e309", "-1e309", "5e-324", "1" + "0" * 40, "inf", "nan"),
    "wrong": ("abc", "1,5", "0x10", "1e"),
}

TEXT_ALPHABET = "".join(map(chr, range(0x20, 0x7F)))
STDIN_ALPHABET = "\n\t" + TEXT_ALPHABET

_UNKNOWN = ("no-such-command", "unknown", "\u00fcnknown")
_UNKNOWN_OPTIONS = ("--no-such-option", "--\u00fcnknown", "-\u00fc")
_SHORTEST = 4
"""Letters of an option that can be misspelt: less than `--x` and a letter is another option, or none."""


def edge_words(edge: Edge, argument: Argument, *, pool: tuple[str, ...], used: Collection[str]) -> tuple[str, ...]:
    """What an edge other than `bare` is drawn from. `pool` holds the words of the argument's pool, `used` those that the case used.

    Empty only for `duplicate`, while nothing was used.
    """
    if edge == "duplicate":
        return tuple(dict.fromkeys(used))
    if edge == "missing":
        return (absent_word(pool), *(word for word in dict.fromkeys(pool) if word not in used))
    if edge == "unreadable":
        return tuple(dict.fromkeys(f"{word.rstrip('/')}/x" for word in pool))
    if edge == "wrong" and argument.kind == "choice":
        return _no_choices(argument.values or ())
    own = _INTS if argument.kind == "int" else _FLOATS if argument.kind == "float" else FIXED
    return own.get(edge) or FIXED[edge]


def _no_choices(values: Collection[str]) -> tuple[str, ...]:
    near = (miss for value in values for miss in (value.upper(), value.lower(), value + "x", value[:-1]))
    return tuple(word for word in dict.fromkeys(("no-such-choice", *near)) if word and word not in values) or ("-",)


def unknown_names(grammar: Grammar) -> tuple[str, ...]:
    """Command words that the grammar does not know: strangers, and near misses of each name (other case, a letter more, a letter less)."""
    firsts = [command.command_words[0] for command in grammar.commands if command.command_words]
    known = {*firsts, *(" ".join(command.command_words) for command in grammar.commands)}
    near = [miss for word in firsts for miss in (word.upper(), word.lower(), word + "x", word[:-1])]
    return tuple(name for name in dict.fromkeys((*_UNKNOWN, *near)) if name and name not in known)


def unknown_options(command: Command) -> tuple[str, ...]:
    """Options that the command does not have: strangers, and near misses of its long ones, among them an abbreviation of each."""
    known = tuple(_option_names((*command.before, *command.args)))
    near = [
        miss
        for option in known
        if len(option) >= _SHORTEST
        for miss in (option[:-1], option + "x", option.upper(), option.lower())
    ]
    return tuple(word for word in dict.fromkeys((*_UNKNOWN_OPTIONS, *near)) if word not in known)


def _option_names(arguments: Iterable[Argument]) -> Iterable[str]:
    return (argument.option.removesuffix("=") for argument in arguments if argument.option)


def absent_word(pool: Collection[str]) -> str:
    """A word that is in no list: a key that was never set."""
    word = "absent"
    while word in pool:
        word += "-absent"
    return word
