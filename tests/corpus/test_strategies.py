import string
from itertools import pairwise
from random import Random

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from gate.corpus import words
from gate.corpus.coverage import UNKNOWN, command_tag, edge_tag, pair_tag
from gate.corpus.grammar import Argument, Command, Grammar
from gate.corpus.grammar_faults import EDGES, grammar_faults
from gate.corpus.strategies import drawn_cases

KEYS = ("a", "b", "c")
STORE = Grammar(
    pools={"keys": KEYS},
    commands=(
        Command(name="set", args=(Argument(kind="pool", pool="keys", edges=("empty", "duplicate", "missing")),)),
        Command(name="get", args=(Argument(kind="pool", pool="keys", edges=("duplicate", "missing")),), after=("set",)),
    ),
    unknown_commands=False,
)
ABSENT = "absent"


def one(argument, **keys):
    return Grammar(
        pools={"keys": KEYS}, commands=(Command(name="run", args=(argument,), **keys),), unknown_commands=False
    )


def smallest(grammar, condition=bool):
    """The smallest case that meets the condition."""
    thorough = settings(max_examples=5000, database=None, deadline=None)
    return find(drawn_cases(grammar), condition, settings=thorough, random=Random(1))


def covering(grammar, tag):
    return smallest(grammar, lambda case: tag in case.covers)


@given(drawn_cases(STORE))
def test_a_case_has_as_many_steps_as_the_grammar_allows(case):
    assert 1 <= len(case.steps) <= 6


@given(drawn_cases(STORE))
def test_a_command_stands_only_after_one_that_it_comes_after(case):
    names = [step.argv[0] for step in case.steps]
    assert all("set" in names[:place] for place, name in enumerate(names) if name == "get")


@given(drawn_cases(STORE))
def test_covers_names_exactly_the_commands_and_neighbours(case):
    names = [step.argv[0] for step in case.steps]
    expected = {command_tag(name) for name in names} | {pair_tag(*pair) for pair in pairwise(names)}
    assert {tag for tag in case.covers if not tag.startswith("edge ")} == expected
    assert list(case.covers) == sorted(set(case.covers))


def test_a_duplicate_is_a_key_that_the_case_used_before():
    case = covering(STORE, edge_tag("duplicate", "args[0]", "get"))
    assert [step.argv for step in case.steps] == [("set", "a"), ("get", "a")]


@given(drawn_cases(one(Argument(kind="pool", pool="keys", edges=("duplicate",)))))
def test_without_a_key_used_before_no_duplicate_is_drawn(case):
    if edge_tag("duplicate", "args[0]", "run") in case.covers:
        keys = [step.argv[1] for step in case.steps]
        assert len(set(keys)) < len(keys)


@given(drawn_cases(one(Argument(kind="pool", pool="keys", edges=("missing",)))))
def test_a_missing_key_was_not_used_before(case):
    keys = [step.argv[1] for step in case.steps]
    assert set(keys) <= {*KEYS, ABSENT}
    if edge_tag("missing", "args[0]", "run") not in case.covers:
        assert ABSENT not in keys


def test_a_missing_key_can_be_one_of_no_pool():
    assert smallest(STORE, lambda case: case.steps[0].argv == ("set", ABSENT))
    assert words.absent_word(("absent", "absent-absent")) == "absent-absent-absent"


@pytest.mark.parametrize(
    ("kind", "edge", "expected"),
    [
        ("text", "empty", {""}),
        ("text", "unicode", set(words.UNICODE)),
        ("text", "long", {"a" * 4096}),
        ("int", "unicode", set(words.UNICODE_NUMBERS)),
        ("int", "zero", {"0", "-0", "00"}),
        ("int", "negative", {"-1", "-100"}),
        ("int", "huge", set(words.FIXED["huge"])),
    ],
)
def test_an_edge_value_is_one_of_its_words(kind, edge, expected):
    grammar = one(Argument(kind=kind, edges=(edge,)))
    case = covering(grammar, edge_tag(edge, "args[0]", "run"))
    assert expected.intersection(step.argv[1] for step in case.steps)


