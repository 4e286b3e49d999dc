"""The words that edge values and unknown commands are drawn from. A change here changes what every grammar draws: raise GENERATOR."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gate.corpus.grammar import Edge, Grammar

GENERATOR = 1
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
}
"""The edges whose words depend on nothing. `duplicate` and `missing` depend on the case: gate.corpus.strategies."""

TEXT_ALPHABET = "".join(map(chr, range(0x20, 0x7F)))
STDIN_ALPHABET = "\n\t" + TEXT_ALPHABET

_UNKNOWN = ("no-such-command", "unknown", "\u00fcnknown")


def unknown_names(grammar: Grammar) -> tuple[str, ...]:
    """Command words that the grammar does not know: strangers, and near misses of each name (other case, a letter more, a letter less)."""
    known = {word for command in grammar.commands for word in (command.name, command.name.split(" ")[0])}
    near = [
        miss
        for command in grammar.commands
        for word in (command.name.split(" ")[0],)
        for miss in (word.upper(), word.lower(), word + "x", word[:-1])
    ]
    return tuple(name for name in dict.fromkeys((*_UNKNOWN, *near)) if name and name not in known)


def absent_word(pool: Collection[str]) -> str:
    """A word that is in no list: a key that was never set."""
    word = "absent"
    while word in pool:
        word += "-absent"
    return word
