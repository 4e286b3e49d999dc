from gate.corpus.coverage import coverage, coverage_lines
from gate.corpus.grammar import Argument, Command, Grammar
from gate.corpus.observed import observed_tags
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


OPTIONS = Grammar(
    commands=(
        Command(
            name="list",
            words=("ls",),
            before=(Argument(kind="flag", option="-v", optional=True),),
            args=(
                Argument(kind="choice", option="--sort", optional=True, values=("name", "a time"), repeat=2),
                Argument(kind="int", option="--limit=", edges=("wrong",)),
            ),
        ),
        Command(name="add", role="create", noun="task"),
    ),
    unknown_commands=False,
    unknown_options=True,
)


def test_every_sort_that_the_grammar_has_is_counted():
    assert report(grammar=OPTIONS) == (
        "commands: 0 of 2 covered",
        "  not covered: command list",
        "  not covered: command add",
        "options: 0 of 3 covered",
        "  not covered: option -v of list",
        "  not covered: option --sort of list",
        "  not covered: option --limit of list",
        "options alone: 0 of 3 covered",
        "  not covered: alone nothing of list",
        "  not covered: alone -v of list",
        "  not covered: alone --sort of list",
        "repeats: 0 of 1 covered",
        "  not covered: repeat --sort of list",
        "choices: 0 of 2 covered",
        "  not covered: choice --sort=name of list",
        r"  not covered: choice --sort='a\x20time' of list",
        "edges: 0 of 1 covered",
        "  not covered: edge wrong args[1] of list",
        "unknown options: 0 of 2 covered",
        "  not covered: unknown option of list",
        "  not covered: unknown option of add",
        "lives: 0 of 1 covered",
        "  not covered: life task: create twice",
        "pairs: 0 of 4 covered",
        "  not covered: pair list > list",
        "  not covered: pair list > add",
        "  not covered: pair add > list",
        "  not covered: pair add > add",
        "pairs of options: 0 of 1 covered",
        "  not covered: options -v + --sort of list",
    )


def test_of_what_is_not_covered_twenty_are_named_and_the_others_counted():
    many = Grammar(commands=tuple(Command(name=f"c{number}") for number in range(23)), max_steps=1)
    share = coverage(many, [])
    assert coverage_lines(share)[20:] == (
        "  not covered: command c19",
        "  … and 4 more (all of them: gate corpus coverage --all)",
        "edges: 0 of 0 covered",
        "pairs: 0 of 0 covered",
    )
    assert len(coverage_lines(share, most=None)) == 27
    assert coverage_lines(share, most=24)[24:26] == ("  not covered: unknown command", "edges: 0 of 0 covered")


def test_options_and_their_choices_are_read_off_the_words():
    steps = [
        Step(argv=tuple(line.split(b" ")))
        for line in (b"-v ls --sort=name --limit=3", b"ls --limit 3", b"-v add", b"add", b"add --sort name")
    ]
    assert observed_tags(OPTIONS, steps) == (
        "choice --sort=name of list",
        "command add",
        "command list",
        "option --limit of list",
        "option --sort of list",
        "option -v of list",
        "options -v + --sort of list",
        "pair add > add",
        "pair list > list",
        "unknown command",
    )


def test_every_step_of_a_program_without_command_words_is_one_of_it():
    alone = Grammar(commands=(Command(name="cat", words=(), args=(Argument(kind="text"),)), Command(name="help")))
    assert observed_tags(alone, [Step(argv=(b"x",))]) == ("command cat",)
    assert observed_tags(alone, [Step(argv=(b"help",))]) == ("command help",)
