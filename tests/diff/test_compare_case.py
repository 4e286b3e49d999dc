import pytest
from diff_cases import BUILT_IN, changed, compare, held, listed, literal, record, rules, run, wavering

from gate.diff.compare import compare_case, compare_cases, merge
from gate.diff.evidence import NO_EVIDENCE
from gate.diff.findings import Change, Comparison, Delta, Unstable
from gate.diff.rules import NoiseRule
from gate.domain import CaseId, Record, Value
from gate.errors import NothingComparedError, TraceError

HEAD = b"x" * 1000


def cut(tail_digest: str, *, size: int = 2000) -> Value:
    return Value(data=HEAD, size=size, sha256=tail_digest * 64)


def stopped(digest: str = "a", *, size: int = 5000) -> Value:
    return Value(data=HEAD, size=size, sha256=digest * 64, overflow=True)


def test_equal_sides_are_verified_field_by_field():
    steps = run({"status": "0", "stdout": "hi\n"}, {"status": "0"})
    assert compare([steps, steps], [steps, steps]) == Comparison(deltas=(), unstable=(), verified=3, cases=1, steps=2)


def test_a_changed_field_is_one_delta_of_its_step():
    old, new = run({"status": "0", "stdout": "1 2"}, "b"), run({"status": "0", "stdout": "1 3"}, "b")
    assert compare([old], [new]) == Comparison(
        deltas=(
            Delta(
                case=CaseId("a"),
                step=1,
                command="run",
                changes=(Change(field="stdout", old=literal(b"1 2"), new=literal(b"1 3"), kind="value"),),
            ),
        ),
        unstable=(),
        verified=2,
        cases=1,
        steps=2,
    )


def test_different_invalid_bytes_differ():
    """Fault 11."""
    assert changed(compare([run(b"\xff")], [run(b"\xfe")])) == [(1, "stdout", b"\xff", b"\xfe")]


def test_other_line_endings_are_one_delta():
    """Fault 12."""
    found = compare([run(b"a\r\nb\r\n")], [run(b"a\nb\n")])
    assert [change.kind for delta in found.deltas for change in delta.changes] == ["line endings"]


def test_a_change_after_the_cut_is_a_delta():
    """Fault 8."""
    found = compare([run({"stdout": cut("a")})] * 2, [run({"stdout": cut("b")})] * 2)
    assert [(delta.step, len(delta.changes)) for delta in found.deltas] == [(1, 1)]
    assert compare([run({"stdout": cut("a")})], [run({"stdout": cut("a", size=2001)})]).deltas != ()
    assert compare([run({"stdout": cut("a")})], [run({"stdout": HEAD})]).deltas != ()


def test_equal_cut_values_are_verified():
    assert compare([run({"stdout": cut("a")})], [run({"stdout": cut("a"), "stderr": ""})]).verified == 1


@pytest.mark.parametrize("other", ["", "!"])
def test_two_stopped_streams_that_agree_so_far_are_no_verdict(other):
    """Fault 8: never PASS. With and without another difference in the case."""
    old, new = run({"stdout": stopped()}, "same"), run({"stdout": stopped()}, f"same{other}")
    with pytest.raises(TraceError) as error:
        compare([old, old], [new, new])
    assert error.value.diagnostics() == (
        "case 'a' step 1, stdout: expected a whole value, got two that were stopped at the limit after 5000 equal bytes\n"
        "Raise `replay.limit_bytes`, or take the step out of the corpus: what came after the limit was never seen."
    )


def test_streams_stopped_at_other_sizes_after_the_same_head_are_no_verdict():
    """Fault 8."""
    with pytest.raises(TraceError):
        compare([run({"stdout": stopped("a")})], [run({"stdout": stopped("b", size=5001)})])


def test_a_stream_that_is_stopped_on_one_side_alone_is_a_delta():
    """Fault 8."""
    whole = Value(data=HEAD, size=5000, sha256="a" * 64)
    assert len(compare([run({"stdout": whole})], [run({"stdout": stopped()})]).deltas) == 1


def test_stopped_streams_that_differ_before_the_limit_are_a_delta():
    """Fault 8."""
    assert len(compare([run({"stdout": stopped("a")})], [run({"stdout": stopped("b")})]).deltas) == 1


