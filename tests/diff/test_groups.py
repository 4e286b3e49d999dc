"""Groups: equal edits in one row, nothing lost, nothing merged that a reader would not call equal."""

from dataclasses import replace
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.diff.findings import Canonical, Change, Delta
from gate.diff.groups import PLACES, ROUGH, ROUGH_SHORT, group, spot
from gate.diff.kinds import SEVERITY
from gate.domain import CaseId


def change(old, new, field="stdout", kind="value"):
    sides = [None if text is None else Canonical(tokens=(text.encode(),) if text else ()) for text in (old, new)]
    return Change(field=field, old=sides[0], new=sides[1], kind=kind)


def delta(case, *changes, step=1, command="show"):
    return Delta(case=CaseId(case), step=step, command=command, changes=changes)


def rows(*deltas, follows=None, allowed=None):
    """Of each group its id, how alike its steps are, and their cases."""
    found = group(deltas, follows or {}, allowed=allowed)
    return [(each.id, each.alike, "".join(case for case, _, _ in each.spots)) for each in found]


def test_no_delta_no_group():
    assert group([], {}) == ()


def test_the_same_words_changed_in_texts_of_any_length_are_one_group():
    assert rows(
        delta("a", change("Foo v1\nx\n", "Foo v2\nx\n")),
        delta("b", change("y\nFoo v1\nFoo v1\n", "y\nFoo v2\nFoo v2\n")),
        delta("c", change("Foo v1\n", "Foo v2\n")),
    ) == [("g1", "equal", "abc")]


def test_two_edits_of_one_field_are_two_groups():
    assert rows(
        delta("a", change("Foo v1\n", "Foo v2\n")),
        delta("b", change("Foo v1\n", "Foo v3\n")),
        delta("c", change("errors 0\n", "errors 1\n")),
        delta("d", change("files 0\n", "files 1\n")),
    ) == [("g1", "equal", "a"), ("g2", "equal", "b"), ("g3", "equal", "c"), ("g4", "equal", "d")]


def test_a_change_that_a_noise_rule_matches_stands_apart():
    masked = replace(change("a", "b"), masked_by="uuid")
    assert len(rows(delta("a", change("a", "b")), delta("b", masked))) == 2


def test_another_command_field_or_kind_is_another_group():
    same = change("a", "b")
    assert rows(
        delta("a", same),
        delta("b", same, command="list"),
        delta("c", change("a", "b", "stderr")),
        delta("d", same, change("0", "1", "status", "exit code")),
    ) == [("g1", "equal", "d"), ("g2", "equal", "a"), ("g3", "equal", "b"), ("g4", "equal", "c")]


def test_lines_that_differ_in_numbers_and_paths_stand_in_one_row_if_they_are_enough():
    told = [delta(case, change("", f"{case}.py:{at}:1: E275 no blank\n")) for at, case in enumerate("abcd", 1)]
    assert rows(*told[: PLACES - 1]) == [("g1", "equal", "a"), ("g2", "equal", "b")]
    assert rows(*told) == [("g1", "but for places", "abcd")]
    other = delta("e", change("", "e.py:1:1: E999 no blank\n"))
    assert rows(*told, other) == [("g1", "but for places", "abcd"), ("g2", "equal", "e")]


def test_edits_that_never_coincide_are_told_by_their_shape_if_they_are_enough():
    long = [
        delta(case, change(f"{case}\nx\n{case}1\nx\n{case}2\n", f"{case}a\nx\n{case}b\nx\n{case}c\n"))
        for case in "abcdefgh"
    ]
    short = [delta(case, change(case, case * 2)) for case in "abcdefgh"]
    assert rows(*long[: ROUGH - 1]) == [("g1", "equal", "a"), ("g2", "equal", "b"), ("g3", "equal", "c")]
    assert rows(*long[:ROUGH]) == [("g1", "in kind", "abcd")]
    assert len(rows(*short[: ROUGH_SHORT - 1])) == ROUGH_SHORT - 1
    assert rows(*short) == [("g1", "in kind", "abcdefgh")]


def test_crashes_of_two_sorts_are_never_one_row():
    traces = [
        delta(case, change("", f"Traceback\n{case * 9}\n{error}: x\n", "stderr", "crash or hang"))
        for error in ("KeyError", "TypeError")
        for case in "abcd"
    ]
    assert rows(*traces) == [("g1", "in kind", "abcd"), ("g2", "in kind", "abcd")]


