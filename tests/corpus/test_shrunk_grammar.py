"""What can be drawn no longer."""

from gate.corpus.grammar import Argument, Command, Grammar
from gate.corpus.shrunk import shrunk

OLD = Grammar(
    pools={"key": ("a", "b", "c"), "file": ("x", "y")},
    commands=(
        Command(
            name="get",
            args=(
                Argument(kind="pool", pool="key", edges=("empty", "missing")),
                Argument(kind="int", option="--limit", optional=True, max=100),
                Argument(kind="choice", option="--sort=", values=("name", "time"), repeat=3),
                Argument(kind="flag", option="--json", optional=True),
            ),
            stdin=Argument(kind="text", max=60),
        ),
        Command(name="put", args=(Argument(kind="literal", value="-"), Argument(kind="text"))),
        Command(name="drop"),
    ),
    unknown_options=True,
)
NEW = Grammar(
    pools={"key": ("a",)},
    commands=(
        Command(
            name="get",
            args=(
                Argument(kind="pool", pool="key", edges=("empty",)),
                Argument(kind="int", option="--limit", max=1),
                Argument(kind="choice", option="--sort=", values=("name", "size"), repeat=2),
            ),
            stdin=Argument(kind="text", max=10),
        ),
        Command(name="put", args=(Argument(kind="literal", value="+"), Argument(kind="int"))),
    ),
    unknown_commands=False,
    min_steps=2,
    max_steps=3,
)


def test_everything_that_is_gone_or_narrower_is_named():
    assert list(shrunk(OLD, NEW)) == [
        "pool key: 3 words -> 1: without b, c",
        "pool file: gone",
        "command get: args[0]: 2 edges -> 1: without missing",
        "command get: --limit: 0 to 100 -> 0 to 1",
        "command get: --limit: no longer left out",
        "command get: --sort: 2 choices -> 2: without time",
        "command get: --sort: repeat 3 -> 2",
        "command get: --json: gone",
        "command get: stdin: 1 to 60 characters -> 1 to 10 characters",
        "command put: args[0]: - -> +",
        "command put: args[1]: text -> int",
        "command drop: gone",
        "max_steps: 6 -> 3",
        "min_steps: 1 -> 2",
        "unknown_commands: no longer drawn",
        "unknown_options: no longer drawn",
    ]


def test_what_came_is_not_named():
    assert list(shrunk(Grammar(commands=(Command(name="get"),)), OLD)) == []
    assert list(shrunk(OLD, OLD)) == []


def test_of_many_lost_words_the_first_are_named():
    pools = tuple(f"w{number}" for number in range(9))
    assert list(shrunk(Grammar(pools={"p": pools}), Grammar(pools={"p": pools[:1]}))) == [
        "pool p: 9 words -> 1: without w1, w2, w3, w4, w5, …"
    ]
