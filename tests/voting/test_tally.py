"""From runs to a ballot, as values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.voting.ballots import Facts, Run
from gate.voting.tally import bound, frozen, power, power_sentence, tally

FACTS = Facts(python="3", pytest="9", hypothesis="6", plugins=(), seed=1, tests=())
PASS = Run(outcome="pass", facts=FACTS)
FAIL = Run(outcome="fail", signature=(("t", "call", "E", "m", ""),), facts=FACTS)
OTHER = Run(outcome="fail", signature=(("t", "call", "E", "n", ""),), facts=FACTS)
MIXED = Run(outcome="mixed", reason="t changed its mind within one run", facts=FACTS)
VOID = Run(outcome="void", reason="it broke")

a_run = st.sampled_from([PASS, FAIL, OTHER, MIXED, VOID])
some_runs = st.lists(a_run, min_size=2, max_size=6)


@pytest.mark.parametrize(
    ("runs", "kind", "reason"),
    [
        ([PASS, PASS], "pass", "passed 2 of 2"),
        ([FAIL, FAIL], "fail", "failed 2 of 2, each time in the same way"),
        ([PASS, FAIL], "freeze", "passed 1 of 2, failed 1"),
        ([FAIL, OTHER], "freeze", "passed 0 of 2, failed 2 in 2 different ways"),
        ([MIXED, FAIL], "freeze", "passed 0 of 2, failed 1, changed its mind within a run once"),
        ([MIXED, MIXED], "freeze", "passed 0 of 2, changed its mind within a run 2 times"),
        ([MIXED, PASS], "freeze", "passed 1 of 2, changed its mind within a run once"),
        ([VOID, FAIL], "void", "1 of 2 runs gave no vote: it broke"),
        ([VOID, PASS], "void", "1 of 2 runs gave no vote: it broke"),
    ],
)
def test_a_ballot(runs, kind, reason):
    ballot = tally("p", runs, asked=2)
    assert (ballot.property, ballot.kind, ballot.reason, ballot.runs) == ("p", kind, reason, tuple(runs))


def test_no_runs_are_void():
    assert tally("p", [], asked=2).kind == "void"


def test_a_run_too_many_or_too_few_is_void():
    assert tally("p", [PASS], asked=2).reason == "expected 2 runs, got 1"
    assert tally("p", [PASS] * 3, asked=2).reason == "expected 2 runs, got 3"


def test_runs_under_other_circumstances_are_void():
    """Reported fault 118."""
    other = Run(outcome="pass", facts=Facts(python="4", pytest="9", hypothesis="6", plugins=(), seed=1, tests=()))
    assert tally("p", [PASS, other], asked=2).kind == "void"


def test_a_pass_without_facts_is_void():
    assert tally("p", [Run(outcome="pass")] * 2, asked=2).kind == "void"


def test_one_run_is_no_vote():
    with pytest.raises(ValueError, match="at least 2"):
        tally("p", [PASS], asked=1)


def test_a_frozen_property_abstains_without_runs():
    ballot = frozen("p")
    assert (ballot.kind, ballot.runs, ballot.failures, ballot.facts) == ("frozen", (), (), None)


@given(some_runs, st.randoms())
def test_the_order_of_the_runs_changes_nothing(runs, random):
    shuffled = random.sample(runs, len(runs))
    one, two = tally("p", runs, asked=len(runs)), tally("p", shuffled, asked=len(runs))
    assert (one.kind, one.reason) == (two.kind, two.reason)


@given(some_runs, st.sampled_from([FAIL, OTHER, MIXED, VOID]))
def test_a_run_more_that_did_not_pass_never_gives_a_pass(runs, more):
    assert tally("p", [*runs, more], asked=len(runs) + 1).kind != "pass"


@given(some_runs)
def test_only_agreeing_runs_pass_or_fail(runs):
    kind = tally("p", runs, asked=len(runs)).kind
    assert (kind == "pass") == (set(runs) == {PASS})
    assert (kind == "fail") == (set(runs) in ({FAIL}, {OTHER}))
    assert (kind == "void") == (VOID in runs)


def test_ten_runs_find_a_five_percent_flake_two_times_in_five():
    """Reported fault 121."""
    assert round(power(10, 0.05), 2) == 0.40
    assert round(power(60, 0.05), 2) == 0.95
    assert round(bound(10), 2) == 0.26
    assert power_sentence(10) == (
        "10 runs find a 5 % flake with probability 0.40; 10 without a failure rule out only flakes above about 26 % (95 % confidence)"
    )
    assert power_sentence(1).startswith("1 run finds a 5 % flake with probability 0.05; ")


@given(st.integers(1, 500), st.floats(0, 1))
def test_more_runs_never_find_less(runs, rate):
    assert 0 <= power(runs, rate) <= power(runs + 1, rate) <= 1
    assert bound(runs + 1) < bound(runs)


@pytest.mark.parametrize(("runs", "rate"), [(0, 0.5), (1, -0.1), (1, 1.1)])
def test_power_of_nothing_is_refused(runs, rate):
    with pytest.raises(ValueError, match="expected"):
        power(runs, rate)
