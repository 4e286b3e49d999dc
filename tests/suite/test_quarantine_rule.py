"""What 10 runs of the baseline say about a test."""

from itertools import permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from suite_runs import measured, run

from gate.errors import SuiteError
from gate.suite.rule import RUNS, Measurement, Row, interval, missed, power_sentence, tally


def row(letters):
    return next(row for row in measured(t=letters).rows if row.test == "m::t")


@pytest.mark.parametrize(
    ("letters", "decision", "blocks"),
    [
        ("..........", "clean", False),
        ("F.........", "failed once", True),
        ("F........F", "quarantine", False),
        ("E....F....", "quarantine", False),
        (".FFFFFFFFF", "quarantine", False),
        ("FFFFFFFFFF", "stable failure", True),
        ("FFFFFEEEEE", "stable failure", True),
        ("ssssssssss", "not run", False),
        ("sssssssss.", "clean", False),
        ("FFs.......", "quarantine", False),
        ("FFsss     ", "never passed", True),
        ("FFFFFFFFFs", "never passed", True),
        ("F         ", "failed once", True),
        ("         .", "clean", False),
    ],
)
def test_the_rule(letters, decision, blocks):
    found = row(letters)
    assert (found.decision, found.blocks) == (decision, blocks)
    assert measured(t=letters).blocks is blocks


def test_a_measurement_counts_each_test_of_each_run():
    assert measured(a="F.s E.....", b=".......   ") == Measurement(
        rows=(
            Row(test="m::a", failures=2, passes=6, skips=1),
            Row(test="m::b", failures=0, passes=7),
            Row(test="m::steady", failures=0, passes=10),
        )
    )


def test_tests_that_are_missing_in_some_runs_are_named():
    assert [(row.test, row.missing) for row in measured(a="F.s E.....", b=".......   ").incomplete] == [
        ("m::a", 1),
        ("m::b", 3),
    ]


@pytest.mark.parametrize("count", [0, 1, 9, 11])
def test_another_number_of_runs_is_no_decision(count):
    with pytest.raises(SuiteError) as caught:
        tally([run(t=".")] * count)
    assert caught.value.what == f"the quarantine rule needs 10 consecutive runs, got {count}: there is no decision"


def test_a_run_of_skips_is_no_data_whatever_the_others_say():
    with pytest.raises(SuiteError, match="all 1 were skipped"):
        tally([*[run(t=".")] * 9, run(t="s")])


@given(st.permutations("FF.Es.... "))
def test_the_order_of_the_runs_changes_nothing(letters):
    assert row("".join(letters)) == row("FF.Es.... ")


@given(st.lists(st.sampled_from("FE.s "), min_size=10, max_size=10), st.integers(0, 9))
def test_a_failure_more_never_makes_a_blocking_test_clean(letters, at):
    before = row("".join(letters)) if set(letters) != {" "} else None
    letters[at] = "F"
    after = row("".join(letters))
    assert after.decision not in ("clean", "not run")
    if before is not None and before.decision == "quarantine":
        assert after.decision in ("quarantine", "never passed", "stable failure")


def test_the_interval_is_wilsons():
    """Newcombe, Statistics in Medicine 17 (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29."""
    table = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (failures, runs), expected in table.items():
        assert tuple(round(end, 4) for end in interval(failures, runs)) == expected
    assert interval(0, 0) == (0.0, 1.0)
    assert interval(10, 10)[1] == 1.0


@given(st.integers(1, 100).flatmap(lambda runs: st.tuples(st.integers(0, runs), st.just(runs))))
def test_the_interval_holds_the_rate_and_mirrors(counts):
    failures, runs = counts
    low, high = interval(failures, runs)
    assert 0 <= low <= failures / runs <= high <= 1
    assert interval(runs - failures, runs) == pytest.approx((1 - high, 1 - low))


def test_ten_runs_miss_a_flake_of_one_in_twenty_more_often_than_not():
    """Reported fault 121."""
    assert round(missed(0.05, RUNS), 2) == 0.60
    assert round(missed(0.05, 60), 2) == 0.05
    assert missed(0.05, RUNS) == pytest.approx(1 - sum(comb(10, k) * 0.05**k * 0.95 ** (10 - k) for k in range(1, 11)))
    assert power_sentence() == (
        "10 runs miss a test that fails in 5 % of its runs with probability 0.60 (0.95^10); "
        "a test that passed all 10 may still fail in up to 26 % of them (one-sided 95 % bound)."
    )


def test_every_mix_of_failures_and_passes_of_ten_has_one_decision():
    decisions = ["".join(letters) for letters in {"F" * n + "." * (10 - n) for n in range(11)}]
    found = {text.count("F"): row(text).decision for text in decisions}
    assert found == {0: "clean", 1: "failed once", 10: "stable failure"} | dict.fromkeys(range(2, 10), "quarantine")
    assert {row("".join(mix) + "." * 7).decision for mix in permutations("FF.")} == {"quarantine"}
