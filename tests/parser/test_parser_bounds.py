"""What a program says that it takes has bounds, whatever it says."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from gate.parser.bounded import MOST_CHOICES, MOST_COMMANDS, MOST_PARTS, MOST_WORDS, bounded
from gate.parser.parsed import ParsedArgument, ParsedCommand, ParsedOption, ParsedProgram, ParsedValue


def program(*commands, **told):
    return ParsedProgram(source="argparse", commands=commands, **told)


def test_an_ordinary_program_stays_as_it_is():
    value = ParsedValue(kind="choice", choices=("a", "b"), default="a", metavar="X")
    option = ParsedOption(names=("--x", "-x"), value=value, least=2, most=None, one_of="g", help="x" * 300)
    command = ParsedCommand(words=("a", "b"), options=(option,), arguments=(ParsedArgument(name="f", least=0, most=3),))
    told = program(command, notes=("a note",))
    assert bounded(told) == told


def test_what_is_too_much_is_cut_and_told():
    words = ParsedArgument(name="point", least=20_000, most=20_000)
    choice = ParsedOption(
        names=("--c", "-" * 300), value=ParsedValue(kind="choice", choices=tuple(map(str, range(999))))
    )
    found = bounded(program(ParsedCommand(options=(choice,), arguments=(words,), help="h" * 99_999)))
    (command,) = found.commands
    assert (command.arguments[0].least, command.arguments[0].most) == (MOST_WORDS, MOST_WORDS)
    assert (command.options[0].names, len(command.options[0].value.choices)) == (("--c",), MOST_CHOICES)
    assert len(command.help) == 2000
    assert found.notes == ("one of 999 words: the first 200 are taken", "point wants 20000 words: 16 are drawn")


def test_commands_and_options_are_counted_in_all():
    found = bounded(program(*[ParsedCommand(words=(str(number),)) for number in range(2 * MOST_COMMANDS)]))
    assert (len(found.commands), found.notes) == (MOST_COMMANDS, ("it has 1000 commands: the first 500 are taken",))
    options = tuple(ParsedOption(names=(f"--o{number}",)) for number in range(MOST_PARTS))
    found = bounded(program(ParsedCommand(words=("a",), options=options), ParsedCommand(words=("b",), options=options)))
    assert [len(each.options) for each in found.commands] == [MOST_PARTS, 0]
    assert found.notes == ("its commands take more than 5000 options and arguments in all: some are left out",)


def test_a_command_whose_words_nobody_types_is_left_out():
    found = bounded(
        program(ParsedCommand(words=("a",) * 11), ParsedCommand(words=("b" * 201,)), ParsedCommand(words=("c",)))
    )
    assert [each.words for each in found.commands] == [("c",)]
    assert found.notes == ("a command of too many or too long words is left out",)


texts = st.text(max_size=2).map(lambda text: text * 200)
counts = st.integers(-3, 1 << 70)
values = st.builds(ParsedValue, choices=st.tuples(texts), default=texts, min=counts, max=counts, metavar=texts)
options = st.builds(
    ParsedOption, names=st.tuples(texts, texts), value=values, least=counts, most=counts | st.none(), help=texts
)
arguments = st.builds(ParsedArgument, name=texts, value=values, least=counts, most=counts | st.none(), one_of=texts)
commands = st.builds(
    ParsedCommand, words=st.tuples(texts), options=st.tuples(options), arguments=st.tuples(arguments), help=texts
)


@given(st.lists(commands, max_size=3))
def test_bounds_are_kept_and_applied_once(found):
    once = bounded(program(*found))
    assert msgspec.structs.replace(bounded(once), notes=()) == msgspec.structs.replace(once, notes=())
    for command in once.commands:
        assert all(0 <= each.least <= MOST_WORDS for each in (*command.options, *command.arguments))
        assert all(
            each.most is None or each.least <= each.most <= MOST_WORDS
            for each in (*command.options, *command.arguments)
        )