def test_an_output_that_follows_the_hash_seed_is_unstable():
    """Fault 28."""
    old = [run({"status": "0", "stdout": "{'a', 'b'}"}), run({"status": "0", "stdout": "{'b', 'a'}"})]
    new = [run({"status": "0", "stdout": "{'a', 'b'}"})]
    values = (literal(b"{'a', 'b'}"), literal(b"{'b', 'a'}"))
    assert compare(old, new) == Comparison(
        deltas=(),
        unstable=(
            Unstable(
                case=CaseId("a"),
                step=1,
                command="run",
                field="stdout",
                side="baseline",
                baseline=values,
                candidate=values[:1],
            ),
        ),
        verified=1,
        cases=1,
        steps=1,
    )


def test_a_candidate_that_wavers_where_the_baseline_never_did_became_unstable():
    found = compare([run("a"), run("a")], [run("a"), run("b")])
    assert (found.deltas, wavering(found)) == ((), [(1, "stdout", "candidate")])


def test_a_noisy_stderr_does_not_mute_the_status():
    old = [run({"status": "0", "stderr": "x"}), run({"status": "0", "stderr": "y"})]
    found = compare(old, [run({"status": "1", "stderr": "z"})])
    assert (changed(found), wavering(found)) == ([(1, "status", b"0", b"1")], [(1, "stderr", "baseline")])


def test_how_the_step_ended_comes_first():
    """Fault 78."""
    names = ("stdout", "stderr", "files", "files:b", "files:a", "rows", "status", "leftovers")
    found = compare([run(dict.fromkeys(names, "[x] 0"))], [run(dict.fromkeys(names, "[info] [x] 0"))])
    assert [field for _, field, _, _ in changed(found)] == [
        *("status", "stdout", "stderr", "leftovers", "rows", "files", "files:a", "files:b")
    ]


def test_repeated_commands_are_told_apart_by_their_step():
    """Fault 70."""
    old = [record(1, "get", out="1"), record(2, "put", out=""), record(3, "get", out="5"), record(4, "get", out="5")]
    new = [*old[:3], record(4, "get", out="1")]
    assert changed(compare([old], [new])) == [(4, "out", b"5", b"1")]


def test_an_inserted_step_is_one_delta_and_the_rest_is_unchanged():
    """Fault 80: alignment is by step number."""
    steps = [record(number, out=str(number)) for number in range(1, 301)]
    found = compare([steps], [[record(0, out="new"), *steps]])
    assert (changed(found), found.verified, found.steps) == ([(0, "out", None, b"new")], 300, 301)


def test_steps_that_are_missing_are_told_in_one_sentence():
    """Fault 71."""
    old = run(*({"status": "0", "stdout": "x"} for _ in range(10)))
    new = [*old[:6], listed(7, {"status": "139", "stdout": "x"})]
    found = compare([old], [new])
    assert [(delta.step, delta.note, [change.kind for change in delta.changes]) for delta in found.deltas] == [
        (7, "", ["exit code"]),
        (8, "missing steps 8-10 (process ended at step 7, exit 139)", ["step missing"] * 2),
        (9, "", ["step missing"] * 2),
        (10, "", ["step missing"] * 2),
    ]


def test_the_process_of_a_whole_case_tells_how_it_ended():
    """Fault 71: where one process runs the whole case, step 0 is the process."""
    old = [record(0, status="0"), record(1, out="a"), record(2, out="b")]
    new = [record(0, status="signal SIGSEGV"), record(1, out="a")]
    notes = [delta.note for delta in compare([old], [new]).deltas]
    assert notes == ["", "missing step 2 (process ended at step 1, signal SIGSEGV)"]


def test_a_process_that_runs_no_step_says_so():
    old, new = [record(0, status="0"), record(1, out="a")], [record(0, status="1")]
    assert compare([old], [new]).deltas[1].note == "missing step 1 (process ended before step 1, exit 1)"


def test_a_step_missing_in_the_middle_is_no_early_end():
    steps = run("a", "b", "c")
    assert [delta.note for delta in compare([steps], [[steps[0], steps[2]]]).deltas] == ["missing step 2"]


