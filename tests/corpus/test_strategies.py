import string
from itertools import pairwise
from random import Random

import pytest
from hypothesis import Phase, find, given, seed, settings
from hypothesis import strategies as st
from msgspec import structs

from gate.corpus import words
from gate.corpus.argument_faults import EDGES
from gate.corpus.coverage import wanted_tags
from gate.corpus.goals import StepGoal
from gate.corpus.grammar import Argument, Command, Grammar
from gate.corpus.grammar_faults import grammar_faults
from gate.corpus.planning import plans
from gate.corpus.slots import forms
from gate.corpus.strategies import drawn_cases
from gate.corpus.tags import (
    NOTHING,
    UNKNOWN,
    alone_tag,
    choice_tag,
    command_tag,
    edge_tag,
    expanded,
    pair_tag,
    unknown_option_tag,
)

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


FORMATTER = Grammar(
    pools={"files": ("a.sql", "b.sql")},
    commands=(
        Command(
            name="fmt",
            args=(
                Argument(kind="flag", option="--wide", optional=True),
                Argument(kind="pool", pool="files", option="--into", optional=True),
                Argument(kind="pool", pool="files", repeat=2, edges=("empty",)),
            ),
            stdin=Argument(kind="choice", values=("select 1", "select 2"), optional=True),
        ),
    ),
    max_steps=1,
    unknown_commands=False,
    unknown_options=True,
)


@pytest.mark.parametrize(
    ("argv", "stdin", "expected"),
    [
        (("a.sql",), None, ("nothing a.sql of fmt",)),
        (("--wide", "a.sql", "b.sql"), None, ("--wide a.sql of fmt",)),
        (("--wide", "--into", "b.sql", "a.sql"), None, ("--into a.sql of fmt", "--wide a.sql of fmt")),
        (("b.sql",), "select 2", ("stdin 'select\\x202' of fmt", "stdin b.sql of fmt")),
        (("--wide", ""), None, ()),
    ],
)
def test_a_case_tells_which_options_read_which_inputs(argv, stdin, expected):
    case = smallest(FORMATTER, lambda case: (case.steps[0].argv, case.steps[0].stdin) == (("fmt", *argv), stdin))
    assert case.inputs == expected


def test_beside_an_unknown_option_nothing_is_read():
    assert covering(FORMATTER, unknown_option_tag("fmt")).inputs == ()


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
    grammar = one(Argument(kind="literal", value="x"), stdin=Argument(kind="text", optional=True, edges=("empty",)))
    assert smallest(grammar, lambda case: case.steps[0].stdin is None)
    assert covering(grammar, edge_tag("empty", "stdin", "run")).steps[0].stdin == ""


ASKING = Grammar(
    commands=(
        Command(
            name="run",
            args=(Argument(kind="choice", values=("-", "a")), Argument(kind="flag", option="-f", optional=True)),
            stdin=Argument(kind="text", optional=True),
        ),
    ),
    unknown_commands=False,
    max_steps=1,
)


@given(drawn_cases(ASKING))
def test_a_word_that_asks_for_standard_input_gets_some(case):
    [step] = case.steps
    assert step.stdin or "-" not in step.argv


@pytest.mark.parametrize(
    "stdin", [Argument(kind="text", optional=True), Argument(kind="choice", values=("x", "y"), optional=True)]
)
def test_standard_input_that_a_word_asks_for_covers_nothing(stdin):
    grammar = structs.replace(ASKING, commands=(structs.replace(ASKING.commands[0], stdin=stdin),))
    plan = (StepGoal(command="run", values=(("args[0]", "-"),)),)
    case = find(drawn_cases(grammar, plan), bool, settings=settings(database=None), random=Random(1))
    assert case.steps[0].argv == ("run", "-")
    assert case.steps[0].stdin
    assert set(case.covers) == {alone_tag(NOTHING, "run"), choice_tag("args[0]", "-", "run"), command_tag("run")}


def test_the_first_words_of_a_long_pool_are_drawn_more_often_and_none_never():
    letters = tuple("abcdefghijkl")
    grammar = Grammar(
        pools={"p": letters},
        commands=(Command(name="run", args=(Argument(kind="pool", pool="p"), Argument(kind="int", max=10**9))),),
        unknown_commands=False,
        max_steps=1,
    )
    found = []

    @seed(1)
    @settings(max_examples=400, database=None, phases=[Phase.generate], deadline=None)
    @given(drawn_cases(grammar))
    def collect(case):
        found.append(case.steps[0].argv[1])

    collect()
    assert set(found) == set(letters)
    assert sum(word in letters[:4] for word in found) > len(found) / 2


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


