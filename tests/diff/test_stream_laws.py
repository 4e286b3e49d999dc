"""Comparing files is comparing their records: whatever the format, the order of lines, and where reads happen to end."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from gate.diff import stream_blocks, stream_lines, stream_rows
from gate.diff.compare import compare_case, merge
from gate.diff.evidence import gather
from gate.diff.findings import Comparison
from gate.diff.noise import Noise
from gate.diff.stream import diff_files
from gate.diff.stream_lines import ExchangeLines, NativeLines
from gate.domain import CaseId, Record, value
from gate.errors import TraceError
from gate.trace.exchange import parse_record, write_record
from gate.trace.native import TraceHeader, write_trace

NOISE = Noise.compile(())
VALUES = (
    b"",
    b"0",
    b"1",
    b"row",
    b"at 2026-01-02T03:04:05Z",
    b"at 2026-01-02T03:04:06Z",
    b"id 6b0e7a52-3a3d-4f5e-9c56-0d5a2f1c7e11",
    b"id 6b0e7a52-3a3d-4f5e-9c56-0d5a2f1c7e12",
    b"two 6b0e7a52-3a3d-4f5e-9c56-0d5a2f1c7e12 6b0e7a52-3a3d-4f5e-9c56-0d5a2f1c7e11",
    "é".encode(),
    b"\xff",
    b"a=b",
)
RECORDS = st.builds(
    Record,
    case=st.sampled_from(["A", "A1", "B", "é", "B"]).map(CaseId),
    step=st.integers(0, 3),
    command=st.sampled_from(["put", "put", "get"]),
    fields=st.dictionaries(st.sampled_from(["status", "out", "note"]), st.sampled_from(VALUES).map(value), max_size=3),
)
TRACES = st.lists(RECORDS, max_size=12)


@st.composite
def runs(draw: st.DrawFn) -> list[list[Record]]:
    """A trace and others that are edits of it."""
    first = draw(TRACES.map(lambda kept: sorted(kept, key=lambda record: (record.case, record.step))) | TRACES)
    return [first, *(_edited(draw, first) for _ in range(draw(st.integers(1, 3))))]


def _edited(draw: st.DrawFn, kept: list[Record]) -> list[Record]:
    edited = list(kept)
    for _ in range(draw(st.integers(0, 3))):
        position = draw(st.integers(0, len(edited)))
        match draw(st.sampled_from(["change", "change", "insert", "remove", "move"])):
            case "insert":
                edited.insert(position, draw(RECORDS))
            case "remove":
                del edited[position : position + 1]
            case "move" if edited:
                edited.insert(position, edited.pop(draw(st.integers(0, len(edited) - 1))))
            case "change" if position < len(edited):
                fields = dict(edited[position].fields) | {"out": value(draw(st.sampled_from(VALUES)))}
                edited[position] = replace(edited[position], fields=fields)
    return draw(st.permutations(edited)) if draw(st.integers(0, 4)) == 0 else edited


def expected(traces: Sequence[Sequence[Record]]) -> Comparison:
    cases = dict.fromkeys(record.case for trace in traces for record in trace)
    sides = [[[record for record in trace if record.case == case] for trace in traces] for case in cases]
    evidence = gather([[golden, *repeats] for golden, _, *repeats in sides], NOISE)
    return merge(compare_case([side[0], *side[2:]], [side[1]], NOISE, evidence) for side in sides)


def as_file(path: Path, records: Sequence[Record], *, native: bool) -> Path:
    with path.open("wb") as stream:
        if native:
            write_trace(stream, TraceHeader(), records)
        else:
            stream.writelines(map(write_record, records))
    return path


def found(traces: Sequence[Sequence[Record]], natives: Sequence[bool]) -> Comparison:
    with TemporaryDirectory() as folder:
        paths = [
            as_file(Path(folder, str(number)), trace, native=native)
            for number, (trace, native) in enumerate(zip(traces, natives, strict=True))
        ]
        return diff_files(paths[0], paths[1], repeats=paths[2:], noise=NOISE)


def without_substitutions(comparison: Comparison) -> Comparison:
    return replace(comparison, substitutions=())


@contextmanager
def reading(how: str) -> Iterator[None]:
    """The same comparison with reads that end in the middle of everything, or without the way that relies on order."""
    with pytest.MonkeyPatch.context() as patched:
        for name, size in {"CHUNK": 40, "_LOW": 10, "_STRIDE": 8}.items() if how != "large reads" else ():
            patched.setattr(stream_blocks, name, size)
        if how == "everything scattered":
            patched.setattr(stream_rows, "HELD_BYTES", 0)
            patched.setattr(stream_rows, "_BATCH", 2)
        yield


every_way = pytest.mark.parametrize("how", ["large reads", "small reads", "everything scattered"])


def tiny(*cases: str, out: bytes = b"0") -> list[Record]:
    """One record a letter, all of step 1."""
    return [Record(case=CaseId(case), step=1, command="put", fields={"out": value(out)}) for case in cases]


@every_way
@settings(max_examples=150)
@given(runs(), st.lists(st.booleans(), min_size=4, max_size=4))
@example([tiny("A"), tiny("A", "A")], [False] * 4)
@example([tiny("A"), tiny("B", "A")], [True, False, False, False])
@example([tiny("A", "A"), tiny("A") + tiny("A", out=b"1")], [False] * 4)
@example([tiny("A", "B") + tiny("A", out=b"1"), tiny("C", "D", "E", "A", "B")], [False] * 4)
@example([tiny("A", "B", "C", "D", "E"), tiny("B", "C", "D", "E", "A")], [True] * 4)
def test_comparing_files_is_comparing_their_records(how, traces, natives):
    assume(all(traces))
    with reading(how):
        result = found(traces, natives[: len(traces)])
    assert without_substitutions(result) == without_substitutions(expected(traces))


@every_way
@settings(max_examples=100)
@given(TRACES.filter(bool), st.booleans())
def test_a_trace_never_differs_from_itself(how, trace, native):
    with reading(how):
        comparison = found([trace, trace], [native, native])
    assert (comparison.deltas, comparison.unstable) == ((), ())
    assert comparison.verified == sum(len(record.fields) or 1 for record in trace)
    assert comparison.steps == len(trace)
    assert comparison.cases == len({record.case for record in trace})


@settings(max_examples=100)
@given(runs(), st.booleans(), st.randoms(use_true_random=False))
def test_the_order_in_which_cases_are_recorded_changes_no_finding(traces, native, random):
    golden, patched = traces[:2]
    assume(golden and patched)
    cases = list(dict.fromkeys(record.case for record in patched))
    random.shuffle(cases)
    shuffled = [record for case in cases for record in patched if record.case == case]
    one, other = found([golden, patched], [native] * 2), found([golden, shuffled], [native] * 2)
    assert sorted(one.deltas, key=repr) == sorted(other.deltas, key=repr)
    assert (one.verified, one.cases, one.steps) == (other.verified, other.cases, other.steps)


LINES = st.one_of(
    st.text(alphabet="A1|=k\r\n\0é", max_size=14).map(str.encode),
    st.binary(max_size=8),
    st.builds(
        lambda columns, fields: b"|".join([*columns, *fields]),
        st.tuples(st.sampled_from([b"A", b"", b"\xff"]), st.sampled_from([b"1", b"x", b"0" * 19]), st.just(b"c")),
        st.lists(st.sampled_from([b"k=v", b"j=k=v", b"k=", b"=v", b"v", b"", b"\xff=1", b"k=\xff", b"l=\r", b"kk=1"])),
    ),
)


@pytest.mark.parametrize("shapes", [64, 1])
@settings(max_examples=400)
@given(st.lists(LINES, min_size=1, max_size=3))
@example([b"A|1|c|k=1|kk=2"])
@example([b"A|1|c|kk=1|k=2|k=3"])
@example([b"A|1|c|k=1", b"A|2|c|k=1"])
@example([b"A|1|c|"])
@example([b"A|1|c|k=1", b"A|2|c|k=\r"])
@example([b"A|1|c|k=1", b"A|2|c|k=\r1"])
@example([b"A|1|c|k=\xff", b"\xff|2|c|k=1"])
def test_many_exchange_lines_are_vouched_for_just_where_each_is_a_record(shapes, lines):
    data = b"".join(line + b"\n" for line in lines)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(stream_lines, "MAX_SHAPES", shapes)
        count = ExchangeLines().count(data)
    try:
        records = [parse_record(line, place="") for line in data.split(b"\n")[:-1]]
    except TraceError:
        assert count is None
        return
    checks = sum(len(record.fields) or 1 for record in records)
    cases = [record.case for record in records]
    assert count == checks
    assert [ExchangeLines().step(line) for line in data.split(b"\n")[:-1]] == [record.step for record in records]
    assert ExchangeLines().keys(data) == [
        case.encode() for index, case in enumerate(cases) if index == 0 or case != cases[index - 1]
    ]


NATIVE_CASES = st.sampled_from(['a"b', "a\\", "é", "A", "\n", "A"]).map(CaseId)


@given(st.lists(st.builds(replace, RECORDS, case=NATIVE_CASES), max_size=6), st.booleans())
def test_case_ids_that_json_escapes_are_kept_apart_and_together(records, spaced):
    with TemporaryDirectory() as folder:
        path = as_file(Path(folder, "t"), records, native=True)
        data = path.read_bytes().split(b"\n", 1)[1]
    if spaced:
        data = data.replace(b'{"case":', b'{"case": ')
    lines, keys, at = NativeLines(), [], 0
    while at < len(data):
        key, at = lines.block(data, at)
        keys.append(json.loads(b'"' + key + b'"'))
    cases = [record.case for record in records]
    assert keys == [case for index, case in enumerate(cases) if index == 0 or case != cases[index - 1]]