def test_added_steps_are_deltas():
    steps = run("a", "b", "c", "d", "e")
    found = compare([[steps[0]]], [[*steps[:3], steps[4]]])
    assert [(delta.step, delta.note, delta.changes[0].kind) for delta in found.deltas] == [
        (2, "added steps 2-3, 5", "step added"),
        (3, "", "step added"),
        (5, "", "step added"),
    ]


def test_a_repeated_record_is_an_occurrence_of_its_own():
    steps = run("a", "b")
    found = compare([steps], [[*steps, steps[1]]])
    assert [(delta.step, delta.occurrence, delta.note) for delta in found.deltas] == [
        (2, 2, "added record 2 of step 2")
    ]
    assert found.steps == 3


def test_a_case_that_only_one_side_has_is_all_missing():
    steps = run("a", {})
    found = compare([steps, steps], [[], []])
    assert [(delta.step, delta.changes[0].field, delta.note) for delta in found.deltas] == [
        (1, "stdout", "missing steps 1-2"),
        (2, "command", ""),
    ]


def test_a_step_that_only_some_runs_have_is_unstable():
    assert wavering(compare([run("a", "b"), run("a")], [run("a")])) == [(2, "stdout", "baseline")]


def test_another_command_word_at_a_step_is_a_delta():
    found = compare([[record(1, "get", out="x")]], [[record(1, "put", out="x")]])
    assert (changed(found), found.verified, found.deltas[0].command) == ([(1, "command", b"get", b"put")], 1, "get")


def test_records_in_another_order_are_a_delta():
    steps = run("a", "b", "c")
    found = compare([steps], [[steps[0], steps[2], steps[1]]])
    assert (changed(found), found.verified) == ([(2, "position", b"2", b"3"), (3, "position", b"3", b"2")], 3)


def test_a_record_without_fields_is_one_check():
    assert compare([run({})], [run({})]).verified == 1
    assert compare([run({})], [run({"a": "1"})]).checks == 2


def test_a_payload_field_named_command_is_not_the_command_word():
    old, new = [record(1, "get", command="x")], [record(1, "put", command="y")]
    assert changed(compare([old], [new])) == [(1, "command", b"get", b"put"), (1, "command", b"x", b"y")]


def test_a_missing_field_and_an_empty_field_differ():
    found = compare([run({"status": "0", "stderr": ""})], [run({"status": "0"})])
    assert changed(found) == [(1, "stderr", b"", None)]
    assert found.deltas[0].changes[0].kind == "field missing"


def test_random_file_names_are_unstable_and_not_deltas():
    def side(name):
        return run(
            {
                "status": "0",
                "files": f"created file 644 {name}\ncreated file 644 log",
                f"files:{name}": "x",
                "files:log": "l",
            }
        )

    found = compare([side("r1"), side("r2")], [side("r3")])
    assert (found.deltas, found.verified) == ((), 2)
    assert wavering(found) == [
        (1, "files", "baseline"),
        (1, "files:r1", "baseline"),
        (1, "files:r2", "baseline"),
        (1, "files:r3", "baseline"),
    ]


def test_a_file_that_every_run_has_still_votes_beside_random_names():
    def side(name, log):
        return run({"files": f"created file 644 {name}", "files:log": log})

    assert changed(compare([side("r1", "a"), side("r2", "a")], [side("r3", "b")])) == [(1, "files:log", b"a", b"b")]


def test_a_file_that_the_candidate_no_longer_writes_is_a_delta_beside_random_names():
    old = [run({"files": f"created file 644 {name}", "files:log": "a"}) for name in ("r1", "r2")]
    assert changed(compare(old, [run({"files": "created file 644 r3"})])) == [(1, "files:log", b"a", None)]


def test_bytes_that_all_runs_print_agree_whatever_ids_came_before():
    """Step 1 prints another id, step 2 the same one as ever: one delta, not two."""
    one, two = "550e8400-e29b-41d4-a716-446655440000", "123e4567-e89b-12d3-a456-426614174000"
    old, new = run({"stdout": one}, {"stdout": one}), run({"stdout": two}, {"stdout": one})
    assert changed(compare([old, old], [new, new])) == [(1, "stdout", one.encode(), two.encode())]