def planned(grammar, *plan):
    """The smallest case of a plan."""
    case = find(drawn_cases(grammar, plan), bool, settings=settings(database=None), random=Random(1))
    return [step.argv for step in case.steps], case.covers


LIMIT = Argument(kind="int", option="--limit", optional=True, edges=("bare", "wrong"))
LIST = Grammar(
    pools={"keys": ("a.txt", "b.txt")},
    commands=(
        Command(
            name="list",
            words=("task", "ls"),
            before=(Argument(kind="flag", option="-v", optional=True, repeat=3),),
            args=(
                LIMIT,
                Argument(kind="choice", option="--sort=", optional=True, values=("name", "a time")),
                Argument(kind="pool", pool="keys", edges=("folder", "unreadable")),
            ),
            stdin=Argument(kind="choice", optional=True, values=("", "x\n")),
        ),
    ),
    unknown_commands=False,
    unknown_options=True,
)


@pytest.mark.parametrize(
    ("goal", "argv", "covers"),
    [
        ({}, "task ls a.txt", ["alone nothing of list"]),
        ({"present": ("before[0]",)}, "-v task ls a.txt", ["alone -v of list"]),
        (
            {"present": ("before[0]",), "repeats": ("before[0]",)},
            "-v -v task ls a.txt",
            ["alone -v of list", "repeat -v of list"],
        ),
        (
            {"present": ("args[0]", "stdin")},
            "task ls --limit 0 a.txt",
            ["choice stdin='' of list", "options --limit + stdin of list"],
        ),
        (
            {"present": ("args[1]",), "values": (("args[1]", "a time"),)},
            "task ls --sort=a|time a.txt",
            ["alone --sort of list", r"choice --sort='a\x20time' of list"],
        ),
        (
            {"present": ("args[0]",), "edges": (("args[0]", "bare"),)},
            "task ls a.txt --limit",
            ["edge bare args[0] of list"],
        ),
        (
            {"present": ("args[0]",), "edges": (("args[0]", "wrong"),)},
            "task ls --limit abc a.txt",
            ["edge wrong args[0] of list"],
        ),
        ({"edges": (("args[2]", "folder"),)}, "task ls .", ["edge folder args[2] of list"]),
        ({"edges": (("args[2]", "unreadable"),)}, "task ls a.txt/x", ["edge unreadable args[2] of list"]),
    ],
)
def test_a_step_has_what_its_goal_wants_and_nothing_else(goal, argv, covers):
    words_of_it = tuple(word.replace("|", " ") for word in argv.split(" "))
    assert planned(LIST, StepGoal(command="list", **goal)) == ([words_of_it], tuple(sorted(("command list", *covers))))


def test_an_unknown_option_stands_last_and_counts_alone():
    assert planned(LIST, StepGoal(command="list", unknown_option=True)) == (
        [("task", "ls", "a.txt", "--no-such-option")],
        ("unknown option of list",),
    )


def test_unknown_options_are_strangers_and_near_misses():
    assert words.unknown_options(LIST.commands[0]) == (
        *(
            "--no-such-option",
            "--\u00fcnknown",
            "-\u00fc",
            "--limi",
            "--limitx",
            "--LIMIT",
            "--sor",
            "--sortx",
            "--SORT",
        ),
    )


def test_a_wrong_choice_is_none_of_the_choices():
    choice = Argument(kind="choice", values=("Name", "name", "no-such-choice"))
    assert words.edge_words("wrong", choice, pool=(), used=()) == (
        *("NAME", "Namex", "Nam", "namex", "nam", "NO-SUCH-CHOICE", "no-such-choicex", "no-such-choic"),
    )


def test_a_float_has_at_most_two_decimals_where_there_is_one_between_its_bounds():
    def number(**bounds):
        ((argv,), _) = planned(one(Argument(kind="float", **bounds)), StepGoal(command="run"))
        return argv[1]

    assert number(min=0.25, max=0.5) == "0.25"
    assert number(min=-1, max=-1) == "-1.00"
    assert 0.001 <= float(number(min=0.001, max=0.002)) <= 0.002


PICK = tuple(Argument(kind="flag", option=f"-{letter}", one_of="pick") for letter in "abc")


@given(drawn_cases(Grammar(commands=(Command(name="cut", args=PICK),), unknown_commands=False)))
def test_of_a_group_without_an_optional_argument_exactly_one_is_drawn(case):
    assert {len(step.argv) for step in case.steps} == {2}


