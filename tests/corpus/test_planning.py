from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.coverage import wanted_tags
from gate.corpus.goals import StepGoal
from gate.corpus.grammar import Argument, Command, Grammar
from gate.corpus.planning import plans
from gate.corpus.slots import forms

OPTIONS = tuple(Argument(kind="flag", option=f"--{letter}", optional=True) for letter in "abcdefgh")


def planned(grammar, wanted=None, most=100):
    tags = [tag for tags in wanted_tags(grammar).values() for tag in tags] if wanted is None else wanted
    return plans(grammar, forms(grammar), frozenset(tags), most=most)


def brief(plan):
    """A plan as words: `set args[0]=empty`, `list +args[1]`, `?`."""
    return ", ".join(
        " ".join(
            (
                step.command or "?",
                *(f"+{place}" for place in step.present),
                *(f"{place}={edge}" for place, edge in step.edges),
                *(f"{place}:{value}" for place, value in step.values),
                *(f"{place}*" for place in step.repeats),
                *(["--?"] if step.unknown_option else []),
                *([] if step.thing is None else [f"#{step.thing}"]),
            )
        )
        for step in plan
    )


def test_every_argument_is_alone_and_the_pairs_come_together():
    flag, other = OPTIONS[:2]
    colour = Argument(kind="choice", option="--colour", optional=True, values=("always", "never"), edges=("wrong",))
    grammar = Grammar(commands=(Command(name="ls", args=(flag, other, colour)),), unknown_commands=False)
    assert [brief(plan) for plan in planned(grammar)] == [
        "ls +args[0] +args[1] +args[2] args[2]:always, ls +args[0], ls +args[1], ls +args[2] args[2]:always, ls, "
        "ls +args[2] args[2]:never",
        "ls +args[2] args[2]=wrong",
    ]


def test_what_is_wanted_is_planned_and_nothing_else():
    grammar = Grammar(commands=(Command(name="ls", args=OPTIONS),), unknown_options=True)
    assert [brief(plan) for plan in planned(grammar, ["unknown option of ls", "alone --c of ls"])] == [
        "ls +args[2], ls --?"
    ]
    assert planned(grammar, []) == ()


def test_of_a_group_one_is_there_and_never_two():
    pick = [Argument(kind="flag", option=f"--{letter}", one_of="pick") for letter in "ab"]
    grammar = Grammar(commands=(Command(name="cut", args=(*pick, OPTIONS[2])),), unknown_commands=False)
    assert {brief([step]) for plan in planned(grammar) for step in plan} == {
        "cut +args[0] +args[2]",
        "cut +args[1] +args[2]",
        "cut +args[0]",
        "cut +args[1]",
    }


def test_a_command_comes_after_what_it_comes_after():
    grammar = Grammar(
        commands=(Command(name="c", after=("b",)), Command(name="b", after=("a",)), Command(name="a")),
        unknown_commands=False,
        max_steps=3,
    )
    assert [brief(plan) for plan in planned(grammar, ["command c"])] == ["a, b, c"]


def test_a_life_is_in_one_case_and_on_one_thing():
    grammar = Grammar(
        commands=(
            Command(name="add", role="create", noun="task", args=(Argument(kind="text"),)),
            Command(name="rm", role="delete", noun="task", args=(Argument(kind="text"),)),
        ),
        max_steps=4,
    )
    lives = ["life task: delete twice", "life task: create after delete"]
    assert [brief(plan) for plan in planned(grammar, lives)] == ["add #2, rm #2, add #2", "add #3, rm #3, rm #3"]


def test_what_fits_in_no_case_is_left_out():
    key = Argument(kind="pool", pool="keys", edges=("duplicate",))
    grammar = Grammar(pools={"keys": ("a",)}, commands=(Command(name="get", args=(key,)),), max_steps=1)
    plan = StepGoal(command="get", edges=(("args[0]", "duplicate"),))
    assert planned(grammar, ["edge duplicate args[0] of get"]) == ((plan,),)
    lives = Grammar(commands=(Command(name="add", role="create", noun="task"),), max_steps=1)
    assert planned(lives, ["life task: create twice"]) == ((StepGoal(command="add"),),)


def test_neighbours_are_walked_in_few_cases():
    grammar = Grammar(commands=tuple(Command(name=name) for name in "abc"), unknown_commands=False)
    found = planned(grammar)
    pairs = {(one.command, other.command) for plan in found for one, other in pairwise(plan)}
    assert pairs == {(one, other) for one in "abc" for other in "abc"}
    assert len(found) == 4


def test_the_number_of_plans_is_bounded():
    grammar = Grammar(commands=tuple(Command(name=name, args=OPTIONS) for name in "abcdefgh"))
    assert len(planned(grammar, most=5)) == 5


@pytest.mark.parametrize("width", [1, 7, 20])
def test_all_pairs_of_options_come_together(width):
    options = tuple(Argument(kind="flag", option=f"--o{number}", optional=True) for number in range(width))
    grammar = Grammar(commands=(Command(name="run", args=options),), unknown_commands=False)
    together = {
        (one, other)
        for plan in planned(grammar)
        for step in plan
        for one in step.present
        for other in step.present
        if one < other
    }
    assert len(together) == width * (width - 1) // 2


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 5))
def test_a_plan_is_no_longer_than_a_case_may_be(most_steps, commands, options):
    grammar = Grammar(
        commands=tuple(Command(name=f"c{number}", args=OPTIONS[:options]) for number in range(commands)),
        max_steps=most_steps,
    )
    found = planned(grammar)
    assert found == planned(grammar)
    assert all(1 <= len(plan) <= min(most_steps, 6) for plan in found)
