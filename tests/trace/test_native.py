"""JSON Lines: exact for any bytes (fault 72), strict about everything else."""

import io
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trace_strategies import TRACE_LIKE, records

from gate.domain import CaseId, Record, Value, value
from gate.errors import TraceError
from gate.trace.native import TraceHeader, read_trace, write_trace
from gate.trace.wire import count_checks, decode_line, encode_record

NAMES = st.none() | st.text(max_size=5)
HEADERS = st.builds(
    TraceHeader,
    canonical=st.none() | st.integers(0, 9),
    build=NAMES,
    corpus=NAMES,
    fixtures=NAMES,
    environment=NAMES,
    side=NAMES,
    run=st.none() | st.integers(0, 9),
)


def written(header: TraceHeader, kept: list[Record]) -> bytes:
    stream = io.BytesIO()
    write_trace(stream, header, kept)
    return stream.getvalue()


@given(HEADERS, st.lists(records(), max_size=5))
def test_a_written_trace_is_read_back_as_it_was_whatever_the_bytes_fault_72(header, kept):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "t")
        path.write_bytes(written(header, kept))
        assert read_trace(path) == (header, tuple(kept))


@given(records())
def test_a_record_is_one_line_of_plain_json(record):
    line = encode_record(record)
    assert b"\n" not in line
    assert list(json.loads(line)) == ["case", "step", "command", "fields"]


@given(records())
def test_a_quick_look_counts_what_a_full_look_finds(record):
    count = count_checks(encode_record(record))
    odd = any(held.size != len(held.data) or held.overflow or not is_utf8(held.data) for held in record.fields.values())
    assert count == (None if odd else len(record.fields) or 1)


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_output_that_looks_like_a_trace_makes_no_phantom_steps_fault_72(tmp_path):
    record = Record(
        case=CaseId("A"), step=1, command="sh", fields={f"f{i}": value(b) for i, b in enumerate(TRACE_LIKE)}
    )
    (tmp_path / "t").write_bytes(written(TraceHeader(), [record]))
    assert read_trace(tmp_path / "t") == (TraceHeader(), (record,))


def test_the_bytes_of_a_trace_are_these():
    kept = [
        Record(
            case=CaseId("A"), step=1, command="put", fields={"stdout": value("é|\n".encode()), "raw": value(b"\xff")}
        ),
        Record(case=CaseId("A"), step=2, command="get", fields={"stdout": Value(data=b"ab", size=9, sha256="0" * 64)}),
        Record(case=CaseId("A"), step=3, command="get", fields={"stdout": Value(data=b"ab", size=2, overflow=True)}),
    ]
    assert written(TraceHeader(canonical=1, side="baseline", run=0), kept).decode().splitlines() == [
        '{"trace":1,"canonical":1,"side":"baseline","run":0}',
        '{"case":"A","step":1,"command":"put","fields":{"stdout":"é|\\n","raw":{"b64":"/w=="}}}',
        '{"case":"A","step":2,"command":"get","fields":{"stdout":{"head":"ab","size":9,"sha256":"' + "0" * 64 + '",'
        '"overflow":false}}}',
        '{"case":"A","step":3,"command":"get","fields":{"stdout":{"head":"ab","size":2,"sha256":null,"overflow":true}}}',
    ]


def test_a_record_written_by_hand_with_other_spacing_and_order_is_read():
    line = b' {"fields": {"k": "\\u00e9"}, "command": "put", "step": 1, "case": "A"} '
    assert decode_line(line, place="t:2") == Record(
        case=CaseId("A"), step=1, command="put", fields={"k": value("é".encode())}
    )