def test_the_unicode_words_hold_what_the_issue_names():
    joined = "".join(words.UNICODE)
    for wanted in ("\u0301", "\U0001f600", "\u05e9", "\u202e", "\u00a0"):
        assert wanted in joined


def test_an_option_precedes_its_value_or_is_joined_to_it():
    spaced = smallest(one(Argument(kind="int", option="--limit")))
    joined = smallest(one(Argument(kind="int", option="--limit=")))
    assert spaced.steps[0].argv == ("run", "--limit", "0")
    assert joined.steps[0].argv == ("run", "--limit=0")


def test_an_optional_argument_can_be_left_out():
    grammar = one(Argument(kind="int", option="--limit", optional=True))
    assert smallest(grammar, lambda case: case.steps[0].argv == ("run",))


def test_standard_input_is_drawn_and_can_be_left_out():
    grammar = one(Argument(kind="literal", value="-"), stdin=Argument(kind="text", optional=True, edges=("empty",)))
    assert smallest(grammar, lambda case: case.steps[0].stdin is None)
    assert covering(grammar, edge_tag("empty", "stdin", "run")).steps[0].stdin == ""


def test_a_name_of_several_words_is_several_words_of_the_command_line():
    grammar = Grammar(commands=(Command(name="remote add"),), unknown_commands=False)
    assert smallest(grammar).steps[0].argv == ("remote", "add")


def test_an_unknown_command_is_none_of_the_grammar():
    grammar = Grammar(commands=(Command(name="set"), Command(name="SET"), Command(name="unknown")))
    known = {"set", "SET", "unknown"}
    assert known.isdisjoint(words.unknown_names(grammar))
    case = covering(grammar, UNKNOWN)
    assert any(step.argv[0] not in known for step in case.steps)


@given(drawn_cases(Grammar(commands=(Command(name="set"),), unknown_commands=False)))
def test_without_unknown_commands_none_is_drawn(case):
    assert {step.argv[0] for step in case.steps} == {"set"}


WORDS = st.text(string.printable + "é\u202e😀", max_size=5)


@st.composite
def arguments(draw):
    """Any sound argument that knows the pool `keys`."""
    kind = draw(st.sampled_from(["literal", "choice", "pool", "int", "text"]))
    smallest_value = draw(st.integers(1, 5))
    keys = {
        "literal": {"value": draw(WORDS)},
        "choice": {"values": tuple(draw(st.lists(WORDS, min_size=1, max_size=3)))},
        "pool": {"pool": "keys"},
        "int": {"min": -smallest_value, "max": draw(st.integers(-smallest_value, 50))},
        "text": {"min": smallest_value, "max": draw(st.integers(smallest_value, 50))},
    }
    edges = tuple(draw(st.sets(st.sampled_from(sorted(EDGES[kind])), max_size=3))) if EDGES[kind] else ()
    option = draw(st.none() | st.sampled_from(["-n", "--limit="]))
    return Argument(kind=kind, optional=draw(st.booleans()), option=option, edges=edges, **keys[kind])


@st.composite
def grammars(draw):
    """Any sound grammar of up to three commands, each after none or after one that stands before it."""
    commands = []
    for name in draw(st.lists(st.sampled_from(["a", "b", "c d"]), min_size=1, unique=True)):
        after = draw(st.lists(st.sampled_from([each.name for each in commands]), max_size=1)) if commands else []
        args = tuple(draw(st.lists(arguments(), max_size=2)))
        commands.append(Command(name=name, args=args, after=tuple(after)))
    return Grammar(pools={"keys": KEYS}, commands=tuple(commands), max_steps=4, unknown_commands=draw(st.booleans()))


@given(st.data())
def test_from_every_sound_grammar_cases_can_be_drawn(data):
    grammar = data.draw(grammars())
    assert list(grammar_faults(grammar)) == []
    case = data.draw(drawn_cases(grammar))
    assert 1 <= len(case.steps) <= 4
    for step in case.steps:
        assert step.argv
        assert all("\0" not in word and word.encode("utf-8") is not None for word in step.argv)
