import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.drafting.values import Usage
from auditor.service.budget import Ledger, added, cost_of, estimate_tokens
from auditor.service.settings_file import Limits, Price

NUMBERS = st.integers(0, 10_000)
USAGES = st.builds(Usage, requests=st.integers(0, 5), prompt_tokens=NUMBERS, answer_tokens=NUMBERS)


def test_a_question_is_estimated_at_two_bytes_a_token():
    """Reported fault 137."""
    assert estimate_tokens([]) == 0
    assert estimate_tokens([{"role": "user", "content": "x" * 101}]) == 51 + 16
    assert estimate_tokens([{"role": "user", "content": "é" * 10}], "12345") == 13 + 16


def test_prices_are_for_a_million_tokens():
    assert cost_of(Price(prompt=0.5, answer=2), 1_000_000, 500_000) == 1.5
    assert cost_of(None, 1, 1) is None


def test_time_runs_from_when_the_ledger_is_made():
    now = [100.0]
    ledger = Ledger(limits=Limits(seconds=30), clock=lambda: now[0])
    assert ledger.seconds_left() == 30
    now[0] = 129
    assert ledger.refusal(1, 1) is None
    now[0] = 131
    assert ledger.seconds_left() == 0
    assert ledger.refusal(1, 1) == "budget.seconds is 30, and they are over"


def test_a_limit_may_be_used_up_to_its_last_token():
    ledger = Ledger(limits=Limits(tokens=100, requests=2))
    ledger.charge(40, 20)
    assert ledger.refusal(30, 10) is None
    assert ledger.refusal(30, 11) == (
        "budget.tokens is 100, 60 are used, and this request may take 30 (estimated) and 11 for the answer"
    )


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=30), st.integers(0, 50_000), st.floats(0, 0.1))
def test_what_is_sent_only_after_asking_never_exceeds_a_limit(requests, tokens, cost):
    limits = Limits(requests=7, tokens=tokens, cost=cost)
    ledger = Ledger(limits=limits, price=Price(prompt=1, answer=3))
    for asked, answered in requests:
        if ledger.refusal(asked, answered) is None:
            ledger.charge(asked, answered)
    assert ledger.requests <= 7
    assert ledger.tokens <= tokens
    assert ledger.cost <= cost


@given(USAGES, USAGES)
def test_adding_usages_has_no_order(first, second):
    assert added(first, second) == added(second, first)


@pytest.mark.parametrize(
    ("first", "second", "cost"),
    [
        (Usage(), Usage(), None),
        (Usage(), Usage(requests=1, cost=0.5), 0.5),
        (Usage(requests=1, cost=0.5), Usage(requests=1, cost=0.25), 0.75),
        (Usage(requests=1, cost=0.5), Usage(requests=1), None),
    ],
)
def test_a_cost_that_is_unknown_in_part_is_unknown(first, second, cost):
    assert added(first, second).cost == cost
