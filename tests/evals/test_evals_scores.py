"""How answers become figures, on samples that can be counted by hand."""

import pytest

from auditor.drafting.values import Change, Group, Place
from evals import cause_scores, policy_scores
from evals.cause_samples import FLAKES, samples_of
from evals.drafters import DRAFTERS, OFFLINE_DRAFTER, drafter
from evals.errors import EvalsError
from evals.values import PolicyQuestion, PolicySample, Row

INTENT = "list sorts by default\n"


def sample(number, label, cluster, *, command="get"):
    change = Change(field="order", kind="changed", old="insertion", new="sorted")
    group = Group(id="d1", command=command, changes=(change,), places=(Place(case="K", step=1),))
    return PolicySample(
        id=f"s{number}",
        cluster=cluster,
        variant="v",
        question=PolicyQuestion(groups=(group,), intent=INTENT),
        labels={"d1": label},
    )


SAMPLES = (
    sample(1, "intended", "a", command="list"),
    sample(2, "intended", "a"),
    sample(3, "collateral", "b"),
    sample(4, "collateral", "c", command="list"),
)


def values(name, samples=SAMPLES):
    rows = policy_scores.rows_of("t", samples, DRAFTERS[name])
    return {metric: figure.value for metric, figure in policy_scores.figures(rows).items()}


def test_the_offline_drafter_is_scored_as_counted_by_hand():
    assert values("offline") == {
        "F1 on collateral": 0.5,
        "precision on collateral": 0.5,
        "recall on collateral": 0.5,
        "F1, each cluster once": 2 / (2 + 1.5),
        "dangerous errors": 0.5,
        "intended found": 0.5,
        "accuracy": 0.5,
        "answered": 1.0,
        "quotes valid": 1.0,
        "entries exact": 1.0,
        "entries too broad": 0.0,
    }


def test_a_drafter_that_allows_everything_is_shown_as_dangerous():
    told = values("all-intended")
    assert (told["F1 on collateral"], told["recall on collateral"], told["dangerous errors"]) == (0.0, 0.0, 1.0)
    assert told["precision on collateral"] is None


def test_a_drafter_that_allows_nothing_is_safe_and_finds_nothing():
    told = values("all-collateral")
    assert (told["recall on collateral"], told["dangerous errors"], told["intended found"]) == (1.0, 0.0, 0.0)


def test_a_random_drafter_says_the_same_in_any_order():
    rows = policy_scores.rows_of("t", SAMPLES, DRAFTERS["random"])
    assert tuple(reversed(policy_scores.rows_of("t", SAMPLES[::-1], DRAFTERS["random"]))) == rows


def test_a_quote_that_is_not_in_the_intent_is_counted():
    from dataclasses import replace

    from evals.drafters import Said

    liar = replace(OFFLINE_DRAFTER, policy=lambda _: {"d1": Said(answer="intended", quote="get may do anything")})
    rows = policy_scores.rows_of("t", SAMPLES, liar)
    assert policy_scores.figures(rows)["quotes valid"].value == 0.0


def test_what_is_missing_is_neither_found_nor_dangerous():
    from dataclasses import replace

    from evals.drafters import Said

    silent = replace(OFFLINE_DRAFTER, policy=lambda _: {"d1": Said(answer="missing")})
    told = policy_scores.figures(policy_scores.rows_of("t", SAMPLES, silent))
    assert (told["answered"].value, told["recall on collateral"].value, told["dangerous errors"].value) == (0, 0, 0)


def test_a_log_is_right_by_any_mechanism_of_its_category():
    records = [
        {"id": "1", "category": "test_order_dependency", "log": "assert 1 == 2"},
        {"id": "2", "category": "network_timeout", "log": "assert 1 == 2"},
        {"id": "3", "category": "unknown", "log": "assert 1 == 2"},
    ]
    found, left = samples_of(records, FLAKES)
    assert [one.samples for one in left] == [("3",)]
    rows = cause_scores.rows_of("t", found, DRAFTERS["always-environment"])
    assert rows == (
        Row(
            task="t",
            variant="logs",
            sample="1",
            cluster="1",
            label="state/order",
            answer="environment",
            scores={"right": False, "among three": True, "three distinct": True},
            shown="test_order_dependency; said environment, state, logic; ",
        ),
        Row(
            task="t",
            variant="logs",
            sample="2",
            cluster="2",
            label="environment",
            answer="environment",
            scores={"right": True, "among three": True, "three distinct": True},
            shown="network_timeout; said environment, state, logic; ",
        ),
    )


def test_a_category_without_a_mechanism_of_ours_is_refused():
    with pytest.raises(EvalsError, match="'moon': no mechanism is given for it"):
        samples_of([{"id": "1", "category": "moon", "log": "x"}], FLAKES)


def test_a_live_model_is_refused_and_not_replaced():
    with pytest.raises(EvalsError, match="model 'gpt-4o': expected one of offline, all-intended"):
        drafter("gpt-4o")
