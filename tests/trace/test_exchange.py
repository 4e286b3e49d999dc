"""`case|step|command|key=value|…`: what is a record, what is refused, and that nothing is lost."""

import pytest
from hypothesis import given, reject
from trace_strategies import plain_records, records

from gate.domain import CaseId, Record, Value, value
from gate.errors import TraceError
from gate.trace.exchange import parse_record, write_record

MEND = (
    "A record is one line `case|step|command|key=value|key=value`; a '|' or a newline inside a value needs the JSON Lines "
    "format (docs/trace.md)."
)


def told(line: bytes) -> str:
    with pytest.raises(TraceError) as caught:
        parse_record(line, place="golden.trace:17")
    assert caught.value.next_step == MEND
    return caught.value.what


def test_a_record_keeps_case_step_command_and_fields_in_order():
    record = parse_record(b"A|4|put|status=0|left=3|note=a=b", place="t:1")
    assert record == Record(
        case=CaseId("A"),
        step=4,
        command="put",
        fields={"status": value(b"0"), "left": value(b"3"), "note": value(b"a=b")},
    )
    assert list(record.fields) == ["status", "left", "note"]


def test_an_empty_payload_is_a_record_without_fields():
    assert parse_record(b"A|1|quit|", place="t:1") == Record(case=CaseId("A"), step=1, command="quit", fields={})


def test_a_value_may_be_any_bytes_but_the_two_separators():
    data = bytes(range(256)).translate(None, b"|\n\r") + b"\r "
    record = parse_record(b"A|0||k=" + data, place="t:1")
    assert record == Record(case=CaseId("A"), step=0, command="", fields={"k": value(data)})


FAULTS = {
    b"": "expected four columns `case|step|command|key=value|key=value`, got an empty line",
    b"# a comment": "expected four columns `case|step|command|key=value|key=value`, got '# a comment'",
    b"    indented": "expected four columns `case|step|command|key=value|key=value`, got '    indented'",
    b"A|1|put": "expected four columns `case|step|command|key=value|key=value`, got 'A|1|put'",
    b"|1|put|": "expected a case id in the first column, got an empty one",
    b"A||put|": "expected a step number of 0 or more, plain decimal digits, got ''",
    b"A|-1|put|": "expected a step number of 0 or more, plain decimal digits, got '-1'",
    b"A|+1|put|": "expected a step number of 0 or more, plain decimal digits, got '+1'",
    b"A|1.0|put|": "expected a step number of 0 or more, plain decimal digits, got '1.0'",
    b"A| 1|put|": "expected a step number of 0 or more, plain decimal digits, got ' 1'",
    b"A|1_0|put|": "expected a step number of 0 or more, plain decimal digits, got '1_0'",
    b"A|\xd9\xa1|put|": "expected a step number of 0 or more, plain decimal digits, got '\\xd9\\xa1'",
    b"A|1234567890123456789|put|": (
        "expected a step number of 0 or more, plain decimal digits, got '1234567890123456789'"
    ),
    b"A|1|put|k": "expected key=value in the payload, got 'k', which has no '='",
    b"A|1|put|k=v|": "expected key=value in the payload, got '', which has no '='",
    b"A|1|put|k=a|b": "expected key=value in the payload, got 'b', which has no '='",
    b"A|1|put|=v": "expected a key before '=', got '=v'",
    b"A|1|put|k=1|j=2|k=1": "expected each key once, got 'k' twice",
    b"A|1|put|k=v\r": "expected a line that ends in a newline alone, got a carriage return before it",
    b"A|1|put|\r": "expected a line that ends in a newline alone, got a carriage return before it",
    b"A\0|1|put|": "expected a case id without NUL and carriage return, got 'A\\x00'",
    b"A|1|p\rut|": "expected a command without NUL and carriage return, got 'p\\rut'",
    b"A|1|put|k\0=v": "expected a key without NUL and carriage return, got 'k\\x00'",
    b"\xff|1|put|": "expected a case id in UTF-8, got '\\xff'",
    b"A|1|\xff|": "expected a command in UTF-8, got '\\xff'",
    b"A|1|put|\xff=v": "expected a key in UTF-8, got '\\xff'",
    b"A|1|put|k=v\nA|2|put|": "expected one line, got a newline inside 'A|1|put|k=v\\nA|2|put|'",
    b"x" * 61: (f"expected four columns `case|step|command|key=value|key=value`, got '{'x' * 60}' and 1 bytes more"),
}


@pytest.mark.parametrize("line", FAULTS)
def test_a_line_that_is_no_record_is_refused_with_its_place_faults_72_and_73(line):
    assert told(line) == f"golden.trace:17: {FAULTS[line]}"


@given(plain_records())
def test_a_written_record_is_read_back_as_it_was(record):
    line = write_record(record)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert parse_record(line[:-1], place="t:1") == record


@given(records())
def test_no_record_is_written_with_loss(record):
    try:
        line = write_record(record)
    except TraceError:
        reject()
    assert parse_record(line[:-1], place="t:1") == record


UNWRITABLE = {
    "a '|' in a value": ({"k": value(b"a|b")}, "expected the value of 'k' without '|', got 'a|b'"),
    "a newline in a value": ({"k": value(b"a\n")}, "expected the value of 'k' without a newline, got 'a\\n'"),
    "a CR in a value": ({"k": value(b"a\r")}, "expected the value of 'k' without a carriage return, got 'a\\r'"),
    "a cut value": (
        {"k": Value(data=b"ab", size=9, sha256="0" * 64)},
        "expected a whole value for 'k', got the first 2 of 9 bytes",
    ),
    "a stopped value": (
        {"k": Value(data=b"ab", size=2, overflow=True)},
        "expected a whole value for 'k', got the first 2 of 2 bytes",
    ),
    "an '=' in a key": ({"a=b": value(b"")}, "expected a key that is not empty and has no '=', got 'a=b'"),
    "an empty key": ({"": value(b"")}, "expected a key that is not empty and has no '=', got ''"),
    "a '|' in a key": ({"a|b": value(b"")}, "expected the key 'a|b' without '|', got 'a|b'"),
}


@pytest.mark.parametrize("name", UNWRITABLE)
def test_what_the_format_cannot_hold_is_not_written(name):
    fields, sentence = UNWRITABLE[name]
    with pytest.raises(TraceError) as caught:
        write_record(Record(case=CaseId("A"), step=1, command="put", fields=fields))
    assert caught.value.what == f"case 'A' step 1: {sentence}"
    assert caught.value.next_step == "Write it as JSON Lines, which is exact for any bytes: gate.trace.native."


@pytest.mark.parametrize(
    ("case", "step", "command"),
    [("", 1, "x"), ("A", -1, "x"), ("A|", 1, "x"), ("A\n", 1, "x"), ("{", 1, "x"), ("A", 1, "\udc80"), ("A", 1, "x|")],
)
def test_columns_that_would_break_the_line_are_not_written(case, step, command):
    with pytest.raises(TraceError):
        write_record(Record(case=CaseId(case), step=step, command=command, fields={}))
