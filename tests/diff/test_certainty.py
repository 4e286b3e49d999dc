"""How often chance alone looks like a change: the bound against what really happens."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.diff.certainty import enough_confirming, expected_alarms, false_alarm, sure_words
from gate.diff.compare import compare_case
from gate.diff.evidence import NO_EVIDENCE
from gate.diff.noise import Noise
from gate.domain import CaseId, Record, value

RULES = Noise.compile(())


def run(text):
    return (Record(case=CaseId("A"), step=1, command="get", fields={"stdout": value(text)}),)


def flagged(baseline, candidate):
    found = compare_case([run(text) for text in baseline], [run(text) for text in candidate], RULES, NO_EVIDENCE)
    return bool(found.deltas)


def exactly(chances, baseline, candidate, *, shape=b"value %c", first=97):
    """The probability of a flag, over every outcome of every run."""
    total = Fraction(0)
    for outcome in product(range(len(chances)), repeat=baseline + candidate):
        weight = Fraction(1)
        for each in outcome:
            weight *= chances[each]
        texts = [shape % (first + each) for each in outcome]
        total += weight if flagged(texts[:baseline], texts[baseline:]) else 0
    return total


def by_formula(chances, baseline, candidate):
    return sum(chance**candidate * (1 - chance) ** baseline for chance in chances)


def test_the_default_runs_flag_a_random_check_at_most_once_in_484():
    assert false_alarm(5, 5) == Fraction(4**4 * 5**5, 9**9)
    assert int(1 / false_alarm(5, 5)) == 484


def test_more_runs_of_the_baseline_make_it_less():
    assert [int(1 / false_alarm(runs, 5)) for runs in (2, 5, 14)] == [45, 484, 13831]


def test_one_run_of_the_candidate_proves_nothing():
    assert false_alarm(100, 1) == 1


def test_no_run_is_no_bound():
    with pytest.raises(ValueError, match="at least one run of each side"):
        false_alarm(0, 5)


@pytest.mark.parametrize("tenths", [1, 3, 5, 8])
def test_two_values_are_flagged_exactly_as_often_as_the_formula_says(tenths):
    chances = (Fraction(tenths, 10), 1 - Fraction(tenths, 10))
    assert exactly(chances, 3, 3) == by_formula(chances, 3, 3) <= false_alarm(3, 3)


def test_three_values_are_flagged_less_often_than_the_formula_says():
    """A candidate with a new value where the baseline wavers abstains, but for listings and for what a noise rule matches."""
    chances = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    assert exactly(chances, 3, 2) < by_formula(chances, 3, 2) <= false_alarm(3, 2)


def test_a_noise_span_is_flagged_exactly_as_often_as_the_formula_says():
    """Where the baseline varies, a span that the candidate holds at a value never seen is flagged, too."""
    chances = (Fraction(1, 3),) * 3
    assert exactly(chances, 3, 2, shape=b"took %cms\n", first=49) == by_formula(chances, 3, 2) <= false_alarm(3, 2)


def test_simulated_runs_stay_below_the_bound_at_its_worst():
    random, alarms, tries = Random(1), 0, 200_000
    for _ in range(tries):
        drawn = random.getrandbits(10)
        alarms += drawn in (0b1111100000, 0b0000011111)
    assert abs(Fraction(alarms, tries) - Fraction(1, 512)) < Fraction(1, 2000)
    assert Fraction(1, 512) < false_alarm(5, 5)


@given(
    weights=st.lists(st.integers(1, 1000), min_size=1, max_size=8),
    baseline=st.integers(1, 9),
    candidate=st.integers(1, 9),
)
def test_no_distribution_exceeds_the_bound(weights, baseline, candidate):
    chances = [Fraction(weight, sum(weights)) for weight in weights]
    assert by_formula(chances, baseline, candidate) <= false_alarm(baseline, candidate)


@given(baseline=st.integers(1, 20), candidate=st.integers(2, 20))
def test_a_further_run_of_either_side_never_weakens_the_bound(baseline, candidate):
    assert false_alarm(baseline + 1, candidate) < false_alarm(baseline, candidate)
    assert false_alarm(baseline, candidate + 1) < false_alarm(baseline, candidate)


def test_the_whole_run_is_the_sum_over_all_its_checks():
    assert expected_alarms(Fraction(1, 512), 1024) == 2


def test_the_sentence_tells_one_check_and_the_whole_run():
    assert sure_words(repeats=2, confirm=3, checks=12) == (
        "each delta held in 5 runs of each side; a check with random values is flagged by chance in at most 1 of 484 runs "
        "(if all 12 checks were random: in at most 2.5 % of runs)"
    )
    assert sure_words(repeats=1, confirm=0, checks=9) == "nothing: with one run of the candidate a delta may be chance"


def test_a_bound_that_tells_nothing_gives_way_to_what_would_tell_something():
    assert sure_words(repeats=2, confirm=3, checks=48).endswith(
        "(if all 48 checks were random: in at most 10 % of runs)"
    )
    assert sure_words(repeats=2, confirm=3, checks=49).endswith(
        "(if all 49 checks may be random, below 1 % of runs takes replay.confirm = 5)"
    )
    assert sure_words(repeats=2, confirm=3, checks=10_000).endswith(
        "(if all 10000 checks may be random, below 1 % of runs takes replay.confirm = 9)"
    )


@given(repeats=st.integers(1, 5), checks=st.integers(1, 10**6))
def test_no_fewer_confirming_runs_would_do(repeats, checks):
    def total(confirm):
        return expected_alarms(false_alarm(repeats + confirm, repeats + confirm), checks)

    least = enough_confirming(repeats=repeats, checks=checks)
    assert total(least) < Fraction(1, 100)
    assert least == 0 or total(least - 1) >= Fraction(1, 100)
