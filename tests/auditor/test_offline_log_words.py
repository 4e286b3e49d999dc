"""The tables of what tools say of their failures, and what a line is before it is asked. Each line is a tool's own form of a message."""

from __future__ import annotations

import pytest

from auditor.drafting.checks_lengths import CLAIM
from auditor.drafting.offline_clues import LIGHTER, clues
from auditor.drafting.offline_hypotheses import hypothesise
from auditor.drafting.offline_lines import is_complaint, is_frame, is_progress, told_from
from auditor.drafting.offline_outside import OUTSIDE
from auditor.drafting.offline_shapes import HINT, KIND, NAMED, SHAPES
from auditor.drafting.offline_tools import TOOLS
from auditor.drafting.values import Experiment, Failure, Hypothesis

OFFERED = (
    Experiment(id="x1", kind="baseline build", property="p", words="run property p on the baseline build alone"),
    Experiment(id="x2", kind="property seed", property="p", value="8", words="run property p with Hypothesis seed 8"),
    Experiment(id="x3", kind="more repeats", property="p", value="20", words="run property p 20 times"),
    Experiment(id="x4", kind="locale", property="p", value="C", words="run property p in the locale C"),
)


def first_of(log: str) -> Hypothesis:
    draft = hypothesise(Failure(subject="property p", log=log), OFFERED)
    assert (draft.rejected, draft.missing) == ((), ())
    item = draft.items[0]
    assert isinstance(item, Hypothesis)
    return item


@pytest.mark.parametrize(
    "line",
    [
        "curl: (6) Could not resolve host: mirror.example.org",
        "connect ECONNREFUSED 127.0.0.1:5432",
        "requests.exceptions.ReadTimeout: Read timed out. (read timeout=10)",
        "ssl.SSLCertVerificationError: certificate verify failed: certificate has expired",
        "fatal: unable to access: The requested URL returned error: 503",
        "OSError: [Errno 28] No space left on device",
        "java.lang.OutOfMemoryError: Java heap space",
        "Error: Process completed with exit code 137.",
        "The runner has received a shutdown signal.",
        "bash: ./run.sh: Permission denied",
        "ERROR: No matching distribution found for nosuch==9",
        "npm ERR! code ERESOLVE",
        "error: failed to select a version for `nosuch`.",
        "Could not resolve dependencies for project org.example:a:jar:1",
        "Rule 0: org.apache.maven.plugins.enforcer.DependencyConvergence failed with message:",
        "The lock file is out of date with the manifest",
        "ERROR: failed to solve: process did not complete",
        "pull access denied for nosuch, repository does not exist",
        "sh: 1: jq: command not found",
    ],
)
def test_what_is_outside_of_the_code_is_the_environment_and_the_baseline_tells(line):
    first = first_of(f"a job of the build begins\n{line}\n")
    assert (first.mechanism, first.evidence, first.experiment, first.if_true, first.if_false) == (
        "environment",
        line,
        "x1",
        "the baseline build shows the same",
        "the baseline build does not show it in any run",
    )


@pytest.mark.parametrize(
    ("line", "mechanism"),
    [
        ("src/main.c:12:5: error: unknown type name 'u8'", "logic"),
        ("error[E0308]: mismatched types", "logic"),
        ("src/a.ts(3,5): error TS2322: Type 'string' is not assignable", "logic"),
        ("app/store.py:12: error: Incompatible return value type", "logic"),
        ("cc1: all warnings being treated as errors", "logic"),
        ("FAILED tests/test_a.py::test_b - assert False", "logic"),
        ("org.opentest4j.AssertionFailedError: expected: <1> but was: <2>", "logic"),
        ("--- FAIL: TestParse (0.00s)", "logic"),
        (" > 1 snapshot failed in this run", "oracle"),
        ("sqlite3.IntegrityError: UNIQUE constraint failed: user.name", "state"),
        ("test_b passes when run alone", "state"),
        ("WARNING: DATA RACE", "concurrency"),
        ("java.util.ConcurrentModificationException", "concurrency"),
        ("RuntimeError: dictionary changed size during iteration", "concurrency"),
        ("Timed out waiting for the worker to answer", "concurrency"),
    ],
)
def test_what_compilers_runners_and_databases_say_comes_first(line, mechanism):
    first = first_of(f"a job of the build begins\n{line}\n")
    assert (first.mechanism, first.evidence) == (mechanism, line.strip())


