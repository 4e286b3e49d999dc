"""From what the gate recorded to groups, failures and experiments."""

from pathlib import Path

import pytest

from auditor.drafting.experiments import asked, experiments
from auditor.drafting.material import Traces, failure, failures, groups
from auditor.drafting.values import Change, Group, Place
from auditor.errors import AuditorError
from gate import api


def change(field="stdout", old=b"a", new=b"b", **more):
    return api.RecordedChange(field=field, kind="value", old=old, new=new, **more)


def delta(case, step, *changes, command="list"):
    return api.RecordedDelta(case=case, step=step, occurrence=1, command=command, changes=changes)


def ballot(name, kind, *failed, source=None, baseline=None):
    return api.RecordedBallot(
        property=name,
        kind=kind,
        outcomes=("fail", "fail"),
        reason="failed 2 of 2",
        seed=1,
        baseline=baseline,
        failures=failed,
        source=source,
    )


def left(*deltas, ballots=(), frozen=()):
    return api.Recorded(
        folder=Path("run"),
        exit_code=api.ExitCode.STOP,
        verdict="stop",
        mode="baseline against candidate",
        digests={},
        policies=(),
        deltas=deltas,
        ballots=ballots,
        frozen=frozen,
    )


def step(case, number, command="list", words="", **fields):
    return api.TraceStep(
        case=case, step=number, occurrence=1, command=command, fields=tuple(fields.items()), words=words
    )


FAILED = api.RecordedFailure(
    test="test_cap",
    exception="builtins.AssertionError",
    message="assert 4 <= 3",
    example="Falsifying example: refusals=3",
    trace="src/push.py:12: in push",
)


def test_equal_changes_of_one_command_are_one_group_with_its_places():
    found = groups(left(delta("A", 2, change()), delta("A", 3, change(new=b"c")), delta("B", 1, change())))
    seen = (Change(field="stdout", kind="value", old="a", new="b"),)
    assert found[0] == Group(
        id="d1", command="list", changes=seen, places=(Place(case="A", step=2), Place(case="B", step=1))
    )
    assert [(group.id, group.changes[0].new) for group in found] == [("d1", "b"), ("d2", "c")]


def test_another_command_is_another_group():
    assert len(groups(left(delta("A", 1, change()), delta("B", 1, change(), command="show")))) == 2


def test_what_is_allowed_is_in_no_group():
    done = change("status", allowed="asked for")
    assert groups(left(delta("A", 1, done))) == ()
    (group,) = groups(left(delta("A", 1, done, change())))
    assert [each.field for each in group.changes] == ["stdout"]


def test_nothing_flagged_is_no_group():
    assert groups(left()) == ()


def test_bytes_that_are_no_utf8_are_escaped_and_stay_apart_from_their_escape():
    found = groups(left(delta("A", 1, change(new=b"\xff")), delta("B", 1, change(new=b"\\xff"))))
    assert [group.changes[0].new for group in found] == ["\\xff", "\\xff"]
    assert len(found) == 2


def test_an_absent_side_is_none_and_a_cut_one_says_so():
    note = "old is cut: 9 bytes in all, sha256:00"
    (group,) = groups(left(delta("A", 1, change(new=None, note=note), change("x", old=None))))
    assert [(each.old, each.new) for each in group.changes] == [(f"a [{note}]", None), (None, "b")]


def test_a_failed_property_tells_message_example_trace_and_source(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "push.py").write_text("")
    run = left(ballots=(ballot("cap", "fail", FAILED, source="def test_cap(): ...\n", baseline="pass"),))
    (found,) = failures(run, Traces(), candidate=tmp_path)
    assert found.subject == "property cap"
    assert found.sources == ("src/push.py",)
    assert found.log == (
        "property cap: failed 2 of 2\n"
        "runs: 2, Hypothesis seed 1\n"
        "on the baseline: pass\n"
        "test test_cap\n"
        "builtins.AssertionError: assert 4 <= 3\n"
        "Falsifying example: refusals=3\n"
        "src/push.py:12: in push\n"
        "the property as it stands:\n"
        "def test_cap(): ..."
    )


