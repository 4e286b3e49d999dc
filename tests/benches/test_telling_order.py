"""The order of cases for runs that stop at the first difference."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parents[2] / "benches"))

from telling import telling_order

from gate.corpus.contents import Corpus
from gate.domain import Case, CaseId, Record, Step, value


def told(*shown):
    """A corpus and its golden: for each case the values that its steps print."""
    cases, golden = [], []
    for place, values in enumerate(shown):
        name = CaseId(f"c{place}")
        cases.append(Case(id=name, steps=tuple(Step(argv=(b"get",)) for _ in values) or (Step(argv=(b"get",)),)))
        golden.append(
            tuple(
                Record(case=name, step=step, command="get", fields={"stdout": value(text.encode())})
                for step, text in enumerate(values, 1)
            )
        )
    return Corpus(cases=tuple(cases)), tuple(golden)


def test_the_case_that_shows_most_comes_first_then_what_adds_to_it():
    assert telling_order(*told("a", "abc", "cd", "ab")) == ("c1", "c2", "c3", "c0")


def test_of_equals_the_shorter_comes_first_then_the_earlier():
    assert telling_order(*told("aa", "b", "c")) == ("c1", "c2", "c0")


def test_the_same_value_of_another_command_or_field_is_new():
    corpus, (one, two, three) = told("a", "a", "a")
    two = (Record(case=two[0].case, step=1, command="get", fields={"stdout": value(b"a"), "stderr": value(b"a")}),)
    three = (Record(case=three[0].case, step=1, command="set", fields={"stdout": value(b"a")}),)
    assert telling_order(corpus, (one, two, three)) == ("c1", "c2", "c0")


def test_a_case_without_records_comes_last():
    assert telling_order(*told("", "a")) == ("c1", "c0")


def test_a_golden_of_other_cases_is_refused():
    corpus, golden = told("a", "b")
    with pytest.raises(ValueError, match="zip"):
        telling_order(corpus, golden[:1])


@given(st.lists(st.text("abcdef", max_size=4), max_size=10))
def test_every_case_comes_once_and_the_first_ones_show_everything(shown):
    if not shown:
        return
    order = telling_order(*told(*shown))
    assert sorted(order) == sorted(f"c{place}" for place in range(len(shown)))
    seen, news = set(), []
    for name in order:
        new = set(shown[int(name[1:])]) - seen
        news.append(len(new))
        seen |= new
    whole = len(set("".join(shown)))
    first = news[: next((place for place in range(len(news) + 1) if sum(news[:place]) == whole), None)]
    assert first == sorted(first, reverse=True)
    assert 0 not in first