def test_every_row_has_a_source_a_class_and_a_claim_of_its_length():
    for row in (*TOOLS, *OUTSIDE):
        assert row.source
        assert row.weight in {NAMED, KIND, HINT}
        assert CLAIM[0] <= len(row.claim) <= CLAIM[1], row.claim
    assert {row.mechanism for row in OUTSIDE} == {"environment"}


def test_no_row_matches_a_text_without_words():
    assert [row.claim for row in (*SHAPES, *TOOLS, *OUTSIDE) if row.pattern.search("")] == []


def test_a_named_cause_is_ahead_of_the_verdict_of_a_test_that_met_it():
    log = "FAILED tests/test_a.py::test_b - ConnectionError\nE   [Errno 111] Connection refused\n1 failed in 0.10s\n"
    assert first_of(log).mechanism == "environment"


def test_in_the_gates_own_record_the_words_of_other_tools_weigh_less():
    """A program under test prints such words itself, and the other build ran in the same place."""
    line = "stderr was: Connection refused"
    own = clues(f"property p: failed 2 of 2\non the baseline: pass\n{line}\n")
    other = clues(f"a job of the build begins\n{line}\n")
    weights = [next(one.weight for one in found if one.mechanism == "environment") for found in (own, other)]
    assert weights == [NAMED - LIGHTER, NAMED]


def test_the_environment_is_no_third_guess_where_the_other_build_passed_in_the_same_place():
    def three(log: str) -> list[str]:
        draft = hypothesise(Failure(subject="property p", log=log), OFFERED)
        return [item.mechanism for item in draft.items if isinstance(item, Hypothesis)]

    assert three("property p: failed 2 of 2\non the baseline: pass\n") == ["logic", "oracle", "state"]
    assert three("property p: failed 2 of 2\nnothing else is known\n") == ["logic", "environment", "oracle"]


def test_a_general_word_weighs_less_in_a_line_that_complains_of_nothing():
    aside, complains = (
        clues(f"a job of the build begins\n{line}\n")[0] for line in ("a cached value here", "Error: a cached value")
    )
    assert (aside.mechanism, aside.weight) == ("state", 2)
    assert (complains.mechanism, complains.weight) == ("state", 5)


def test_the_lock_file_of_a_package_manager_is_no_lock():
    assert clues("a job of the build begins\nError near yarn.lock here\n") == ()
    assert [one.mechanism for one in clues("a job of the build begins\nError near app.lock here\n")] == ["state"]


@pytest.mark.parametrize(
    ("line", "start"),
    [
        ("2026-03-01T10:20:30.1234567Z Error: it", 29),
        ("[10:20:30] Error: it", 11),
        ("2026/03/01 10:20:30 panic: it", 20),
        ("Error at 10:20:30 it", 0),
        ("10:20:30 ", 0),
        ("", 0),
    ],
)
def test_the_time_at_which_a_line_was_written_is_no_part_of_it(line, start):
    assert told_from(line) == start


def test_a_log_whose_lines_are_stamped_says_nothing_of_time():
    assert clues("2026-03-01T10:20:30Z it begins\n2026-03-01T10:20:31Z it ends\n") == ()


@pytest.mark.parametrize(
    ("line", "frame", "progress", "complaint"),
    [
        ("\tat java.lang.Thread.run(Thread.java:748)", True, False, False),
        ('  File "/app/cache.py", line 3, in put', True, False, False),
        ("[INFO] Running tests of the cache", False, True, False),
        ("npm WARN deprecated thing", False, True, False),
        ("Using cached thing-1.whl", False, True, False),
        ("[ERROR] It is broken", False, False, True),
        ("ValueError: it is broken", False, False, True),
        ("plain words only", False, False, False),
    ],
)
def test_what_a_line_is(line, frame, progress, complaint):
    assert (is_frame(line), is_progress(line, 0), is_complaint(line, 0)) == (frame, progress, complaint)
