"""What 200 cases cover of three grammars: a small store, a program of many commands, and one of many options.

    python benches/draws.py [--cases 200]

Prints the table of docs/corpus.md, `covered/all` a sort, with the seconds that a draw takes. All but the seconds is the same each time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import chain

from gate.corpus.coverage import coverage
from gate.corpus.draw import draw_cases
from gate.corpus.grammar import Argument, Command, Grammar

SORTS = ("commands", "options", "options alone", "choices", "edges", "lives", "pairs", "pairs of options")
POOLS = {"keys": ("alpha", "beta", "gamma"), "values": ("1", "two words", "naïve")}


def store() -> Grammar:
    """Commands with the five roles of one noun, a few options, a few edges."""
    key = Argument(kind="pool", pool="keys", edges=("empty", "missing", "unicode", "long"))
    value = Argument(kind="pool", pool="values", edges=("empty", "unicode"))
    force = Argument(kind="flag", option="--force", optional=True)
    limit = Argument(kind="int", option="--limit", optional=True, edges=("zero", "negative", "huge"))
    ascending = Argument(kind="flag", option="--sorted", optional=True)
    return Grammar(
        pools=POOLS,
        commands=(
            Command(name="add", args=(key, value), role="create", noun="item"),
            Command(name="show", args=(key,), role="read", noun="item"),
            Command(name="set", args=(key, value), role="update", noun="item"),
            Command(name="drop", args=(force, key), role="delete", noun="item"),
            Command(name="list", args=(limit, ascending), role="list", noun="item"),
        ),
    )


def many_commands() -> Grammar:
    """Thirty commands, six of each of five nouns, with six options each."""
    roles = ("create", "read", "update", "delete", "list", None)
    options = (
        Argument(kind="flag", option="--quiet", optional=True),
        Argument(kind="choice", option="--form", values=("json", "text", "table"), optional=True, edges=("wrong",)),
        Argument(kind="int", option="--limit", optional=True, edges=("zero", "negative", "huge", "wrong")),
        Argument(kind="float", option="--ratio", optional=True, edges=("zero", "negative", "huge", "wrong")),
        Argument(kind="pool", pool="values", option="--value", optional=True, edges=("empty", "unicode", "long")),
        Argument(kind="text", option="--note", optional=True, edges=("empty", "unicode", "long")),
    )
    key = Argument(kind="pool", pool="keys", edges=("empty", "missing", "unicode", "long"))
    commands = (
        Command(name=f"{noun}-{role or 'check'}", args=(*options, key), role=role, noun=noun if role else None)
        for noun in ("user", "group", "key", "note", "rule")
        for role in roles
    )
    return Grammar(pools=POOLS, commands=tuple(commands))


def many_options() -> Grammar:
    """One command, and no command word, with sixty options and a file."""
    flags = [Argument(kind="flag", option=f"--flag-{number}", optional=True) for number in range(20)]
    choices = [
        Argument(kind="choice", option=f"--mode-{number}", values=("a", "b", "c"), optional=True, edges=("wrong",))
        for number in range(10)
    ]
    numbers = [
        Argument(kind="int", option=f"--count-{number}", optional=True, edges=("zero", "negative", "huge", "wrong"))
        for number in range(15)
    ]
    texts = [
        Argument(kind="text", option=f"--text-{number}", optional=True, edges=("empty", "unicode", "long", "bare"))
        for number in range(15)
    ]
    file = Argument(kind="pool", pool="keys", edges=("empty", "missing", "folder", "unreadable"))
    args = (*flags, *choices, *numbers, *texts, file)
    return Grammar(pools=POOLS, commands=(Command(name="run", words=(), args=args),), unknown_options=True)


GRAMMARS = {
    "a store: 5 commands, 40 cases": (store, 40),
    "30 commands of 6 options": (many_commands, None),
    "one command with 60 options": (many_options, None),
}


def main(words: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=200, help="at most, for each grammar")
    asked = parser.parse_args(words).cases
    print("| grammar | steps |", " | ".join(SORTS), "| seconds |")
    print("| --- " * (len(SORTS) + 3) + "|")
    for name, (grammar_of, most) in GRAMMARS.items():
        grammar = grammar_of()
        begun = time.perf_counter()
        corpus = draw_cases(grammar, seed=1, cases=min(asked, most or asked)).corpus
        seconds = time.perf_counter() - begun
        shares = {share.what: share for share in coverage(grammar, chain(*corpus.covers.values()))}
        told = (shares.get(sort) for sort in SORTS)
        cells = (f"{share.covered}/{share.total}" if share and share.total else "none" for share in told)
        print(f"| {name} | {sum(len(case.steps) for case in corpus.cases)} |", " | ".join(cells), f"| {seconds:.1f} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
