from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.strictjson import MAX_DEPTH, Place, StrictJSONError, parse

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(min_value=-(10**30), max_value=10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def fault(text: str | bytes) -> str:
    with pytest.raises(StrictJSONError) as caught:
        parse(text.encode() if isinstance(text, str) else text)
    return str(caught.value)


@given(JSON, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_what_json_writes_is_read_back(value: object, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    read = parse(text.encode("utf-8")).value
    assert read == value
    assert json.dumps(read) == json.dumps(value), "types, too"


@given(st.text(alphabet='{}[]",:\\ \n0123eE+-.truefalsn/ud8', max_size=24))
def test_what_is_accepted_means_what_json_says_it_means(text: str) -> None:
    try:
        read = parse(text.encode()).value
    except StrictJSONError:
        return
    assert json.dumps(json.loads(text)) == json.dumps(read)


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused_with_a_place(data: bytes) -> None:
    place = (1, 1)
    try:
        parse(data)
    except StrictJSONError as error:
        place = (error.line, error.column)
    assert place >= (1, 1)
    assert place[1] >= 1


def test_a_duplicate_key_is_refused_and_both_lines_are_named() -> None:
    assert (
        fault('{\n "a": 1,\n "b": 2,\n  "\\u0061": 3\n}')
        == "line 4, column 3: duplicate key 'a': line 2 has it already"
    )


def test_one_key_in_two_objects_is_no_duplicate() -> None:
    assert parse(b'[{"a": 1}, {"a": {"a": 2}}]').value == [{"a": 1}, {"a": {"a": 2}}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "line 1, column 1: the file is empty; expected a JSON value"),
        (" \n ", "line 2, column 2: the file is empty; expected a JSON value"),
        ("[NaN]", "line 1, column 2: expected a JSON value, found 'NaN'"),
        ("[-Infinity]", "line 1, column 2: expected a JSON value, found '-Infinity'"),
        ("[True]", "line 1, column 2: expected a JSON value, found 'True'"),
        ("[01]", "line 1, column 2: expected a JSON value, found '01'"),
        ("[1.]", "line 1, column 2: expected a JSON value, found '1.'"),
        ("[1e999]", "line 1, column 2: the number 1e999 is too large"),
        ("1" * 101, "line 1, column 1: a number of 101 characters; at most 100 are read"),
        ("[1] 2", "line 1, column 5: there is more after the end of the JSON value"),
        ("[1, ]", "line 1, column 3: a comma before ']'; JSON has no trailing commas"),
        ('{"a": 1,}', "line 1, column 8: a comma before '}'; JSON has no trailing commas"),
        ("[1 2]", "line 1, column 4: expected ',' or ']', found '2'"),
        ("[1\n", "line 2, column 1: expected ',' or ']', found the end of the file"),
        ('{"a" 1}', "line 1, column 6: expected ':' after a key, found '1'"),
        ("{'a': 1}", 'line 1, column 2: expected a key in double quotes, found "\'" (strings take double quotes)'),
        ("{a: 1}", "line 1, column 2: expected a key in double quotes, found 'a'"),
        ("[1, // one\n 2]", "line 1, column 5: expected a JSON value, found '/' (JSON has no comments)"),
        ('["a\nb"]', "line 1, column 4: control character '\\n' in a string; write it as an escape"),
        ('["abc', "line 1, column 2: this string is never closed"),
        ('["\\x41"]', "line 1, column 3: unknown escape '\\\\x' in a string"),
        ('["\\u12"]', "line 1, column 3: \\u takes four hexadecimal digits"),
        ('["\\ud800"]', "line 1, column 3: lone surrogate \\ud800; it stands for no character"),
        ('["\\udc00"]', "line 1, column 3: lone surrogate \\udc00; it stands for no character"),
        ('["\\ud800\\u0041"]', "line 1, column 3: lone surrogate \\ud800; it stands for no character"),
    ],
)
def test_what_is_not_strict_json_is_refused_with_its_place(text: str, expected: str) -> None:
    assert fault(text) == expected


def test_a_byte_order_mark_is_refused() -> None:
    assert fault(b"\xef\xbb\xbf{}") == (
        "line 1, column 1: the file begins with a byte order mark; save it as UTF-8 without one"
    )


def test_bytes_that_are_not_utf8_are_refused_at_their_line() -> None:
    assert fault('{"a": 1,\n "é'.encode() + b"\xff") == "line 2, column 4: byte 0xff is not UTF-8"


@pytest.mark.parametrize("marker", ["<<<<<<< HEAD", "=======", ">>>>>>> topic"])
def test_a_merge_conflict_is_called_one(marker: str) -> None:
    """Fault 98."""
    assert fault(f'{{\n"a": [\n{marker}\n') == "line 3, column 1: a merge conflict was left in the file"


def test_nesting_is_bounded() -> None:
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert json.dumps(parse(deepest.encode()).value) == deepest
    assert fault("[" * 100_000) == "line 1, column 65: more than 64 lists and objects inside one another"
    assert fault('{"a":' * 100_000) == "line 1, column 321: more than 64 lists and objects inside one another"


def test_siblings_do_not_count_as_nesting() -> None:
    assert len(parse(b"[" + b",".join([b"[]"] * 200) + b"]").value) == 200


def test_a_pair_of_surrogate_escapes_is_one_character() -> None:
    assert parse(b'"\\ud83d\\ude00"').value == "\U0001f600"


def test_every_value_has_its_place() -> None:
    document = parse(b'{\n  "allowed": [\n    {"case": "A",\n     "step": 1},\n    7\n  ]\n}\n')
    assert dict(document.positions) == {
        (): Place(line=1, column=1, last_line=7),
        ("allowed",): Place(line=2, column=3, last_line=6),
        ("allowed", 0): Place(line=3, column=5, last_line=4),
        ("allowed", 0, "case"): Place(line=3, column=6, last_line=3),
        ("allowed", 0, "step"): Place(line=4, column=6, last_line=4),
        ("allowed", 1): Place(line=5, column=5, last_line=5),
    }


def test_the_line_of_a_missing_key_is_the_line_of_what_lacks_it() -> None:
    document = parse(b'{"allowed": [\n1,\n{\n"case": "A"}]}')
    assert document.line(("allowed", 1, "reason", "x")) == 3
    assert document.line(("nothing",)) == 1