BARE = one(Argument(kind="flag", option="-x", optional=True, repeat=4), words=())


@given(drawn_cases(BARE))
def test_a_program_without_command_words_may_be_started_without_any_word(case):
    assert {word for step in case.steps for word in step.argv} <= {"-x"}
    assert all(len(step.argv) <= 4 for step in case.steps)


def test_that_a_program_is_started_without_any_word_is_covered():
    (step,) = covering(BARE, "alone nothing of run").steps
    assert step.argv == ()


TASK = Argument(kind="text")
TASKS = Grammar(
    commands=(
        Command(name="add", role="create", noun="task", args=(TASK,)),
        Command(name="rm", role="delete", noun="task", args=(TASK,)),
    ),
    unknown_commands=False,
)


@given(drawn_cases(TASKS, tuple(StepGoal(command=name, thing=3) for name in ("add", "rm", "rm"))))
def test_the_steps_of_a_life_name_the_same_thing(case):
    assert len({step.argv[1] for step in case.steps}) == 1
    assert {tag for tag in case.covers if tag.startswith("life")} == {
        "life task: create then delete",
        "life task: delete twice",
    }


WORDS = st.text(string.printable + "é\u202e😀", max_size=5)


@st.composite
def arguments(draw):
    """Any sound argument that knows the pool `keys`."""
    kind = draw(st.sampled_from(sorted(EDGES)))
    smallest_value = draw(st.integers(1, 5))
    keys = {
        "literal": {"value": draw(WORDS)},
        "choice": {"values": tuple(draw(st.lists(WORDS, min_size=1, max_size=3)))},
        "pool": {"pool": "keys"},
        "int": {"min": -smallest_value, "max": draw(st.integers(-smallest_value, 50))},
        "float": {"min": -smallest_value, "max": draw(st.floats(-smallest_value, 50))},
        "flag": {},
        "text": {"min": smallest_value, "max": draw(st.integers(smallest_value, 50))},
    }
    option = draw(st.sampled_from(["-f", "--flag"] if kind == "flag" else [None, "-n", "--limit="]))
    able = sorted(EDGES[kind] - ({"bare"} if option in (None, "--limit=") else set()))
    edges = tuple(draw(st.lists(st.sampled_from(able), max_size=3, unique=True))) if able else ()
    settings_of_it = {"optional": draw(st.booleans()), "repeat": draw(st.integers(1, 3)), "option": option}
    return Argument(kind=kind, edges=edges, **settings_of_it, **keys[kind])


@st.composite
def grammars(draw):
    """Any sound grammar of up to three commands, each after none or after one that stands before it."""
    commands = []
    for name in draw(st.lists(st.sampled_from(["a", "b", "c d"]), min_size=1, unique=True)):
        after = draw(st.lists(st.sampled_from([each.name for each in commands]), max_size=1)) if commands else []
        args = tuple(draw(st.lists(arguments(), max_size=2)))
        before = tuple(draw(st.lists(arguments(), max_size=1)))
        role = draw(st.sampled_from([{}, {"role": "create", "noun": "key"}, {"role": "read", "noun": "key"}]))
        commands.append(Command(name=name, args=args, before=before, after=tuple(after), **role))
    unknown = {"unknown_commands": draw(st.booleans()), "unknown_options": draw(st.booleans())}
    return Grammar(pools={"keys": KEYS}, commands=tuple(commands), max_steps=4, **unknown)


@given(st.data())
def test_from_every_sound_grammar_cases_can_be_drawn(data):
    grammar = data.draw(grammars())
    assert list(grammar_faults(grammar)) == []
    case = data.draw(drawn_cases(grammar))
    assert 1 <= len(case.steps) <= 4
    for step in case.steps:
        assert step.argv
        assert all("\0" not in word and word.encode("utf-8") is not None for word in step.argv)


@given(st.data())
def test_the_plans_of_every_sound_grammar_cover_all_of_it_but_what_depends_on_the_words(data):
    grammar = data.draw(grammars())
    wanted = frozenset(tag for tags in wanted_tags(grammar).values() for tag in tags)
    cases = [data.draw(drawn_cases(grammar, plan)) for plan in plans(grammar, forms(grammar), wanted, most=500)]
    covered = frozenset().union(*(expanded(case.covers) for case in cases))
    assert covered <= wanted
    assert {tag for tag in wanted - covered if not tag.startswith(("pair", "edge duplicate", "life"))} == set()