@pytest.mark.parametrize("kind", ["step missing", "step added"])
def test_a_step_that_one_side_lacks_is_told_by_its_status_not_by_what_it_printed(kind):
    def told(case, printed):
        sides = (printed, None) if kind == "step missing" else (None, printed)
        ending = ("0", None) if kind == "step missing" else (None, "0")
        return delta(case, change(*ending, "status", kind), change(*sides, kind=kind))

    assert rows(told("a", "x"), told("b", "y")) == [("g1", "equal", "ab")]


def test_a_row_of_flagged_steps_holds_no_allowed_one_and_comes_first():
    deltas = [delta(case, change("0", "1", "status", "exit code")) for case in "abc"]
    deltas.append(delta("d", change("x y", "y x", kind="wording")))
    assert rows(*deltas, allowed={spot(deltas[0]): [True], spot(deltas[2]): [True]}) == [
        ("g1", "equal", "b"),
        ("g2", "equal", "d"),
        ("g3", "equal", "ac"),
    ]


def test_the_kind_of_a_row_is_the_gravest_that_is_flagged():
    both = delta("a", change("0", "1", "status", "exit code"), change("a", "b"))
    assert [each.kind for each in group([both], {})] == ["exit code"]
    assert [each.kind for each in group([both], {}, allowed={spot(both): [True, False]})] == ["value"]
    assert [each.kind for each in group([both], {}, allowed={spot(both): [True, True]})] == ["exit code"]


def test_the_representative_is_reached_first_then_has_the_least_to_read():
    deltas = [
        delta("a", change("Foo v1\n", "Foo v2\n"), step=3),
        delta("b", change("x\nFoo v1\n", "x\nFoo v2\n"), step=2),
        delta("c", change("Foo v1\n", "Foo v2\n"), step=2),
        delta("d", change("Foo v1\n", "Foo v2\n"), step=2),
    ]
    assert [each.representative.case for each in group(deltas, {})] == ["c"]


def follower(case, step, text="b"):
    return delta(case, change("a", text), step=step, command="get")


def test_steps_that_follow_stand_under_the_group_of_their_cause():
    cause = change("0", "1", "status", "exit code")
    deltas = [delta("a", cause), follower("a", 2), follower("a", 3), delta("b", cause), follower("b", 2, "c")]
    follows = {(CaseId("a"), 2, 1): 1, (CaseId("a"), 3, 1): 2, (CaseId("b"), 2, 1): 1}
    (only,) = group(deltas, follows)
    assert (only.id, only.steps, [place[:2] for place in only.spots]) == ("g1", 5, [("a", 1), ("b", 1)])
    assert [(each.id, [place[:2] for place in each.spots]) for each in only.then] == [
        ("g1", [("a", 2), ("a", 3)]),
        ("g1", [("b", 2)]),
    ]


@pytest.mark.parametrize("cause", [2, 3, 7, 0])
def test_a_step_follows_no_step_that_does_not_differ_or_comes_later(cause):
    deltas = [delta("a", change("0", "1")), follower("a", 2)]
    assert len(group(deltas, {(CaseId("a"), 2, 1): cause})) == 2


def test_a_flagged_step_is_never_folded_under_an_allowed_one():
    deltas = [delta("a", change("0", "1")), follower("a", 2)]
    follows = {(CaseId("a"), 2, 1): 1}
    assert rows(*deltas, follows=follows, allowed={spot(deltas[0]): [True]}) == [
        ("g1", "equal", "a"),
        ("g2", "equal", "a"),
    ]
    assert rows(*deltas, follows=follows, allowed={spot(deltas[1]): [True]}) == [("g1", "equal", "a")]


def test_a_crash_that_follows_lifts_its_row():
    deltas = [
        delta("a", change("a b", "b a", kind="value")),
        delta("b", change("a b", "b a", kind="wording")),
        delta("b", change("0", "timeout", "status", "crash or hang"), step=2),
    ]
    assert rows(*deltas, follows={(CaseId("b"), 2, 1): 1}) == [("g1", "equal", "b"), ("g2", "equal", "a")]


