import pytest
from diff_cases import compare, literal, run

from gate.diff.findings import Canonical, Detail
from gate.diff.structured import MAX_DETAILS, details


def told(old: str | bytes, new: str | bytes) -> list[tuple[str, str | None, str | None]]:
    old, new = (text.encode() if isinstance(text, str) else text for text in (old, new))
    return [(detail.path, detail.old, detail.new) for detail in details(literal(old), literal(new))]


def test_json_is_compared_by_path():
    old = '{"items": [{"price": 10, "name": "a"}], "n": 1, "gone": null}'
    new = '{"n": 2, "items": [{"price": 10, "name": "b"}, true], "a b": {"x": [1]}}'
    assert told(old, new) == [
        ("$.items[0].name", '"a"', '"b"'),
        ("$.items[1]", None, "true"),
        ("$.n", "1", "2"),
        ("$.gone", "null", None),
        ('$["a b"]', None, '{"x": [1]}'),
    ]


def test_number_text_counts():
    """Fault 64."""
    assert told('{"a":null,"n":1}', '{"n":1.0}') == [("$.a", "null", None), ("$.n", "1", "1.0")]
    assert told("[12345678901234567890]", "[12345678901234567000]") == [
        ("$[0]", "12345678901234567890", "12345678901234567000")
    ]
    assert told("[1e2, 0.10]", "[100, 0.1]") == [("$[0]", "1e2", "100"), ("$[1]", "0.10", "0.1")]


def test_types_are_told_apart():
    assert told('[1, true, "1", null]', "[true, 1, 1, false]") == [
        ("$[0]", "1", "true"),
        ("$[1]", "true", "1"),
        ("$[2]", '"1"', "1"),
        ("$[3]", "null", "false"),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [('{"a":1}', '{"a":2,"a":1}'), ('{"a":1}', '{"a":1,"a":1}'), ("12345678901234567890", "12345678901234567000")],
)
def test_the_verdict_is_on_bytes_where_no_path_can_be_named(old, new):
    """Faults 63 and 64."""
    assert told(old, new) == []
    assert len(compare([run(old)], [run(new)]).deltas) == 1


def test_a_key_reorder_has_no_details_and_is_a_delta():
    found = compare([run('{"a": 1, "b": 2}')], [run('{"b": 2, "a": 1}')])
    assert [(change.kind, change.details) for delta in found.deltas for change in delta.changes] == [("order", ())]


@pytest.mark.parametrize(
    "text",
    ["", "a", "{", "[1,]", "[NaN]", "[Infinity]", b'["\xff"]', "[" * 65 + "]" * 65, "[" * 100_000, '"a"', "[1] [2]"],
)
def test_what_is_no_comparable_json_has_no_details(text):
    assert told(text, "[3]") == []


def test_a_large_value_has_no_details():
    assert told('["' + "x" * 300_000 + '"]', "[1]") == []


def test_a_value_that_was_cut_has_no_details():
    cut = Canonical(tokens=(b'{"a": 1}',), size=9, sha256="ab" * 32)
    assert details(cut, literal(b'{"a": 2}')) == ()


def test_details_are_bounded():
    old, new = (str([digit] * 1000) for digit in (1, 2))
    assert len(told(old, new)) == MAX_DETAILS
    assert told('["' + "x" * 300 + '"]', "[1]") == [("$[0]", '"' + "x" * 199 + "…", "1")]


def test_lines_of_key_and_value_are_compared_by_key():
    assert told("rows=3\nwarn=none\nx=1\n", "rows=3\nwarn=duplicate=yes\ny=\n") == [
        ("warn", "none", "duplicate=yes"),
        ("x", "1", None),
        ("y", None, ""),
    ]


@pytest.mark.parametrize("text", ["rows=3\nrows=4", "rows=3\n\n", "rows=3\nplain", "=3", ""])
def test_other_lines_have_no_details(text):
    assert told(text, "rows=4") == []


def test_a_detail_shows_placeholders_as_a_change_does():
    old = [run('{"took": "1ms", "rows": 1}'), run('{"took": "2ms", "rows": 1}')]
    ((change,),) = [delta.changes for delta in compare(old, [run('{"took": "3ms", "rows": 2}')]).deltas]
    assert change.details == (Detail(path="$.rows", old="1", new="2"),)
