"""Shrinking a case: what stays is what was looked for, and nothing that could go is left."""

from hypothesis import given
from hypothesis import strategies as st

from gate.domain import Case, CaseId, Step
from gate.pipeline.reduction import Cut, reduced


def cut(*steps, target):
    return Cut(case=Case(id=CaseId("A"), steps=steps), target=target)


def step(*words, stdin=None, **env):
    return Step(argv=tuple(word.encode() for word in words), stdin=stdin, env=env)


def words(found):
    return [[word.decode() for word in each.argv] for each in found.cut.case.steps]


WHOLE = cut(
    step("init"),
    step("add", "a", "b", "--loud"),
    step("noise"),
    step("show", "--all", "b", stdin=b"1\n2\n3\n4\n", LANG="x", DEBUG="1"),
    step("end"),
    target=4,
)


def needs(held):
    """The target is `show`, after an `add` of b; it reads a 3 and a LANG."""
    steps = held.case.steps
    shown = steps[held.target - 1]
    added = any(each.argv[0] == b"add" and b"b" in each.argv for each in steps[: held.target - 1])
    return (
        shown.argv[0] == b"show"
        and added
        and b"3\n" in (shown.stdin or b"").splitlines(keepends=True)
        and "LANG" in shown.env
    )


def test_steps_arguments_input_and_environment_go_as_far_as_they_can():
    found = reduced(WHOLE, needs, budget=100)
    assert found.cut == cut(step("add", "b"), step("show", stdin=b"3\n", LANG="x"), target=2)
    assert not found.spent


def test_a_target_that_needs_nothing_stands_alone():
    found = reduced(WHOLE, lambda held: held.case.steps[held.target - 1].argv[0] == b"show", budget=100)
    assert found.cut == cut(step("show"), target=1)


def test_what_nothing_can_be_taken_from_stays_whole():
    found = reduced(WHOLE, lambda _: False, budget=1000)
    assert found.cut == WHOLE
    assert not found.spent


def test_the_process_itself_keeps_a_step():
    whole = cut(step("a"), step("b"), step("c"), target=0)
    found = reduced(whole, lambda _: True, budget=100)
    assert (len(found.cut.case.steps), found.cut.target) == (1, 0)


def test_a_step_behind_the_target_stays_where_it_matters():
    whole = cut(step("a"), step("b"), step("c"), step("d"), target=2)
    found = reduced(whole, lambda held: any(each.argv == (b"d",) for each in held.case.steps), budget=100)
    assert words(found) == [["b"], ["d"]]
    assert found.cut.target == 1


@given(st.integers(0, 30))
def test_a_budget_is_never_exceeded_and_the_best_so_far_holds(budget):
    tried = []

    def holds(held):
        tried.append(held)
        return needs(held)

    found = reduced(WHOLE, holds, budget=budget)
    assert len(tried) == found.trials <= budget
    assert needs(found.cut)
    assert found.spent or found.cut == reduced(WHOLE, needs, budget=1000).cut


@given(st.sets(st.integers(1, 12), min_size=1), st.integers(1, 12))
def test_steps_that_are_needed_stay_and_no_others(needed, target):
    whole = cut(*(step(f"s{number}") for number in range(1, 13)), target=target)
    names = {f"s{number}".encode() for number in needed | {target}}
    found = reduced(whole, lambda held: names <= {each.argv[0] for each in held.case.steps}, budget=1000)
    assert {each.argv[0] for each in found.cut.case.steps} == names
    assert found.cut.case.steps[found.cut.target - 1].argv[0] == f"s{target}".encode()