TEXTS = st.sampled_from(
    ["", "a", "b", "v1", "v2", "x\nv1\n", "x\nv2\n", "v1\nv1\n", "a.py:1: E1 x\n", "b.py:2: E1 x\n"]
)
CHANGES = st.builds(change, TEXTS, TEXTS, st.sampled_from(["stdout", "status"]), st.sampled_from(SEVERITY)).filter(
    lambda each: each.old != each.new
)
DELTAS = st.lists(
    st.builds(
        lambda case, step, command, changes: delta(case, *changes, step=step, command=command),
        st.sampled_from("abcdef"),
        st.integers(0, 4),
        st.sampled_from(["get", "put"]),
        st.lists(CHANGES, min_size=1, max_size=2, unique_by=lambda each: each.field),
    ),
    unique_by=spot,
    max_size=16,
)
UNHURRIED = settings(deadline=None)


def drawn_follows(deltas, data):
    causes = st.integers(0, 3)
    return {spot(each): data.draw(causes) for each in deltas if data.draw(st.booleans())}


def drawn_verdicts(deltas, data):
    return {spot(each): [data.draw(st.booleans()) for _ in each.changes] for each in deltas if data.draw(st.booleans())}


def partition(groups):
    return {
        (frozenset(each.spots), each.alike, frozenset(frozenset(then.spots) for then in each.then)) for each in groups
    }


@pytest.mark.slow
@UNHURRIED
@given(DELTAS, st.data())
def test_every_delta_stands_in_one_group(deltas, data):
    found = group(deltas, drawn_follows(deltas, data), allowed=drawn_verdicts(deltas, data))
    told = [place for each in found for row in (each, *each.then) for place in row.spots]
    assert sorted(told) == sorted(map(spot, deltas))
    assert [each.id for each in found] == [f"g{number}" for number in range(1, len(found) + 1)]
    assert sum(each.steps for each in found) == len(deltas)


@pytest.mark.slow
@UNHURRIED
@given(DELTAS, st.data())
def test_no_row_mixes_flagged_and_allowed_steps(deltas, data):
    verdicts = drawn_verdicts(deltas, data)
    found = group(deltas, drawn_follows(deltas, data), allowed=verdicts)
    for row in (row for each in found for row in (each, *each.then)):
        assert {all(verdicts.get(place, [False])) for place in row.spots} == {row.allowed}
    assert [each.allowed for each in found] == sorted(each.allowed for each in found)


@pytest.mark.slow
@UNHURRIED
@given(DELTAS, st.data())
def test_the_order_of_the_deltas_changes_no_group(deltas, data):
    follows, verdicts = drawn_follows(deltas, data), drawn_verdicts(deltas, data)
    moved = data.draw(st.permutations(deltas))
    assert partition(group(deltas, follows, allowed=verdicts)) == partition(group(moved, follows, allowed=verdicts))


@pytest.mark.slow
@UNHURRIED
@given(DELTAS)
def test_the_names_of_cases_change_no_group(deltas):
    names = {case: CaseId(f"case {rank}") for rank, case in enumerate("fedcba")}
    renamed = [replace(each, case=names[each.case]) for each in deltas]
    old, new = ([[deltas_at.index(place) for place in each.spots] for each in group(held, {})] for held, deltas_at in (
        (deltas, list(map(spot, deltas))), (renamed, list(map(spot, renamed)))
    ))  # fmt: skip
    assert old == new


@pytest.mark.slow
@UNHURRIED
@given(st.lists(CHANGES, min_size=1, max_size=2, unique_by=lambda each: each.field), DELTAS)
def test_equal_edits_stand_in_one_group(changes, others):
    pair = [delta("y", *changes), delta("z", *changes)]
    found = group([*others, *pair], {})
    assert sum({spot(pair[0]), spot(pair[1])} <= set(each.spots) for each in found) == 1


def test_texts_too_large_to_align_are_grouped_where_they_are_equal(no_hang):
    old, new = "a b c\n" * 5000, "c b a\n" * 5001
    assert rows(delta("a", change(old, new)), delta("b", change(old, new)), delta("c", change(old, new + "x\n"))) == [
        ("g1", "equal", "ab"),
        ("g2", "equal", "c"),
    ]
    hard = " ".join("(" * 3000), " ".join(")(" * 3000)
    assert rows(delta("a", change(*hard))) == [("g1", "equal", "a")]


def test_neither_a_long_word_nor_repeated_lines_take_long():
    """Once the time grew with the square of the word, and with that of how often a line comes."""
    word = change("a" * 200_000, "b" * 200_000)
    lines = change(*("".join(f"{name}{line}\n}}\n" for line in range(190)) for name in "uv"))
    began = process_time()
    group([delta("a", word)] + [delta(f"c{number}", lines) for number in range(20)], {})
    assert process_time() - began < 5
