"""`diff_files`: what it finds, what it refuses, and what it holds in memory."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.diff import stream, stream_blocks, stream_rows
from gate.diff.findings import Canonical, Change, Comparison, Delta
from gate.diff.noise import CANONICAL_VERSION, Noise
from gate.diff.stream import diff_files
from gate.domain import CaseId
from gate.errors import NothingComparedError, TraceError

NOISE = Noise.compile(())
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def file(name: str, *lines: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines))
        return path

    return file


def compared(golden: Path, patched: Path, *repeats: Path) -> Comparison:
    return diff_files(golden, patched, repeats=repeats, noise=NOISE)


def refused(golden: Path, patched: Path, *repeats: Path) -> str:
    with pytest.raises((TraceError, NothingComparedError)) as caught:
        compared(golden, patched, *repeats)
    assert caught.value.next_step
    return caught.value.what.replace(f"{golden.parent}/", "")


def places(comparison: Comparison) -> list[tuple[str, int, int]]:
    return [(delta.case, delta.step, delta.occurrence) for delta in comparison.deltas]


def literal(text: str) -> Canonical:
    return Canonical(tokens=(text.encode(),) if text else ())


def test_a_delta_names_case_step_command_and_what_changed(write):
    golden = write("g", "A|1|put|status=0|out=x", "A|2|get|status=0|out=1", "B|1|quit|")
    patched = write("p", "A|1|put|status=0|out=x", "A|2|get|status=0|out=2", "B|1|quit|")
    change = Change(field="out", old=literal("1"), new=literal("2"), kind="value")
    assert compared(golden, patched) == Comparison(
        deltas=(Delta(case=CaseId("A"), step=2, command="get", changes=(change,)),),
        unstable=(),
        verified=4,
        cases=2,
        steps=3,
    )


def test_identical_files_agree_in_every_check(write):
    golden = write("g", "A|1|put|status=0|out=x", "B|1|quit|")
    assert compared(golden, golden) == Comparison(deltas=(), unstable=(), verified=3, cases=2, steps=2)


def test_both_formats_are_compared_with_each_other(write):
    golden = write("g", "A|1|put|status=0|out=x")
    patched = write(
        "p", '{"trace":1}', '{"case":"A","step":1,"command":"put","fields":{"status":"0","out":{"b64":"/w=="}}}'
    )
    comparison = compared(golden, patched)
    assert places(comparison) == [("A", 1, 1)]
    assert (comparison.verified, comparison.checks) == (1, 2)


def test_a_step_is_known_by_its_number_and_never_by_its_command_fault_70(write):
    golden = write("g", "A|1|get|out=", "A|2|put|out=5", "A|3|get|out=5", "A|4|get|out=5")
    patched = write("p", "A|1|get|out=", "A|2|put|out=5", "A|3|get|out=5", "A|4|get|out=6")
    assert places(compared(golden, patched)) == [("A", 4, 1)]


def test_a_record_that_comes_twice_is_told_by_its_occurrence_fault_70(write):
    golden = write("g", "A|1|get|out=1", "A|1|get|out=1")
    patched = write("p", "A|1|get|out=1", "A|1|get|out=2", "A|1|get|out=1")
    comparison = compared(golden, patched)
    assert places(comparison) == [("A", 1, 2), ("A", 1, 3)]
    assert (comparison.steps, comparison.checks) == (3, 3)


def test_an_early_end_is_told_once_fault_71(write):
    steps = [f"A|{step}|get|out={step}" for step in range(1, 11)]
    ended = [*steps[:6], "A|7|get|out=7"]
    comparison = compared(write("g", "A|0|app|status=0", *steps), write("p", "A|0|app|status=139", *ended))
    assert places(comparison) == [("A", 0, 1), ("A", 8, 1), ("A", 9, 1), ("A", 10, 1)]
    assert [delta.note for delta in comparison.deltas] == [
        "",
        "missing steps 8-10 (process ended at step 7, exit 139)",
        "",
        "",
    ]


def test_one_inserted_step_is_one_delta_fault_80(write):
    steps = [f"A|{step}|get|out={step}" for step in range(1, 301)]
    comparison = compared(write("g", *steps), write("p", "A|0|hello|out=new", *steps))
    assert (places(comparison), comparison.verified) == ([("A", 0, 1)], 300)


def test_a_case_is_known_by_its_whole_id_fault_75(write):
    golden = write("g", "seq-1|1|get|out=1", "seq-10|1|get|out=1")
    patched = write("p", "seq-1|1|get|out=1", "seq-10|1|get|out=2")
    assert places(compared(golden, patched)) == [("seq-10", 1, 1)]


def test_missing_and_added_cases_are_deltas_in_the_order_of_golden_and_then_of_patched(write):
    golden = write("g", "C|1|x|k=1", "A|1|x|k=1", "B|1|x|k=1", "D|1|x|k=1")
    patched = write("p", "E|1|x|k=1", "B|1|x|k=2", "C|1|x|k=2", "D|1|x|k=1", "0|1|x|k=1")
    comparison = compared(golden, patched)
    assert [(delta.case, delta.changes[0].kind) for delta in comparison.deltas] == [
        ("C", "value"),
        ("A", "step missing"),
        ("B", "value"),
        ("E", "step added"),
        ("0", "step added"),
    ]
    assert (comparison.cases, comparison.verified) == (6, 1)


def test_cases_that_were_recorded_in_turns_are_compared_whole(write):
    golden = write("g", "A|1|x|k=1", "A|2|x|k=2", "B|1|x|k=3", "B|2|x|k=4")
    patched = write("p", "A|1|x|k=1", "B|1|x|k=3", "A|2|x|k=9", "B|2|x|k=4")
    comparison = compared(golden, patched)
    assert (places(comparison), comparison.verified, comparison.cases) == ([("A", 2, 1)], 3, 2)


def test_without_repeats_no_rule_erases_anything_fault_52(write):
    golden = write("g", "A|1|x|out=at 2026-01-02T03:04:05Z")
    patched = write("p", "A|1|x|out=at 2026-01-02T03:04:06Z")
    assert [change.masked_by for delta in compared(golden, patched).deltas for change in delta.changes] == ["timestamp"]


def test_what_varies_between_runs_of_the_baseline_may_be_erased_there_and_on_no_other_case(write):
    golden = write("g", "A|1|x|out=at 2026-01-02T03:04:05Z", "B|1|x|out=at 2026-01-02T03:04:05Z")
    again = write("r", "A|1|x|out=at 2026-01-02T03:04:09Z", "B|1|x|out=at 2026-01-02T03:04:05Z")
    patched = write("p", "A|1|x|out=at 2026-01-02T03:04:05Z", "B|1|x|out=at 2026-01-02T03:04:06Z")
    comparison = compared(golden, patched, again)
    assert ([delta.case for delta in comparison.deltas], comparison.unstable, comparison.verified) == (["B"], (), 1)


def test_a_baseline_that_disagrees_with_itself_abstains(write):
    golden, again = write("g", "A|1|x|out=1", "B|1|x|out=1"), write("r", "A|1|x|out=2", "B|1|x|out=1")
    comparison = compared(golden, golden, again)
    assert [(row.case, row.field, row.side) for row in comparison.unstable] == [("A", "out", "baseline")]
    assert comparison.verified == 1


GOOD = [f"case-{number}|1|x|k={number}" for number in range(50)]


@pytest.mark.parametrize("sides", ["golden", "patched", "both"])
def test_a_line_that_is_no_record_is_refused_with_its_line_even_where_both_sides_agree_fault_73(write, sides):
    spoiled = [*GOOD[:30], "# a comment", *GOOD[30:]]
    golden = write("g", *(GOOD if sides == "patched" else spoiled))
    patched = write("p", *(GOOD if sides == "golden" else spoiled))
    told = "expected four columns `case|step|command|key=value|key=value`, got '# a comment'"
    assert refused(golden, patched) == f"{'p' if sides == 'patched' else 'g'}:31: {told}"


def test_a_line_is_named_also_in_a_file_whose_cases_are_recorded_in_turns(write):
    lines = ["A|1|x|k=1", "B|1|x|k=1", "A|2|x|k=1", "B|2|x|k=1|k=2", "A|3|x|k=1"]
    golden = write("g", *lines)
    assert refused(golden, golden) == "g:4: expected each key once, got 'k' twice"


def test_a_native_line_that_is_no_record_is_refused_with_its_line(write):
    record = '{"case":"A","step":1,"command":"x","fields":{"k":"1"}}'
    golden = write("g", '{"trace":1}', record, record.replace('"k":"1"', '"k":"1","k":"1"'))
    assert refused(golden, golden) == (
        "g:3: expected a trace record, got line 1, column 54: duplicate key 'k': line 1 has it already"
    )


def test_a_file_that_is_cut_off_is_refused(write):
    golden, patched = write("g", *GOOD), write("p", *GOOD)
    patched.write_bytes(patched.read_bytes()[:-1])
    told = "p:50: expected a newline at the end of the last record, got the end of the file"
    assert refused(golden, patched) == told


def test_silence_on_both_sides_is_no_agreement(write):
    golden, patched = write("g", '{"trace":1}'), write("p", '{"trace":1}')
    assert refused(golden, patched).replace(f"{golden.parent}/", "") == "expected records in g or p, got none"


def test_an_empty_file_is_refused_and_an_empty_recording_is_all_missing(write):
    golden = write("g", "A|1|x|k=1")
    assert refused(golden, write("p")) == "p: expected a trace, got an empty file"
    comparison = compared(golden, write("n", '{"trace":1}'))
    assert [change.kind for delta in comparison.deltas for change in delta.changes] == ["step missing"]


def test_a_missing_file_is_refused(write, tmp_path):
    assert refused(write("g", "A|1|x|k=1"), tmp_path / "none") == "none: expected a trace file, got no such file"


@pytest.mark.parametrize("what", ["corpus", "fixtures", "environment"])
def test_recordings_of_different_corpora_are_not_compared(write, what):
    record = '{"case":"A","step":1,"command":"x","fields":{"k":"1"}}'
    golden = write("g", f'{{"trace":1,"{what}":"sha256:1"}}', record)
    patched = write("p", f'{{"trace":1,"{what}":"sha256:2"}}', record)
    assert refused(golden, patched) == f"p:1: expected {what} sha256:1 as in g, got sha256:2"


def test_a_recording_under_another_canonical_form_is_not_compared(write):
    golden = write("g", f'{{"trace":1,"canonical":{CANONICAL_VERSION + 1}}}')
    told = f"g:1: expected canonical form {CANONICAL_VERSION}, got {CANONICAL_VERSION + 1}"
    assert refused(golden, golden) == told


def test_more_deltas_than_can_be_held_are_counted_and_refused(write, monkeypatch):
    monkeypatch.setattr(stream, "MAX_ROWS", 3)
    golden, patched = write("g", *GOOD[:5]), write("p", *(line + "0" for line in GOOD[:5]))
    assert refused(golden, patched) == "expected at most 3 steps that differ or waver, got 5 in 5 steps of 5 cases"
    assert len(compared(write("g", *GOOD[:3]), write("p", *(line + "0" for line in GOOD[:3]))).deltas) == 3


def test_a_stopped_stream_that_agrees_as_far_as_it_was_seen_is_refused(write):
    record = '{"case":"A","step":1,"command":"x","fields":{"k":{"head":"ab","size":2,"sha256":null,"overflow":true}}}'
    golden = write("g", '{"trace":1}', record)
    assert refused(golden, golden) == (
        "case 'A' step 1, k: expected a whole value, got two that were stopped at the limit after 2 equal bytes"
    )


@pytest.mark.slow
def test_a_long_trace_in_reverse_is_compared_without_hanging_fault_69(write, no_hang):
    lines = [f"case-{number}|1|x|out={'x' * 60} {number}|k=1" for number in range(100_000)]
    comparison = compared(write("g", *lines), write("p", *reversed(lines)))
    assert (comparison.deltas, comparison.verified) == ((), 200_000)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["as recorded", "reversed"])
def test_memory_does_not_grow_with_the_length_of_the_traces(write, order, monkeypatch):
    monkeypatch.setattr(stream_blocks, "CHUNK", 1 << 15)
    monkeypatch.setattr(stream_rows, "HELD_BYTES", 1 << 16)
    monkeypatch.setattr(stream_rows, "_BATCH", 1 << 10)

    def peak(count: int) -> int:
        lines = [f"case-{number:06}|1|x|out={'x' * 100} {number}|k=1" for number in range(count)]
        golden = write("g", *lines)
        lines[count // 2] += "0"
        patched = write("p", *(reversed(lines) if order == "reversed" else lines))
        del lines
        tracemalloc.start()
        assert len(compared(golden, patched).deltas) == 1
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(1_000)  # what is made once: patterns, imports
    assert peak(18_000) < 1.2 * peak(6_000)
