"""The file of cases that were set aside."""

import pytest

from gate.corpus.aside import (
    AsideCase,
    AsideCheck,
    Like,
    SeenValue,
    aside_bytes,
    parse_aside,
    read_aside,
    require_apart,
    without_aside,
    write_aside,
)
from gate.corpus.contents import Corpus, drawn_id
from gate.corpus.lines import case_line
from gate.domain import Case, CaseId, Step
from gate.errors import CorpusError

LINE = (
    b'{"case":{"id":"A","origin":"hand","steps":[{"argv":["get","\\u00e9"]}],"covers":[]},"reason":"it wavers",'
    b'"checks":[{"step":1,"occurrence":1,"command":"get","field":"stdout","values":[{"text":"a","runs":4},'
    b'{"text":null,"runs":1}],"cure":"drop it"}]}\n'
)
LIKE = b',"like":{"case":"B","steps":"' + b"0" * 64 + b'"}'
HEAD = b'{"aside":1}\n'


def case(name, *words):
    return Case(id=CaseId(name), steps=(Step(argv=tuple(word.encode() for word in words)),))


def row(held):
    seen = (SeenValue(text="a", runs=4), SeenValue(text=None, runs=1))
    checks = (AsideCheck(step=1, command="get", field="stdout", values=seen, cure="drop it"),)
    return AsideCase(case=case_line(held, ()), reason="it wavers", checks=checks)


def without_checks(like):
    head, _, _ = LINE.partition(b'"checks"')
    return head + b'"checks":[]' + like + b"}\n"


def thinned(steps):
    words = (Step(argv=(b"get",)),)
    held = Case(id=drawn_id(words), steps=words, origin="drawn")
    return AsideCase(case=case_line(held, ()), reason="see here", checks=(), like=Like(case="other", steps=steps))


def test_why_a_case_was_thinned_is_not_what_the_reason_says():
    assert thinned("0" * 64).why == "it behaves like other in every field of every step"
    assert row(case("A", "get")).why == "it wavers"


def test_a_row_is_written_in_printable_ascii_with_its_steps_and_the_values_seen():
    assert aside_bytes([row(case("A", "get", "é"))]) == HEAD + LINE


def test_the_order_of_rows_changes_no_byte():
    rows = [row(case("A", "get", "1")), row(case("B", "get", "2"))]
    assert aside_bytes(rows) == aside_bytes(rows[::-1])


def test_what_was_written_is_read(tmp_path):
    rows = (row(case("A", "get", "1")), row(case("B", "get", "2")))
    write_aside(tmp_path / "aside.jsonl", rows)
    assert read_aside(tmp_path / "aside.jsonl") == rows


def test_no_file_and_a_head_alone_hold_no_rows(tmp_path):
    assert read_aside(tmp_path / "aside.jsonl") == ()
    assert parse_aside(HEAD, name="aside.jsonl") == ()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "aside.jsonl:1: expected the head"),
        (b'{"aside":2}\n', "aside.jsonl:1: expected the head"),
        (HEAD + LINE[:-1], "aside.jsonl:2: expected a line feed"),
        ((HEAD + LINE).replace(b"\n", b"\r\n"), "aside.jsonl:1: expected the line ending LF, got CRLF"),
        (HEAD + LINE + LINE, "aside.jsonl:3: expected an id of its own, got 'A' as in line 2"),
        (HEAD + LINE.replace(b'"reason"', b'"reasons"'), "aside.jsonl:2: expected a case"),
        (HEAD + LINE.replace(b'"reason":', b'"reason":"x","reason":'), "aside.jsonl:2: .* stands twice"),
        (HEAD + b"<<<<<<< HEAD\n", "aside.jsonl:2: expected a case"),
        (HEAD + LINE.replace(b'"id":"A"', b'"id":"d-0123456789"'), "aside.jsonl:2: expected an id of 1 to 100"),
        (HEAD + without_checks(b""), "aside.jsonl:2: expected either checks that waver or the case .* got neither"),
        (HEAD + LINE.replace(b"}\n", LIKE + b"}\n"), "aside.jsonl:2: expected either .* got both"),
        (HEAD + without_checks(LIKE), "aside.jsonl:2: expected a drawn case, .* got one that is written by hand"),
        (HEAD + aside_bytes([thinned("B" * 64)]).partition(b"\n")[2], "aside.jsonl:2: expected 64 hexadecimal digits"),
    ],
)
def test_anything_else_is_refused_with_its_line(data, told):
    with pytest.raises(CorpusError, match=told):
        parse_aside(data, name="aside.jsonl")


def test_a_corpus_is_left_without_what_is_set_aside_whatever_its_id():
    corpus = Corpus(cases=(case("A", "get", "1"), case("B", "get", "2")), covers={CaseId("A"): ("x",)})
    left, gone = without_aside(corpus, [row(case("other", "get", "1"))])
    assert (left, gone) == (Corpus(cases=(case("B", "get", "2"),)), ("A",))


def test_another_case_under_the_id_of_one_that_is_set_aside_is_refused():
    rows = [row(case("A", "get", "1"))]
    require_apart(rows, [case("A", "get", "1"), case("B", "get", "1")])
    with pytest.raises(CorpusError, match="'A': expected an id of its own, got that of another case that is set aside"):
        require_apart(rows, [case("A", "get", "2")])
