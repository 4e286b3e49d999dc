"""Reading a report: only a complete one of our own is a vote."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.diff.noise import Noise
from gate.domain import Value, value
from gate.voting.report import CANARIES, read_run

NOISE = Noise.compile(())
NONCE = "n" * 32


def line(event, **told):
    return {"nonce": NONCE, "pid": 7, "event": event, **told}


def start(seed=1):
    return line("start", python="3.11", pytest="9", hypothesis="6", seed=seed)


def collected(*ids):
    return line("collected", tests=[{"id": each, "settings": {}} for each in ids], plugins=["main"])


def came_out(name, outcome="passed", **changes):
    told = {
        "phase": "call",
        "sort": "failure",
        "type": "E",
        "message": "m",
        "example": "",
        "place": "test_p.py:3",
        "trace": "t",
    }
    failures = [{**told, **changes}] if outcome == "failed" else []
    return line("test", id=name, outcome=outcome, failures=failures, reason="why")


def canaries(outcome="failed"):
    return [line("canary", id=name, outcome=outcome) for name in CANARIES]


def finish(code=1):
    return line("finish", exit=code)


GOOD = [start(), collected("test_a", "test_b"), came_out("test_a"), came_out("test_b"), *canaries(), finish()]


def encoded(lines):
    return b"".join(json.dumps(each).encode() + b"\n" for each in lines)


def read(lines, *, status="0", pinned=("test_a", "test_b"), stderr="", **more):
    data = lines if isinstance(lines, bytes) else encoded(lines)
    fields = {"status": value(status.encode()), "stdout": value(data), "stderr": value(stderr.encode())}
    return read_run(fields, nonce=NONCE, pinned=pinned, seed=1, noise=NOISE, **more)


def test_a_complete_report_is_a_vote():
    run = read(GOOD)
    assert (run.outcome, run.reason, run.failures) == ("pass", "", ())
    assert [test.id for test in run.facts.tests] == ["test_a", "test_b"]


def without(position):
    return [*GOOD[:position], *GOOD[position + 1 :]]


@pytest.mark.parametrize("position", range(len(GOOD)))
def test_a_report_without_any_one_line_is_void(position):
    assert read(without(position)).outcome == "void"


@pytest.mark.parametrize("position", range(len(GOOD)))
def test_a_report_with_any_line_twice_is_void(position):
    """Reported fault 111."""
    assert read([*GOOD[:position], GOOD[position], *GOOD[position:]]).outcome == "void"


@given(st.permutations(range(len(GOOD))))
def test_lines_out_of_order_are_void(order):
    groups = [0, 1, 2, 2, 4, 4, 4, 7]
    in_order = [groups[i] for i in order] == groups
    assert (read([GOOD[i] for i in order]).outcome == "pass") == in_order


@given(st.binary(max_size=40), st.integers(0, 8))
def test_anything_written_between_the_lines_is_void(noise, position):
    pieces = encoded(GOOD).splitlines(keepends=True)
    data = b"".join([*pieces[:position], noise, *pieces[position:]])
    assert read(data).outcome == ("void" if noise else "pass")


@given(st.integers(0, len(encoded(GOOD)) - 1))
def test_a_report_that_breaks_off_is_void(length):
    assert read(encoded(GOOD)[:length]).outcome == "void"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "the run left no report"),
        ([{**GOOD[0], "nonce": "x"}, *GOOD[1:]], "line 1 of the report has another nonce: somebody else wrote it"),
        (
            [*GOOD[:-1], {**GOOD[-1], "pid": 8}],
            "line 8 of the report is another process's: the code under test forked, and went on in it",
        ),
        (GOOD[:-1], "the run ended before its report did: something in the process ended it"),
        ([start(seed=2), *GOOD[1:]], "the run used the seed 2, not 1"),
        ([*GOOD[:-1], finish(0)], "pytest ended with 0, expected 1"),
        (
            [*GOOD[:4], *canaries("passed"), finish()],
            "a test that must fail came out otherwise (TestCase::test_method): something in the process turned a failure into a pass",
        ),
        ([*GOOD[:4], finish()], "of 3 tests that must fail 0 ran: something in the process ended the session"),
        ([*GOOD[:3], *canaries(), finish()], "tests were collected and did not come to their end: test_b"),
        (
            [start(), collected("test_a"), came_out("test_a"), *canaries(), finish()],
            "tests of the property did not run: test_b",
        ),
        (
            [start(), collected("test_a", "test_b", "test_c"), *canaries(), finish()],
            "tests ran that the property file does not define by name: test_c",
        ),
        ([start(), collected("test_a", "test_a", "test_b"), *canaries(), finish()], "two tests have one id: test_a"),
        ([start(), collected(), *canaries(), finish()], "no test was collected"),
        ([*GOOD[:2], came_out("test_a", "skipped"), *GOOD[3:]], "test_a came out skipped, which is no vote: why"),
        ([*GOOD[:2], came_out("test_a", "failed", sort="unfit"), *GOOD[3:]], "test_a could not be tested: E: m"),
        (
            [line("void", reason="cannot vote: pytest is not installed in /p", detail="")],
            "cannot vote: pytest is not installed in /p",
        ),
        ([*GOOD[:-1], line("void", reason="late", detail=""), finish()], "late"),
    ],
)
def test_a_report_that_is_no_vote_says_why(lines, reason):
    run = read(lines)
    assert (run.outcome, run.reason) == ("void", reason)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("1", "the process of the run ended with 1: Boom"),
        ("timeout", "the run took longer than its time limit"),
        ("overflow", "the run printed more than it may"),
        ("signal SIGKILL", "the process of the run ended with signal SIGKILL: Boom"),
        ("cannot start: not found", "the process of the run ended with cannot start: not found: Boom"),
    ],
)
def test_a_process_that_did_not_end_well_is_void_whatever_it_reported(status, reason):
    """Reported fault 112."""
    run = read(GOOD, status=status, stderr="x\nBoom\n")
    assert (run.outcome, run.reason) == ("void", reason)


def test_a_cut_report_is_void():
    data = encoded(GOOD)
    fields = {
        "status": value(b"0"),
        "stdout": Value(data=data, size=len(data) + 9, sha256="0" * 64),
        "stderr": value(b""),
    }
    run = read_run(fields, nonce=NONCE, pinned=("test_a", "test_b"), seed=1, noise=NOISE)
    assert run.outcome == "void"


def test_parameters_and_methods_lie_under_what_is_pinned():
    ids = ("test_a[1]", "test_a[x::y]", "TestM::test_b", "TestM::test_c[0]")
    lines = [start(), collected(*ids), *map(came_out, ids), *canaries(), finish()]
    assert read(lines, pinned=("TestM", "test_a")).outcome == "pass"
    assert read(lines, pinned=("TestM", "test_")).outcome == "void"


def failing(**changes):
    return [*GOOD[:2], came_out("test_a", "failed", **changes), *GOOD[3:]]


def test_a_failing_test_fails_the_run():
    run = read(failing())
    assert run.outcome == "fail"
    assert [(failure.test, failure.exception, failure.message) for failure in run.failures] == [("test_a", "E", "m")]


def test_a_flaky_test_makes_the_run_mixed():
    run = read(failing(sort="flaky"))
    assert (run.outcome, run.reason) == ("mixed", "test_a changed its mind within one run")


def test_noise_is_no_part_of_a_signature_and_everything_else_is():
    def told(**changes):
        return read(failing(**changes)).signature

    assert told(message="<X at 0x7f1234567890>") == told(message="<X at 0x7fabcdef0123>")
    assert told(message="m") == told(trace="other")
    different = [told(), told(message="n"), told(type="F"), told(example="x=1"), told(phase="setup")]
    assert len(set(different)) == len(different)


def test_collecting_alone_needs_no_tests_and_no_canaries():
    lines = [start(), collected("test_a", "test_b"), finish(0)]
    assert read(lines, collect_only=True).outcome == "pass"
    assert read(lines).outcome == "void"
    assert read(GOOD, collect_only=True).outcome == "void"
    assert read([*lines[:2], finish(2)], collect_only=True).outcome == "void"
