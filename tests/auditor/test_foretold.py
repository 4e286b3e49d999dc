from __future__ import annotations

from itertools import product
from typing import get_args, get_type_hints

import pytest

from auditor.drafting.foretold import MOVED_BY, is_told, moves, outcomes
from auditor.drafting.values import Experiment, Failure, Mechanism

KINDS = get_args(get_type_hints(Experiment)["kind"])


def of(kind):
    return Experiment(id="x", kind=kind, step=1, words="")


def failed(subject):
    return Failure(subject=subject, log="")


def test_every_kind_of_experiment_foretells_something_else_for_some_mechanisms_than_for_others():
    assert sorted(MOVED_BY) == sorted(KINDS)
    every = set(get_args(Mechanism))
    assert all(set() < moved < every for moved in MOVED_BY.values())


def test_a_word_that_is_no_mechanism_foretells_that_the_failure_stays():
    assert not any(moves("gremlins", of(kind)) for kind in KINDS)


def test_a_failure_tells_the_baseline_build_of_a_group_and_nothing_else():
    told = [
        (subject, kind)
        for subject in ("group d1", "property p")
        for kind in KINDS
        if is_told(failed(subject), of(kind))
    ]
    assert told == [("group d1", "baseline build")]


@pytest.mark.parametrize(
    ("mechanism", "kind", "told"),
    [
        (
            "logic",
            "baseline build",
            ("the baseline build does not show it in any run", "the baseline build shows the same"),
        ),
        (
            "oracle",
            "baseline build",
            ("the baseline build shows the same", "the baseline build does not show it in any run"),
        ),
        ("time", "more repeats", ("some of the repeats do not show it", "every repeat shows it in the same way")),
        (
            "input",
            "property seed",
            ("the other seed ends in the same smallest input", "the other seed finds another input, or none"),
        ),
        (
            "randomness",
            "property seed",
            ("with another seed it vanishes or shows other values", "with another seed it stays exactly as it is"),
        ),
        (
            "state",
            "without step",
            ("without step 1 it vanishes or shows other values", "without step 1 it stays exactly as it is"),
        ),
    ],
)
def test_an_outcome_is_said_as_it_is_foretold(mechanism, kind, told):
    assert outcomes(mechanism, of(kind)) == told


def test_mechanisms_that_foretell_the_same_of_an_experiment_say_so_in_the_same_way():
    """But for an input, which a seed of a property finds."""
    for kind in KINDS:
        said = {(moves(one, of(kind)), outcomes(one, of(kind))) for one in get_args(Mechanism) if one != "input"}
        assert len(said) == 2, said
    for one, kind in product(get_args(Mechanism), KINDS):
        assert len(set(outcomes(one, of(kind)))) == 2
