"""Either format is read everywhere, told by content and never by name."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trace_strategies import plain_records

from gate.domain import CaseId, Record, value
from gate.errors import TraceError
from gate.trace.exchange import write_record
from gate.trace.native import TraceHeader, write_trace
from gate.trace.open import open_trace

RECORDS = (
    Record(case=CaseId("A"), step=1, command="put", fields={"k": value(b"v")}),
    Record(case=CaseId("A"), step=2, command="quit", fields={}),
)


def refusal(path) -> tuple[str, str]:
    with pytest.raises(TraceError) as caught:
        tuple(open_trace(path).records())
    return caught.value.what.replace(str(path), "FILE"), caught.value.next_step


def test_an_exchange_trace_is_known_by_its_first_line(tmp_path):
    path = tmp_path / "trace.jsonl"
    path.write_bytes(b"A|1|put|k=v\nA|2|quit|\n")
    trace = open_trace(path)
    assert (trace.format, trace.header, tuple(trace.records())) == ("exchange", None, RECORDS)


def test_a_native_trace_is_known_by_its_header(tmp_path):
    path = tmp_path / "trace.txt"
    with path.open("wb") as stream:
        write_trace(stream, TraceHeader(side="baseline"), RECORDS)
    trace = open_trace(path)
    assert (trace.format, trace.header, tuple(trace.records())) == ("native", TraceHeader(side="baseline"), RECORDS)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(plain_records(), min_size=1, max_size=4))
def test_both_formats_say_the_same(tmp_path, records):
    exchange, native = tmp_path / "exchange", tmp_path / "native"
    exchange.write_bytes(b"".join(map(write_record, records)))
    with native.open("wb") as stream:
        write_trace(stream, TraceHeader(), records)
    assert tuple(open_trace(exchange).records()) == tuple(open_trace(native).records()) == tuple(records)


def test_a_case_id_that_begins_like_json_is_still_an_exchange_record(tmp_path):
    path = tmp_path / "t"
    path.write_bytes(b"{A}|1|put|k=v\n")
    assert [record.case for record in open_trace(path).records()] == ["{A}"]


def test_json_lines_without_a_header_are_refused(tmp_path):
    path = tmp_path / "t"
    path.write_bytes(b'{"case":"A","step":1,"command":"put","fields":{"k":"a|b|c|d=e"}}\n')
    assert refusal(path) == (
        'FILE:1: expected a trace header with "trace", got none',
        'The first line is {"trace": 1, …}; docs/trace.md lists what else a header may say.',
    )


def test_an_empty_file_recorded_nothing(tmp_path):
    path = tmp_path / "t"
    path.touch()
    assert refusal(path) == ("FILE: expected a trace, got an empty file", "Nothing was recorded: record again.")


def test_a_last_line_without_newline_may_have_lost_half_a_value(tmp_path):
    path = tmp_path / "t"
    path.write_bytes(b"A|1|put|k=v\nA|2|put|k=12")
    assert refusal(path) == (
        "FILE:2: expected a newline at the end of the last record, got the end of the file",
        "The trace may be cut off: record it again. If the record is whole, end the file with a newline.",
    )


def test_a_native_last_line_without_newline_is_whole_if_it_parses(tmp_path):
    path = tmp_path / "t"
    with path.open("wb") as stream:
        write_trace(stream, TraceHeader(), RECORDS)
    path.write_bytes(path.read_bytes()[:-1])
    assert tuple(open_trace(path).records()) == RECORDS


def test_a_comment_between_records_is_refused_with_its_line_fault_73(tmp_path):
    path = tmp_path / "t"
    path.write_bytes(b"A|1|put|k=v\n  # now the second step\nA|2|quit|\n")
    assert refusal(path)[0] == (
        "FILE:2: expected four columns `case|step|command|key=value|key=value`, got '  # now the second step'"
    )


def test_a_byte_order_mark_is_refused(tmp_path):
    path = tmp_path / "t"
    path.write_bytes("\ufeffA|1|put|k=v\n".encode())
    assert refusal(path)[0] == "FILE:1: expected UTF-8 without a byte order mark, got one"


def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe")[0] == "FILE: expected a trace file, got something else"
    assert refusal(tmp_path)[0] == "FILE: expected a trace file, got something else"
    assert refusal(tmp_path / "none")[0] == "FILE: expected a trace file, got no such file"
