"""Entries of a draft silence what was observed and no more, and the figure that says so can fail."""

import pytest
from made_up_pairs import FIRST, change, group

from auditor.demo.folder import UNREVIEWED, set_up
from auditor.demo.verdict import judge_unreviewed
from auditor.drafting.material import groups
from auditor.drafting.values import Place
from evals.entries import Reach, mutants, observed, proposed, reach
from evals.policy_scores import entry_scores
from gate import api

SEEN = observed(FIRST.groups)
WORDS = {"reason": "why", "reviewer": "who"}
ORDER = {"field": "stdout", "old": "b a\n", "new": "a b\n", **WORDS}


@pytest.mark.parametrize("name", SEEN)
def test_entries_for_what_was_seen_are_exact_and_hold_for_no_mutant(name):
    assert entry_scores(proposed(SEEN[name]), name, SEEN) == {"entries exact": True, "entries too broad": False}


def test_accepting_a_group_writes_one_entry_for_each_place_and_change():
    keys = [(one["case"], one["step"], one["field"]) for one in proposed(SEEN["d2"])]
    assert keys == [("K", 2, "status"), ("K", 2, "files:out.txt")]
    assert [(one["case"], one["step"]) for one in proposed(SEEN["d1"])] == [("K", 1), ("L", 2)]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (
            ({"case": "K", "step": 1, "reason": "why"}, {"case": "L", "step": 2, "reason": "why"}),
            Reach(exact=True, broad=True),
        ),
        (({"command": "greet", **ORDER},), Reach(exact=True, broad=True)),
        (({"case": "K", **ORDER}, {"case": "L", **ORDER}), Reach(exact=True, broad=True)),
        (({"case": "K", "step": 1, **ORDER},), Reach(exact=False, broad=False)),
        (({"case": "K", "step": 1, **ORDER, "new": "a\n"},), Reach(exact=False, broad=False)),
        (({"case": "K", "step": 2, "reason": "why"},), Reach(exact=False, broad=False)),
    ],
    ids=[
        "any change of its steps",
        "wherever the command runs",
        "any step of its cases",
        "one place",
        "a new value",
        "another step",
    ],
)
def test_an_entry_that_is_too_broad_or_beside_the_change_is_counted(entries, expected):
    others = [delta for name, deltas in SEEN.items() if name != "d1" for delta in deltas]
    assert reach(entries, SEEN["d1"], others) == expected


def test_an_entry_that_reaches_another_group_is_not_exact():
    same = group("d2", at=(("M", 9),))
    seen = observed((FIRST.groups[0], same))
    wide = ({"command": "greet", **ORDER},)
    assert entry_scores(wide, "d1", seen) == {"entries exact": False, "entries too broad": True}


def test_what_no_entry_can_reach_has_no_score():
    later = group("d1")
    later = type(later)(
        id="d1", command="greet", changes=later.changes, places=(Place(case="K", step=1, occurrence=2),)
    )
    seen = observed((later,))
    assert proposed(seen["d1"]) == ()
    assert entry_scores((), "d1", seen) == {}


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [("0", "1", 7), ("1", "0", 6), ("0", "255", 7), ("0", "signal SIGSEGV", 6), (None, "0", 7), ("0", None, 6)],
)
def test_mutants_are_the_same_each_time_and_none_was_observed(old, new, count):
    deltas = observed((group("d1", change("status", old, new, "exit code"), at=(("K", 1), ("K", 3), ("Ka", 1))),))["d1"]
    made = list(mutants(deltas))
    assert made == list(mutants(deltas))
    assert len(made) == count
    seen = {
        (one.case, one.step, one.occurrence, told.field, told.old, told.new) for one in deltas for told in one.changes
    }
    for one in made:
        (told,) = one.changes
        assert (one.case, one.step, one.occurrence, told.field, told.old, told.new) not in seen
        assert told.old != told.new


def test_no_deltas_have_no_mutants():
    assert list(mutants(())) == []


def test_a_long_value_differs_where_its_end_does():
    long = "x" * 5_000
    seen = observed((group("d1", change("stdout", long + "1", long + "2"), change("stderr", long, "")),))["d1"]
    assert entry_scores(proposed(seen), "d1", {"d1": seen}) == {"entries exact": True, "entries too broad": False}
    assert seen[0].changes[0].old != seen[0].changes[0].new


@pytest.mark.slow
@pytest.mark.usefixtures("no_hang")
def test_the_entries_are_those_that_a_review_of_the_demo_writes(tmp_path):
    demo = set_up(tmp_path / "demo")
    outcome = judge_unreviewed(demo)
    root = demo / UNREVIEWED
    found = groups(api.recorded(root, outcome.folder))
    for name, deltas in observed(found).items():
        places = [(one.case, one.step, one.occurrence) for one in deltas]
        of_run = api.bound(root, outcome.folder, places, "only to look at what it would silence", "evals")
        assert proposed(deltas) == of_run, name
        silenced = {
            (one.case, one.step, one.field)
            for told in api.proposed(root, outcome.folder, of_run)
            for one in told.silences
        }
        assert silenced == {(one.case, one.step, told.field) for one in deltas for told in one.changes}, name
