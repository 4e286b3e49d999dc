"""Intervals of small samples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.intervals import bootstrap, mcnemar, wilson


@pytest.mark.parametrize(
    ("hits", "n", "expected"),
    [
        (0, 10, (0.0, 0.2775)),
        (10, 10, (0.7225, 1.0)),
        (5, 10, (0.2366, 0.7634)),
        (15, 78, (0.1202, 0.2933)),
    ],
)
def test_the_wilson_interval_is_as_reckoned_by_hand(hits, n, expected):
    assert tuple(round(edge, 4) for edge in wilson(hits, n)) == expected


def test_nothing_has_no_interval():
    assert wilson(0, 0) is None
    assert bootstrap((), sum) is None
    assert bootstrap((1,), sum) is None
    assert bootstrap((1, 2), lambda _: None) is None


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_the_share_and_stays_within_0_and_1(case):
    hits, n = case
    low, high = wilson(hits, n)
    assert 0 <= low <= hits / n <= high <= 1
    assert low < high


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_more_of_the_same_narrows_the_interval(case):
    hits, n = case
    low, high = wilson(hits, n)
    nearer = wilson(10 * hits, 10 * n)
    assert nearer[1] - nearer[0] < high - low


def mean(drawn):
    return sum(drawn) / len(drawn)


def test_a_bootstrap_is_the_same_each_time_and_holds_the_mean():
    clusters = (0, 1, 1, 0, 1, 1, 1, 0, 1, 1)
    low, high = bootstrap(clusters, mean)
    assert bootstrap(clusters, mean) == (low, high) == (0.4, 1.0)


def test_draws_that_all_agree_give_no_interval():
    assert bootstrap((1, 1, 1), mean) is None


@pytest.mark.parametrize(
    ("first", "second", "p"), [(0, 0, 1.0), (3, 3, 1.0), (0, 5, 0.0625), (5, 0, 0.0625), (1, 9, 0.021484375)]
)
def test_the_paired_test_is_exact(first, second, p):
    assert mcnemar(first, second) == p
