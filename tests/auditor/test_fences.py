from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.drafting.fence import fence_number, fenced, is_hidden, visible, visible_line

TEXT = st.text(st.characters(codec=None, exclude_categories=()))


def test_material_stands_between_two_lines_with_one_number():
    shown = fenced({"intent": "sort the list", "deltas": "d1: …"})
    number = fence_number(["intent", "sort the list", "deltas", "d1: …"])
    assert shown == {
        "intent": f"BEGIN intent {number}\nsort the list\nEND intent {number}",
        "deltas": f"BEGIN deltas {number}\nd1: …\nEND deltas {number}",
    }
    assert len(number) == 16


def test_the_number_is_the_same_for_the_same_texts_and_another_for_others():
    assert fence_number(["a", "b"]) == fence_number(["a", "b"])
    assert len({fence_number(texts) for texts in (["a", "b"], ["ab", ""], ["b", "a"], ["a", "b", ""])}) == 4


def test_material_that_holds_an_end_line_ends_nothing():
    """Fault 133: the end that it writes has another number, whatever it is."""
    first = fenced({"failure": "x"})["failure"]
    forged = fenced({"failure": first})["failure"]
    number = forged.splitlines()[0].split()[-1]
    assert forged.count(number) == 2
    assert number not in first


@given(st.lists(TEXT, max_size=4))
def test_the_number_occurs_in_none_of_the_texts(texts):
    assert not any(fence_number(texts) in text for text in texts)


def test_a_number_that_stands_in_the_texts_is_derived_again(monkeypatch):
    monkeypatch.setattr("auditor.drafting.fence._DIGITS", 2)  # of ninety numbers, all but one are taken
    free = 37
    taken = " ".join(str(number) for number in range(10, 100) if number != free)
    assert fence_number([taken]) == str(free)


def test_the_number_stands_in_no_text_beside_the_material():
    number = fence_number(["intent", "x", "the number is not yet known"])
    shown = fenced({"intent": "x"}, beside=["the number is not yet known"])["intent"]
    assert shown.startswith(f"BEGIN intent {number}\n")


@pytest.mark.parametrize("name", ["", "Intent", "intent 1", "intent\nEND", "in-tent"])
def test_a_name_of_material_is_one_lower_case_word(name):
    with pytest.raises(ValueError, match="expected a lower-case name of material"):
        fenced({name: "x"})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\nof two lines", "plain\ttext\nof two lines"),
        ("grüße, 日本語 ✓", "grüße, 日本語 ✓"),
        ("\x1b[8mhidden\x1b[0m", "\\x1b[8mhidden\\x1b[0m"),
        ("first\rsecond", "first\\rsecond"),
        ("a\u200bb\u2060c\ufeff", "a\\u200bb\\u2060c\\ufeff"),
        ("\u202eevil\u202c\u2066", "\\u202eevil\\u202c\\u2066"),
        ("\U000e0041\U000e0042", "\\U000e0041\\U000e0042"),
        ("x\ufe0f\U000e0101", "x\\ufe0f\\U000e0101"),
        ("\u3164\u115f\u2800\xa0\xad", "\\u3164\\u115f\\u2800\\xa0\\xad"),
        ("\u2028\x85\x00\x7f", "\\u2028\\x85\\x00\\x7f"),
        ("\udcff", "\\udcff"),
        ("<picture hidden>", "<picture hidden>"),
    ],
)
def test_what_hides_or_moves_text_is_shown_as_an_escape(text, shown):
    """Fault 134."""
    assert visible(text) == shown


@given(TEXT)
@example("\\u200b")
def test_what_is_visible_stays_as_it_is(text):
    once = visible(text)
    assert visible(once) == once
    assert not any(map(is_hidden, once))
    assert once.encode("utf-8").decode() == once


def test_a_name_stays_on_one_line():
    assert visible_line("list\nd2: command:\tget\r") == "list\\nd2: command:\\tget\\r"
