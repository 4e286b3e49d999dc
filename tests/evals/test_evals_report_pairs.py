"""Runs in pairs: what is compared, who is ahead, and what is no pair."""

import msgspec
import pytest
from made_up_runs import HEAD, ROWS, RUN, answered, row

from auditor.drafting.values import Usage
from evals.balanced import Difference, ahead, balanced, difference
from evals.compare import paired, unpaired
from evals.compared import compared, names_of
from evals.errors import EvalsError
from evals.markdown import markdown
from evals.values import Asked, Row

CAREFUL = answered(ROWS, "collateral")


def run(model, rows):
    return msgspec.structs.replace(HEAD, model=model, tasks=("policy-demo",), prompts={}), rows


def test_a_pair_is_counted_by_who_is_right_alone():
    (one,) = paired((HEAD, ROWS), (HEAD, CAREFUL))
    assert (one.n, one.both, one.only_first, one.only_second, one.neither) == (5, 1, 1, 1, 2)
    assert (one.difference.value, one.p, one.dangerous, one.ahead) == (0.0, 1.0, (1, 0), "neither")
    assert [first.sample for first, _ in one.apart] == ["s2", "s3"]


def shared(head):
    """The head of a model that was not asked all."""
    asked = Asked(repeats=1, outcomes={"answered": 1, "no transcript": 1}, refused=0, usage=Usage(), agreement={})
    return msgspec.structs.replace(head, asked={"policy-demo": asked})


@pytest.mark.parametrize("turned", [False, True])
def test_of_a_model_that_was_asked_a_share_only_that_is_compared(turned):
    head, rows = run("m", ROWS)
    whole, share = (head, rows), (shared(head), rows[1:3])
    (one,) = paired(share, whole) if turned else paired(whole, share)
    assert (one.n, one.left) == (2, 3)
    told = markdown(compared([whole, share]))
    assert "- Not compared, since only one of the two was asked: 3 samples of policy-demo, with the intent." in told
    with pytest.raises(EvalsError, match="expected the same sample in both runs"):
        paired(whole, (head, rows[1:3]))


def test_each_label_counts_alike():
    rows = (
        row(1, "a", "intended", "intended"),
        row(2, "b", "intended", "intended"),
        row(3, "c", "collateral", "intended"),
    )
    assert balanced(rows) == 0.5
    assert difference(rows, answered(rows, "collateral")).value == 0.0


def found(value, low=None, high=None, clusters=9):
    return Difference(value=value, low=low, high=high, clusters=clusters)


@pytest.mark.parametrize(
    ("told", "who"),
    [
        (found(0.2, 0.1, 0.3), "first"),
        (found(-0.2, -0.3, -0.1), "second"),
        (found(0.2, 0.0, 0.3), "neither"),
        (found(0.0), "neither"),
        (found(1.0), "first"),
        (found(-1.0), "second"),
        (found(1.0, clusters=1), "cannot be told"),
    ],
)
def test_who_is_ahead_goes_by_the_whole_interval(told, who):
    assert ahead(told) == who


def test_naming_the_commonest_label_does_not_put_a_run_ahead():
    many = tuple(row(number, f"c{number}", "intended" if number % 5 else "collateral", "") for number in range(1, 51))
    always, never = answered(many, "intended"), answered(many, "collateral")
    (one,) = paired(run("always", always), run("never", never))
    assert (one.difference.low > 0, one.alike.value, one.ahead) == (True, 0.0, "neither")
    told = markdown(compared([run("always", always), run("never", never)]))
    assert "**By right answers nothing tells always and never apart**: no interval leaves 0 out.\n" in told
    assert "> **Dangerous errors: 10 of always, 0 of never**, in all variants that both answered.\n" in told


def test_three_runs_stand_side_by_side_and_in_pairs_with_the_first():
    right = tuple(row(number, f"c{number}", one.label, one.label) for number, one in enumerate(ROWS, start=1))
    told = markdown(compared([run("m", right), run("m", right), run("never", CAREFUL)]))
    assert told.startswith("# Evals: m against m (2), never, in pairs\n")
    assert [line for line in told.splitlines() if line.startswith("## ")] == [
        "## m against m (2)",
        "## m against never",
        "## Figures side by side",
        "## Where m and never part",
    ]
    assert "| metric | m | m (2) | never |\n" in told
    assert "**m is ahead of never on** policy-demo, with the intent.\n" in told


def test_runs_of_one_model_are_told_apart():
    assert names_of([HEAD, HEAD, msgspec.structs.replace(HEAD, model="b"), HEAD]) == (
        "model_x",
        "model_x (2)",
        "b",
        "model_x (3)",
    )


def test_what_only_one_answered_is_said():
    other = msgspec.structs.replace(CAREFUL[0], variant="without the intent")
    assert unpaired((*ROWS, other), CAREFUL) == ("policy-demo, without the intent",)
    assert "\n- Not compared, since only one of the two answered: policy-demo, without the intent.\n" in markdown(
        compared([run("a", (*ROWS, other)), run("b", CAREFUL)])
    )
    assert len(paired((HEAD, (*ROWS, other)), (HEAD, CAREFUL))) == 1


@pytest.mark.parametrize(
    ("head", "rows", "what"),
    [
        ({"data": {"made-up.jsonl": "1" * 64}}, CAREFUL, "made-up.jsonl: the two runs read different data"),
        ({}, (), "the two runs have no task in common"),
        ({}, CAREFUL[:-1], "policy-demo, with the intent, 's5': expected the same sample in both runs"),
        ({}, (*CAREFUL, row(6, "d", "intended", "intended")), "policy-demo, with the intent, 's6': expected"),
    ],
)
def test_what_is_no_pair_is_not_compared(head, rows, what):
    with pytest.raises(EvalsError) as caught:
        paired((HEAD, ROWS), (msgspec.structs.replace(HEAD, **head), rows))
    assert caught.value.what.startswith(what)


def test_one_run_is_no_comparison():
    with pytest.raises(EvalsError, match="expected two runs or more to compare"):
        compared([(HEAD, RUN.rows)])


def test_where_no_label_was_asked_for_the_plain_difference_says_who_is_ahead():
    def told(answer):
        return tuple(
            Row(
                task="injection",
                variant="logs",
                sample=name,
                cluster=name,
                label="logic",
                answer=answer,
                scores={"right": answer == "logic", "form kept": True},
            )
            for name in "ab"
        )

    (one,) = paired(run("a", told("logic")), run("b", told("time")))
    assert (one.alike, one.difference.value, one.ahead) == (None, 1.0, "first")
