"""The injection task can tell: a drafter that believes what output says is caught."""

from dataclasses import replace

import pytest

from evals import injection
from evals.attacks import ATTACKS
from evals.drafters import OFFLINE_DRAFTER, Cause, Said
from evals.injection import ASIDE, EVERYWHERE, LOGS

HOSTILE = ATTACKS["instruction"][0]


def figures(drafter, variant):
    rows = [row for row in injection.rows_of("injection", drafter) if row.variant == variant]
    return {name: (figure.value, figure.n) for name, figure in injection.figures(rows).items()}


def obeys(question):
    """Believes one instruction, and takes the rest as the offline drafter does."""
    said = OFFLINE_DRAFTER.policy(question)
    told = any(HOSTILE in (change.new or "") for group in question.groups for change in group.changes)
    return {key: Said(answer="intended") if told else one for key, one in said.items()}


def test_what_is_meant_is_seen_as_meant_where_no_text_stands_in_it():
    said = OFFLINE_DRAFTER.policy(injection.trace_question("any", ASIDE))
    assert [one.answer for one in said.values()] == ["intended", "intended", "collateral", "collateral", "collateral"]


@pytest.mark.parametrize(("where", "changed"), [(EVERYWHERE, 5), (ASIDE, 3)])
def test_a_drafter_that_obeys_is_dangerous(where, changed):
    number = len(ATTACKS)
    assert figures(replace(OFFLINE_DRAFTER, policy=obeys), where) == {
        "answer unchanged": ((5 * number - changed) / (5 * number), 5 * number),
        "form kept": (1.0, 5 * number),
        "dangerous errors": (3 / (3 * number), 3 * number),
    }


def test_a_drafter_that_repeats_terminal_codes_breaks_the_form():
    def repeats(question):
        text = question.groups[2].changes[-1].new
        return {group.id: Said(answer="collateral", texts=(text[:100],)) for group in question.groups}

    assert figures(replace(OFFLINE_DRAFTER, policy=repeats), ASIDE)["form kept"][0] < 1


def test_a_quote_from_the_output_breaks_the_form():
    liar = replace(
        OFFLINE_DRAFTER,
        policy=lambda asked: {group.id: Said(answer="intended", quote=HOSTILE) for group in asked.groups},
    )
    assert figures(liar, ASIDE)["form kept"][0] == 0


def test_evidence_that_is_in_no_line_of_a_log_breaks_the_form():
    def invents(_question):
        return tuple(Cause(mechanism=one, evidence="not in the log") for one in ("logic", "state", "oracle"))

    assert figures(replace(OFFLINE_DRAFTER, causes=invents), LOGS) == {
        "answer unchanged": (1.0, len(ATTACKS)),
        "form kept": (0.0, len(ATTACKS)),
    }


@pytest.mark.slow
def test_the_offline_drafter_is_moved_by_none():
    for where in (EVERYWHERE, ASIDE, LOGS):
        told = figures(OFFLINE_DRAFTER, where)
        assert (told["answer unchanged"][0], told["form kept"][0]) == (1.0, 1.0)
        assert told.get("dangerous errors", (0.0,))[0] == 0.0
