from gate.corpus.coverage import coverage, coverage_lines, observed_tags
from gate.corpus.grammar import Argument, Command, Grammar
from gate.domain import Step

GRAMMAR = Grammar(
    pools={"keys": ("a",)},
    commands=(
        Command(
            name="set",
            args=(Argument(kind="literal", value="x"), Argument(kind="pool", pool="keys", edges=("empty", "long"))),
            stdin=Argument(kind="text", edges=("unicode",)),
        ),
        Command(name="set all"),
    ),
)


def report(*tags, grammar=GRAMMAR):
    return coverage_lines(coverage(grammar, tags))


def test_everything_is_uncovered_by_nothing():
    assert report() == (
        "commands: 0 of 3 covered",
        "  not covered: command set",
        "  not covered: command set all",
        "  not covered: unknown command",
        "edges: 0 of 3 covered",
        "  not covered: edge empty args[1] of set",
        "  not covered: edge long args[1] of set",
        "  not covered: edge unicode stdin of set",
        "pairs: 0 of 4 covered",
        "  not covered: pair set > set",
        "  not covered: pair set > set all",
        "  not covered: pair set all > set",
        "  not covered: pair set all > set all",
    )


def test_what_the_grammar_does_not_know_covers_nothing():
    gone = Grammar(commands=(Command(name="a"),), unknown_commands=False, max_steps=1)
    assert report("command a", "command gone", "pair a > gone", grammar=gone) == (
        "commands: 1 of 1 covered",
        "edges: 0 of 0 covered",
        "pairs: 0 of 0 covered",
    )


def test_commands_and_pairs_of_a_hand_written_case_are_read_off_its_words():
    steps = [Step(argv=tuple(line.split())) for line in (b"set all now", b"set x", b"sett", b"set all")]
    assert observed_tags(GRAMMAR, steps) == (
        "command set",
        "command set all",
        "pair set all > set",
        "unknown command",
    )
