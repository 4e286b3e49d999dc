import pytest
from diff_cases import literal

from gate.diff.findings import Canonical, Placeholder
from gate.diff.kinds import classify


def kind(old: str | bytes, new: str | bytes, field: str = "stdout") -> str:
    old, new = (text.encode() if isinstance(text, str) else text for text in (old, new))
    return classify(field, literal(old), literal(new))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("1", "2", "value"),
        ("a\r\nb\r\n", "a\nb\n", "line endings"),
        ("a\rb\r", "a\nb\n", "line endings"),
        ("a b", "a\u00a0b", "invisible characters"),
        ("ab", "\ufeffab", "invisible characters"),
        ("ab", "a\u200bb", "invisible characters"),
        ("ab", "a\u202eb", "invisible characters"),
        ("a", "a ", "whitespace"),
        ("a\n", "a", "whitespace"),
        ("  a\n", "a\n", "whitespace"),
        ("a\r\n", "a \n", "whitespace"),
        ("a\nb\nc\nd\n", "d\nc\nb\na\n", "order"),
        ("a\nb\n", "b\na", "order"),
        ("a\na\nb\n", "a\nb\nb\n", "value"),
        ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', "order"),
        ('{"a": 1, "b": 2}', '{"b":2,"a":1}', "order"),
        ('{"a": 1}', '{"a": 1.0}', "value"),
        ('{"a":1,"a":2}', '{"a":2,"a":1}', "value"),
        ("a b", "ab", "value"),
        (b"\xff", b"\xfe", "value"),
        ("", "a", "value"),
    ],
)
def test_the_kind_of_a_text_that_changed(old, new, expected):
    """Faults 12, 63, 64, 76 and 77."""
    assert [kind(old, new), kind(new, old)] == [expected, expected]


def test_the_kind_of_what_one_side_lacks():
    some = literal(b"x")
    assert [
        classify("stdout", some, None),
        classify("stdout", None, some),
        classify("stdout", some, None, step_missing=True),
        classify("status", None, some, step_added=True),
        classify("files:a", None, some),
        classify("files:a", some, None),
        classify("files", None, some),
    ] == ["field missing", "field added", "step missing", "step added", "file effect", "file effect", "file effect"]


def test_how_a_step_ended_has_a_kind_of_its_own():
    assert [kind("0", "1", field) for field in ("status", "exit", "exit_code", "returncode")] == ["exit code"] * 4


def test_the_listing_is_a_file_effect_and_a_content_is_told_by_its_text():
    assert [kind("created file 644 a", "", "files"), kind("a\n", "a\r\n", "files:a")] == ["file effect", "line endings"]


def test_a_value_that_was_cut_has_no_narrower_kind():
    cut = Canonical(tokens=(b"a\nb\n",), size=10, sha256="ab" * 32)
    assert [classify("stdout", cut, literal(b"b\na\n")), classify("stdout", literal(b"a b"), cut)] == ["value"] * 2


def test_a_literal_that_spells_a_placeholder_is_a_value():
    assert classify("stdout", literal(b"<n>"), Canonical(tokens=(Placeholder(rule="n"),))) == "value"
