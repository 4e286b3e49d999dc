from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.drafting.checks import check_policy
from auditor.drafting.checks_hypotheses import check_hypotheses
from auditor.drafting.checks_lengths import EVIDENCE, EXCERPT
from auditor.drafting.values import Change, Classified, Drafted, Experiment, Failure, Group, Hypothesis, Place
from auditor.drafting.verbatim import as_it_stands, evened


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("a b", "x a b y", "a b"),
        ("a b", "x a\t b y", "a\t b"),
        ("a b", "x a\r\nb y", "a\r\nb"),
        (" a\n  b ", "a b", "a b"),
        ("a   b", "  \n a  b a b", "a  b"),
        ("a a", "a" + " " * 80 + "a  a", "a  a"),
        ("a a a", "a \n a" + " " * 80 + "a  a a", "a  a a"),
        ("a b", "ab", "a b"),
        ("ab", "a b", "ab"),
        ("a b", "a\u00a0b", "a b"),
        ("a.b c", "axb  c", "a.b c"),
        ("  ", "a\tb", "  "),
        ("", "a", ""),
        ("a b", "", "a b"),
    ],
)
def test_a_quote_is_found_where_only_white_space_differs(quote, text, found):
    assert as_it_stands(quote, text, EXCERPT) == found


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("a b", "a\nb\na\tb", "a\tb"),
        ("a\nb", "a\n\nb a b", "a\nb"),
        ("a  b\n", "a b", "a b"),
    ],
)
def test_on_one_line_a_line_end_is_no_white_space(quote, text, found):
    assert as_it_stands(quote, text, EXCERPT, one_line=True) == found


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("a     b", "a b a    b", "a    b"),
        ("a     b", "a         b a    b", "a    b"),
        ("a     b", "a b", "a     b"),
        ("a b", "a    b", "a b"),
        ("a        b", "a    b", "a        b"),
    ],
)
def test_the_quote_and_what_is_found_have_an_allowed_length(quote, text, found):
    assert as_it_stands(quote, text, (6, 8)) == found


TEXTS = st.text(alphabet="ab \t\r\n.", max_size=30)


@given(TEXTS, TEXTS, st.booleans())
def test_what_is_found_stands_in_the_text_and_has_the_words_of_the_quote(quote, text, one_line):
    found = as_it_stands(quote, text, EXCERPT, one_line=one_line)
    assert found == quote or (found in text and evened(found) == evened(quote))
    assert not (one_line and found != quote and found.count("\n") > quote.count("\n"))


@given(TEXTS, st.integers(0, 30), st.integers(0, 30))
def test_a_part_of_a_text_is_found_again_when_its_white_space_is_evened(text, start, stop):
    part = evened(text[start:stop])
    if part:
        found = as_it_stands(part, text, EXCERPT)
        assert found in text
        assert evened(found) == part


SIZE = 256 * 1024
BLANKS = " " * 50
HOSTILE = {
    "one word again and again": ("a " * SIZE, "a " * 149 + "b"),
    "wide blanks": (("a" + BLANKS) * 6_000, "a " * 149 + "b"),
    "places that are all too long": (("a " * 150 + " " * 150) * 600, "a " * 149 + "\ta"),
    "a quote that is too long": ("a " * SIZE, "a " * 498 + "b"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_quote_is_looked_for_in_a_large_log_and_changes_nothing(name):
    """The search is linear in the log: three hypotheses took 5.6 s when 998 characters were looked for place by place."""
    log, evidence = HOSTILE[name]
    told = Hypothesis(
        mechanism="logic",
        claim="The candidate counts one attempt more than allowed.",
        evidence=evidence,
        experiment="x1",
        if_true="the baseline passes",
        if_false="the baseline fails",
    )
    offered = (Experiment(id="x1", kind="baseline build", words="run it on the baseline build"),)
    drafted = Drafted(model="m", prompt="p", items=(told,) * 3)
    failure = Failure(subject="property p", log=log[:SIZE])
    kept = check_hypotheses(drafted, failure, offered).items
    assert all(each.evidence in failure.log for each in kept if isinstance(each, Hypothesis))
    assert len(evidence) > EVIDENCE[1] or evidence not in failure.log


def test_a_hostile_excerpt_is_looked_for_in_large_values_and_not_found():
    old, new = ("a " * SIZE)[:SIZE], ("a\t" * SIZE)[:SIZE]
    found = Group(
        id="d1",
        command="show",
        changes=tuple(Change(field=f"f{number}", kind="value", old=old, new=new) for number in range(4)),
        places=(Place(case="A", step=1),),
    )
    told = Classified(
        group="d1",
        kind="collateral",
        quote="",
        old="a  " * 26,
        new="a\n" * 39 + "b",
        reason="It names no change at all.",
    )
    assert check_policy(Drafted(model="m", prompt="p", items=(told,)), (found,), "").items == ()
