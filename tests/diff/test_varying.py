import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.diff.findings import Canonical, Placeholder
from gate.diff.varying import Variation, Varied, find_varying


def text(data: str) -> Canonical:
    return Canonical(tokens=(data.encode(),) if data else ())


def varying(*values: str) -> list[tuple[str, str, str]]:
    """What is fixed before, what the runs show, what is fixed behind."""
    found = find_varying([text(value) for value in values])
    assert found.kind == "spans"
    return [(span.before.decode(), b"|".join(span.held).decode(), span.after.decode()) for span in found.spans]


def kind(*values: Canonical | None) -> str:
    found = find_varying(values)
    assert (found.kind == "spans") == bool(found.spans)
    return found.kind


def test_equal_runs_vary_nowhere():
    assert find_varying([text("a 1"), text("a 1")]) == Variation(kind="none")


def test_the_smallest_span_is_found_with_the_fixed_text_beside_it():
    assert find_varying([text("first\ntook 12 of 3\n"), text("first\ntook 9 of 3\n")]).spans == (
        Varied(before=b"took ", after=b" of 3", starts=True, ends=True, held=(b"12", b"9")),
    )


@pytest.mark.parametrize(
    ("runs", "spans"),
    [
        (("job12 x", "job9 x"), [("job", "12|9", " x")]),
        (("at 10:11:12", "at 10:11:13"), [("at ", "10:11:12|10:11:13", "")]),
        (("v 1.25 w", "v 3 w"), [("v ", "1.25|3", " w")]),
        (("id a1-b2-c3 ok", "id 9f-04-77 ok"), [("id ", "a1-b2-c3|9f-04-77", " ok")]),
        (("x=-5", "x=5"), [("x=", "-5|5", "")]),
        (("a=1 b=2", "a=3 b=4"), [("a=", "1|3", " b="), (" b=", "2|4", "")]),
        (("a  12 |", "a 123 |"), [("", "12|123", " |")]),
        (("a1b2c3d4", "ff12ac90"), [("", "a1b2c3d4|ff12ac90", "")]),
    ],
)
def test_a_span_is_a_number_or_an_id_as_a_whole(runs, spans):
    assert varying(*runs) == spans


def test_lines_in_another_order_are_no_span():
    assert kind(text("a\nb\n"), text("b\na\n")) == "order"


@pytest.mark.parametrize(
    "runs", [("a b", "a b c"), ("a\n", "a\nb\n"), ("", "x"), ("a b c", "x y"), ("one\ntwo 1", "two 2\nthree\nfour")]
)
def test_runs_that_have_another_shape_differ_as_a_whole(runs):
    assert kind(*map(text, runs)) == "whole"


def test_a_value_that_one_run_did_not_observe_or_that_was_cut_has_no_span():
    cut = Canonical(tokens=(b"a 2",), size=9, sha256="0" * 64)
    assert [kind(text("a 1"), None), kind(text("a 1"), cut)] == ["whole", "whole"]


def test_a_placeholder_is_fixed_but_is_no_text_to_anchor_at():
    runs = [Canonical(tokens=(b"at ", Placeholder(rule="timestamp"), b" n ", digit)) for digit in (b"1", b"2")]
    assert find_varying(runs).spans == (Varied(before=b" n ", after=b"", starts=False, ends=True, held=(b"1", b"2")),)


def test_ids_that_changed_places_are_no_span():
    runs = [Canonical(tokens=(b"by ", Placeholder(rule="uuid", number=number))) for number in (1, 2)]
    assert kind(*runs) == "whole"


@given(st.lists(st.text("ab1 .-\n", max_size=12), min_size=2, max_size=4))
def test_with_the_spans_taken_out_the_runs_agree_but_for_blanks(values):
    found = find_varying([text(value) for value in values])
    if found.kind != "spans":
        return
    rest = set()
    for run, value in enumerate(values):
        at, left = 0, ""
        for span in found.spans:
            held = span.held[run].decode()
            assert held
            assert not set(held) & set(" \n")
            where = value.index(held, at)
            left += value[at:where] + "<>"
            at = where + len(held)
        rest.add("".join((left + value[at:]).split()))
    assert all(len(span.held) == len(values) and len(set(span.held)) > 1 for span in found.spans)
    if len(found.spans) == 1 and all(
        value.count(found.spans[0].held[run].decode()) == 1 for run, value in enumerate(values)
    ):
        assert len(rest) == 1