def test_a_new_file_of_the_candidate_is_a_delta_where_the_listing_is_stable():
    old, new = run({"files": ""}), run({"files": "created file 644 x", "files:x": "1"})
    found = compare([old, old], [new, new])
    assert [(change.field, change.kind) for change in found.deltas[0].changes] == [
        ("files", "file effect"),
        ("files:x", "file effect"),
    ]


def test_files_with_random_names_meet_under_a_rule():
    noise = rules(NoiseRule(name="job", pattern=r"job-[0-9]+"))

    def side(name, content):
        return run({"files": f"created file 644 {name}.txt", f"files:{name}.txt": content})

    old = [side("job-1", "id 7 in job-1"), side("job-22", "id 7 in job-22")]
    found = compare(old, [side("job-333", "id 8 in job-333")], noise)
    assert (changed(found), found.unstable) == (
        [(1, "files:job-<job>.txt".replace("job-<", "<"), b"id 7 in <job>", b"id 8 in <job>")],
        (),
    )


def test_a_random_looking_name_that_never_varied_is_a_masked_delta_of_the_listing():
    noise = rules(NoiseRule(name="job", pattern=r"job-[0-9]+"))
    old, new = (run({"files": f"created file 644 {name}", f"files:{name}": "x"}) for name in ("job-1", "job-2"))
    found = compare([old, old], [new, new], noise)
    assert changed(found) == [(1, "files", b"created file 644 job-1", b"created file 644 job-2")]


def test_two_files_of_one_canonical_name_stay_two_checks():
    noise = rules(NoiseRule(name="job", pattern=r"job-[0-9]+"))
    old = run({"files:job-1": "a", "files:job-2": "b"})
    assert changed(compare([old], [run({"files:job-1": "a"})], noise)) == [(1, "files:<job>#2", b"b", None)]


def test_no_tolerance_for_the_last_digit():
    """Faults 65 and 66."""
    old = run({"a": "435.64026096753474", "b": "10.00"})
    assert len(changed(compare([old], [run({"a": "435.6402609675347", "b": "10.09"})]))) == 2


def test_a_regular_expression_and_a_path_differ():
    """Fault 62."""
    assert changed(compare([run("use \\d+")], [run("use /d+")])) == [(1, "stdout", b"use \\d+", b"use /d+")]


def test_both_sides_need_a_run():
    for old, new in (([], [run("a")]), ([run("a")], [])):
        with pytest.raises(ValueError, match="at least one run of each side"):
            compare(old, new)


def test_records_of_two_cases_are_no_case():
    other = Record(case=CaseId("b"), step=1, command="run", fields={"stdout": held("a")})
    with pytest.raises(ValueError, match="records of one case"):
        compare([run("a")], [[other]])


def test_nothing_observed_anywhere_is_no_agreement():
    with pytest.raises(NothingComparedError) as error:
        compare_cases([([[]], [[]])], BUILT_IN, NO_EVIDENCE)
    assert error.value.diagnostics() == (
        "expected at least one check, got none in 1 cases\n"
        "Look at the corpus and at the traces: neither side recorded a step."
    )
    with pytest.raises(NothingComparedError):
        compare_cases([], BUILT_IN, NO_EVIDENCE)


def test_comparisons_add_up():
    one = compare([run("took 1ms"), run("took 2ms")], [run("took 3ms")])
    two = compare([run("a")], [run("b")])
    three = compare([run("a 1ms"), run("b")], [run("b")])
    assert merge([one, two, three]) == Comparison(
        deltas=two.deltas,
        unstable=three.unstable,
        verified=1,
        cases=3,
        steps=3,
        substitutions=(("duration", 4),),
    )
    assert merge([]) == Comparison(deltas=(), unstable=(), verified=0, cases=0, steps=0)


def test_several_cases_compare_as_each_alone():
    cases = [([run("a")], [run("b")]), ([run("x")], [run("x")])]
    parts = [compare_case(old, new, BUILT_IN, NO_EVIDENCE) for old, new in cases]
    assert compare_cases(cases, BUILT_IN, NO_EVIDENCE) == merge(parts)


@pytest.mark.slow
def test_ten_thousand_equal_records_are_compared_without_reading_them():
    def side():
        return [record(n, "run", status="0", stdout=f"row {n} took 12ms", stderr="") for n in range(10_000)]

    assert compare([side(), side()], [side(), side()]).verified == 30_000
