"""Which command a step is of."""

import pytest
from hypothesis import given

from gate.corpus.behaviour import behaviour_shown
from gate.corpus.contents import Corpus
from gate.corpus.grammar import Argument, Command, Grammar
from gate.corpus.observed import observed_tags
from gate.corpus.strategies import drawn_cases
from gate.corpus.thinning import tags_by_case
from gate.corpus.told_command import ToldCommands
from gate.domain import Case, CaseId, Record, Step, value

FILE = Argument(kind="pool", pool="file", optional=True, edges=("missing", "empty"))
WIDTH = Argument(kind="int", option="--width", optional=True, edges=("wrong",))
HELP = Command(name="--help", words=(), args=(Argument(kind="literal", value="--help"),))
FILTER = Grammar(
    pools={"file": ("a.html", "b.html")}, commands=(Command(name="html2text", words=(), args=(WIDTH, FILE)), HELP)
)
STORE = Grammar(
    pools={"key": ("a", "b")},
    commands=(
        Command(name="kv", words=(), args=(Argument(kind="flag", option="--version"),)),
        Command(
            name="get", args=(Argument(kind="flag", option="--json", optional=True), Argument(kind="pool", pool="key"))
        ),
        Command(name="load", args=(Argument(kind="literal", value="-"),)),
        Command(
            name="--help",
            words=(),
            args=(
                Argument(kind="choice", values=("get", "load"), optional=True),
                Argument(kind="literal", value="--help"),
            ),
        ),
    ),
)


def command(grammar, line):
    form = ToldCommands(grammar).form(Step(argv=tuple(line.encode().split())))
    return form and form.command.name


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("--help", "--help"),
        ("a.html", "html2text"),
        ("--width 3 a.html", "html2text"),
        ("--width", "html2text"),
        ("--bogus", "html2text"),
        ("", "html2text"),
    ],
)
def test_a_program_without_command_words_is_told_from_its_help(line, name):
    assert command(FILTER, line) == name


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("get a", "get"),
        ("get --help", "--help"),
        ("get --json a", "get"),
        ("get a b c", "get"),
        ("get --jso a", "get"),
        ("load -", "load"),
        ("load", "load"),
        ("--help", "--help"),
        ("--version", "kv"),
        ("--vers", "kv"),
        ("no-such-command a", None),
        ("gett", None),
    ],
)
def test_literal_words_come_first_and_a_stranger_is_no_command(line, name):
    assert command(STORE, line) == name


def test_a_command_whose_literal_has_an_option_is_told_from_its_namesake():
    plain = Command(name="plain", words=("export",), args=(Argument(kind="text", option="--as", optional=True),))
    xml = Command(name="xml", words=("export",), args=(Argument(kind="literal", option="--as", value="xml"),))
    joined = Command(name="csv", words=("export",), args=(Argument(kind="literal", option="--as=", value="csv"),))
    grammar = Grammar(commands=(plain, xml, joined))
    assert [command(grammar, f"export {rest}") for rest in ("--as text", "--as xml", "--as=csv", "")] == [
        *("plain", "xml", "csv", "plain"),
    ]


def test_words_are_found_after_a_literal_that_stands_before_them():
    grammar = Grammar(commands=(Command(name="get", before=(Argument(kind="literal", value="local"),)),))
    assert (command(grammar, "local get"), command(grammar, "other get")) == ("get", None)


def test_a_step_of_the_help_says_nothing_of_the_program_itself():
    step = Step(argv=(b"--help",))
    record = Record(case=CaseId("A"), step=1, command="--help", fields={"status": value(b"0")})
    shown = behaviour_shown(FILTER, (Case(id=CaseId("A"), steps=(step,)),), ((record,),), ())
    assert [(each.command, each.steps) for each in shown.commands] == [("html2text", 0), ("--help", 1)]


def test_thinning_keeps_a_hand_written_case_of_the_help_apart_from_the_program():
    steps = (Step(argv=(b"--help",)),)
    found = tags_by_case(Corpus(cases=(Case(id=CaseId("mine"), steps=steps),)), FILTER)
    assert found == {"mine": frozenset({"command --help"})}


@pytest.mark.parametrize("grammar", [FILTER, STORE], ids=["filter", "store"])
def test_what_was_drawn_is_read_off_the_words_again(grammar):
    alone = Grammar(pools=grammar.pools, commands=grammar.commands, max_steps=1)

    @given(drawn_cases(alone))
    def law(case):
        (step,) = (Step(argv=tuple(word.encode() for word in step.argv)) for step in case.steps)
        drawn = [tag for tag in case.covers if tag.startswith("command ") or tag == "unknown command"]
        told = [tag for tag in observed_tags(alone, (step,)) if tag.startswith("command ") or tag == "unknown command"]
        assert told == drawn

    law()