def test_a_flagged_group_tells_both_sides_its_neighbours_and_standard_error():
    traces = Traces(
        baseline=(step("A", 1, words="set a 1", status="0"), step("A", 2, stderr="slow\n"), step("A", 4, status="9")),
        candidate=(step("A", 2, stdout="b", stderr="quick\n"), step("B", 2, status="7")),
    )
    (found,) = failures(left(delta("A", 2, change(old=b"x\ny")), delta("C", 5, change(old=b"x\ny"))), traces)
    assert found.subject == "group d1"
    assert found.log == (
        "group d1: command list: first seen in case A step 2\n"
        "the same change in: case C step 5\n"
        "field stdout (value)\n"
        "- x\n"
        "- y\n"
        "+ b\n"
        "baseline: step 1: set a 1\n"
        "  status: 0\n"
        "baseline: step 2: list\n"
        "  stderr: slow\n"
        "candidate: step 2: list\n"
        "  stderr: quick"
    )


def test_only_files_of_the_candidate_are_sources(tmp_path):
    """Reported fault 130: a file that is not there is never named."""
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "real.py").write_text("")
    (tmp_path / "secret.py").write_text("")
    (tree / "link.py").symlink_to(tmp_path / "secret.py")
    told = "at real.py:3, /slot/build/real.py, ../secret.py, link.py, invented.py, 1.5"
    (found,) = failures(left(delta("A", 1, change(new=told.encode()))), Traces(), candidate=tree)
    assert found.sources == ("real.py",)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("waver", "property waver: not a stable failure: it passed and failed on the same inputs, and is frozen"),
        ("asleep", "property asleep: not a stable failure: it passed and failed on the same inputs, and is frozen"),
        ("older", "property older: not a stable failure: it passed and failed on the same inputs, and is frozen"),
        ("broken", "property broken: not a stable failure: it could not vote"),
        ("fine", "property fine: not a failure: it passed in every run"),
        ("none", "'none': expected a property that failed in every run, or a flagged group; got neither"),
        ("\x1b[2J", "'\\x1b[2J': expected a property that failed in every run, or a flagged group; got neither"),
    ],
)
def test_what_is_no_stable_failure_is_refused_with_the_reason(name, why):
    older = api.FrozenProperty(name="older", source=None, since=None, outcomes=(), seeds=(), owner=None, note=None)
    kinds = {"waver": "freeze", "asleep": "frozen", "broken": "void", "fine": "pass", "cap": "fail"}
    run = left(ballots=tuple(ballot(each, kind) for each, kind in kinds.items()), frozen=(older,))
    with pytest.raises(AuditorError) as refused:
        failure(run, Traces(), name)
    assert (refused.value.what, refused.value.next_step) == (why, "Name one of: property cap")


def test_a_failure_is_found_by_its_name_or_its_group():
    run = left(delta("A", 1, change()), ballots=(ballot("cap", "fail", FAILED),))
    assert failure(run, Traces(), "cap").subject == failure(run, Traces(), "property cap").subject == "property cap"
    assert failure(run, Traces(), "d1").subject == failure(run, Traces(), "group d1").subject == "group d1"


def test_the_experiments_of_a_group_leave_out_only_steps_before_it():
    traces = Traces(baseline=(step("A", 0), step("A", 1), step("A", 2), step("A", 3), step("B", 1)))
    run = left(delta("A", 2, change()))
    offered = experiments(run, traces, failure(run, traces, "d1"))
    assert [(each.id, each.words) for each in offered] == [
        ("x1", "replay case A on the baseline build alone"),
        ("x2", "replay case A without step 1"),
        ("x3", "replay case A with hash seed 7"),
        ("x4", "replay case A in the time zone Asia/Tokyo"),
        ("x5", "replay case A in the locale C"),
        ("x6", "replay case A 20 times on each build"),
        ("x7", "replay case A with one worker"),
    ]
    assert {each.kind for each in offered} >= {"baseline build", "without step"}


def test_every_experiment_that_is_offered_is_one_that_the_gate_takes():
    from gate.pipeline.experiments import require_sound

    traces = Traces(baseline=(step("A", 1), step("A", 2)))
    run = left(delta("A", 2, change()), ballots=(ballot("cap", "fail", FAILED),))
    for subject in ("cap", "d1"):
        offered = experiments(run, traces, failure(run, traces, subject))
        assert len(offered) >= 6
        for each in offered:
            require_sound(asked(each))


def test_a_failure_of_another_run_has_no_experiments():
    run = left(delta("A", 2, change()))
    with pytest.raises(AuditorError, match="expected a stable failure of this run"):
        experiments(left(), Traces(), failure(run, Traces(), "d1"))