LINES = {
    b"": "Input data was truncated",
    b"A|1|put|k=v": "JSON is malformed: invalid character (byte 0)",
    b'{"case":"A","step":1,"command":"put","fields":{"k":"v': "Input data was truncated",
    b'{"case":"A","step":1,"command":"put"}': "Object missing required field `fields`",
    b'{"case":"A","step":1,"command":"put","fields":{},"more":1}': "Object contains unknown field `more`",
    b'{"case":"A","step":-1,"command":"put","fields":{}}': "Expected `int` >= 0 - at `$.step`",
    b'{"case":"A","step":true,"command":"put","fields":{}}': "Expected `int`, got `bool` - at `$.step`",
    b'{"case":"A","step":"1","command":"put","fields":{}}': "Expected `int`, got `str` - at `$.step`",
    b'{"case":"","step":1,"command":"put","fields":{}}': "an empty case id or field name",
    b'{"case":"A","step":1,"command":"put","fields":{"":"v"}}': "an empty case id or field name",
    b'{"case":"A","case":"B","step":1,"command":"put","fields":{}}': (
        "line 1, column 13: duplicate key 'case': line 1 has it already"
    ),
    b'{"case":"A","step":1,"command":"put","fields":{"k":"v","k":"w"}}': (
        "line 1, column 56: duplicate key 'k': line 1 has it already"
    ),
    b'{"case":"A","step":1,"command":"put","fields":{"k":{"b64":"x"}}}': "not base64: 'x'",
    b'{"case":"A","step":1,"command":"put","fields":{"k":{"head":"x","size":1}}}': (
        'a value that is neither {"b64": …} nor {"head": …, "size": …, "sha256": …, "overflow": …}'
    ),
    b'{"case":"A","step":1,"command":"put","fields":{"k":{"head":"xy","size":1,"sha256":null,"overflow":true}}}': (
        "a value of 1 bytes whose head has 2"
    ),
    b'{"case":"A","step":1,"command":"put","fields":{"k":{"head":"xy","size":3,"sha256":null,"overflow":true}}}': (
        "a value whose sha256 does not stand exactly where size is more than the head"
    ),
    b'{"case":"A","step":1,"command":"put","fields":{"k":{"head":"xy","size":3,"sha256":"q","overflow":true}}}': (
        "a sha256 that is not 64 hex digits: 'q'"
    ),
    b'{"case":"A","step":1,"command":"put","fields":{"k":{"head":"xy","size":2,"sha256":null,"overflow":false}}}': (
        "a whole value in the form of a cut one"
    ),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_is_no_record_is_refused(line):
    with pytest.raises(TraceError) as caught:
        decode_line(line, place="golden.jsonl:3")
    assert caught.value.what == f"golden.jsonl:3: expected a trace record, got {LINES[line]}"
    assert count_checks(line) is None


def test_a_lone_surrogate_is_refused():
    with pytest.raises(TraceError, match=r"^golden\.jsonl:3: expected a trace record"):
        decode_line(b'{"case":"A","step":1,"command":"put","fields":{"k":"\\ud800"}}', place="golden.jsonl:3")


@pytest.mark.parametrize(
    "record",
    [
        Record(case=CaseId(""), step=1, command="x", fields={}),
        Record(case=CaseId("A"), step=-1, command="x", fields={}),
        Record(case=CaseId("A"), step=1, command="\udc80", fields={}),
        Record(case=CaseId("A"), step=1, command="x", fields={"": value(b"")}),
        Record(case=CaseId("A"), step=1, command="x", fields={"k": Value(data=b"ab", size=1)}),
        Record(case=CaseId("A"), step=1, command="x", fields={"k": Value(data=b"ab", size=3)}),
    ],
)
def test_what_is_no_record_is_not_written(record):
    with pytest.raises(TraceError, match=r"^case '.*' step -?1: expected "):
        encode_record(record)


HEADER_FAULTS = {
    b'{"trace":2}': "expected trace version 1, got 2",
    b'{"trace":"1"}': "expected trace version 1, got '1'",
    b'{"trace":true}': "expected trace version 1, got True",
    b'{"case":"A"}': 'expected a trace header with "trace", got none',
    b'{"trace":1,"colour":"red"}': "expected a trace header, got Object contains unknown field `colour`",
    b'{"trace":1,"run":"first"}': "expected a trace header, got Expected `int | null`, got `str` - at `$.run`",
    b'{"trace":1,"trace":1}': "expected a trace header, got duplicate key 'trace': line 1 has it already",
    b"": "expected a trace header, got the file is empty; expected a JSON value",
}


@pytest.mark.parametrize("line", HEADER_FAULTS)
def test_a_header_that_cannot_be_used_is_refused(tmp_path, line):
    (tmp_path / "t").write_bytes(line)
    with pytest.raises(TraceError) as caught:
        read_trace(tmp_path / "t")
    assert caught.value.what == f"{tmp_path / 't'}:1: {HEADER_FAULTS[line]}"


def test_a_file_that_is_cut_off_in_a_record_is_refused(tmp_path):
    record = Record(case=CaseId("A"), step=1, command="x", fields={"k": value(b"v")})
    (tmp_path / "t").write_bytes(written(TraceHeader(), [record, record])[:-3])
    with pytest.raises(TraceError, match=r"/t:3: expected a trace record, got Input data was truncated$"):
        read_trace(tmp_path / "t")
