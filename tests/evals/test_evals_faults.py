"""The table of seeded faults, what was recorded of them, and how hypotheses of them are scored."""

import re
from collections import defaultdict
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from auditor.drafting.foretold import MOVED_BY, moves, outcomes
from auditor.drafting.values import Experiment, Failure, Mechanism
from evals import fault_scores
from evals.drafters import DRAFTERS, OFFLINE_DRAFTER, Cause, Drafter
from evals.errors import EvalsError
from evals.fault_samples import FaultSample, samples_of
from evals.faults import recorder
from evals.faults.programs import PROGRAMS, candidate, source_digest
from evals.faults.project import PROPERTY
from evals.faults.recorded import RECORDED, Recorded, read_recorded, render
from evals.faults.table import FAULTS, fault_digest, faults_named
from evals.faults.values import Kind, Seen
from evals.foretold import borne_out
from evals.run import run, tasks_named
from evals.values import CauseQuestion, CauseSample

MOVING = re.compile("vanishes|does not show it|do not show it|finds another input")
"""How the offline drafter writes of a failure that goes away or becomes another."""
LINES = {one.fault: one for one in read_recorded(RECORDED)[0]}


def is_here(fault):
    """Whether the program stands here in the version that was recorded."""
    return LINES[fault.id].source == source_digest(fault.program)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_one_change_of_one_file(fault):
    if not is_here(fault):
        pytest.skip(f"{fault.program} stands here in another version than was recorded")
    before, after = PROGRAMS[fault.program].files(), candidate(fault)
    assert {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} == {fault.file}
    compile(after[fault.file], fault.file, "exec")


def test_the_demo_always_stands_here_as_recorded():
    assert all(is_here(fault) for fault in FAULTS.values() if fault.program == "kv")


def test_a_program_of_another_version_is_named():
    other = msgspec.structs.replace(FAULTS["kv-01"], old="nowhere")
    with pytest.raises(EvalsError, match=r"kv-01: expected its old text once in store\.py, got it 0 times"):
        candidate(other)


def test_what_is_right_is_a_mechanism_of_the_drafting_layer():
    assert {one for fault in FAULTS.values() for one in fault.right} <= set(get_args(Mechanism))
    assert all(fault.right for fault in FAULTS.values())


def test_every_kind_is_there_in_each_program_that_can_have_it():
    found = defaultdict(set)
    for fault in FAULTS.values():
        found[fault.kind].add(fault.program)
    everywhere = {"kv", "tarfile", "calendar", "markdown"}
    assert found == {
        "ordering": everywhere,
        "off-by-one cap": everywhere,
        "swallowed error": everywhere,
        "encoding": everywhere,
        "time zone": {"tarfile"},
        "default changed": everywhere,
        "exit code": everywhere,
        "retry": {"kv"},
    }
    assert set(found) == set(get_args(Kind))


def test_a_property_that_fails_has_its_file():
    for fault in FAULTS.values():
        if fault.subject.startswith(PROPERTY):
            assert f"test_{fault.subject.removeprefix(PROPERTY)}.py" in PROGRAMS[fault.program].properties


def test_each_fault_was_recorded_once_as_the_table_has_it():
    assert list(LINES) == list(FAULTS)
    assert {name: one.digest for name, one in LINES.items()} == {
        name: fault_digest(fault) for name, fault in FAULTS.items()
    }
    assert {name: one.failure.subject for name, one in LINES.items()} == {
        name: fault.subject for name, fault in FAULTS.items()
    }


def test_the_recording_is_as_its_lines_are_written_and_small():
    data = RECORDED.read_bytes()
    assert b"".join(map(render, LINES.values())) == data
    assert len(data) < 300_000
    for word in (b"/root", b"/home", b"/tmp", b"site-packages"):
        assert word not in data


def test_every_recorded_failure_is_steady():
    for one in LINES.values():
        kinds = {experiment.id: experiment.kind for experiment in one.experiments}
        assert [seen.outcome for seen in one.seen if kinds[seen.experiment] == "more repeats"] == ["persists"]
        assert [seen.outcome for seen in one.seen if kinds[seen.experiment] == "baseline build"] == ["not shown"]


@pytest.mark.slow
@pytest.mark.usefixtures("no_hang")
@pytest.mark.parametrize("name", ["kv-08", "markdown-11"])
def test_recording_again_gives_the_same_line(name):
    if not recorder.is_current(FAULTS[name], LINES[name]):
        pytest.skip("recorded with another version of Python or of the program")
    assert render(recorder.record(FAULTS[name])) == render(LINES[name])


@pytest.mark.slow
@pytest.mark.usefixtures("no_hang")
def test_a_change_that_nothing_shows_is_refused():
    idle = msgspec.structs.replace(FAULTS["kv-08"], old="A fact as one word", new="A fact as a word")
    with pytest.raises(EvalsError, match="kv-08: expected a failure that is always the same: its run ended in 0"):
        recorder.record(idle)


def test_what_was_recorded_is_not_recorded_again(tmp_path, monkeypatch):
    asked = []

    def record(fault):
        asked.append(fault.id)
        if fault.id == "kv-05":
            raise KeyboardInterrupt
        return line(fault)

    monkeypatch.setattr(recorder, "record", record)
    path, faults = tmp_path / "there" / "x.jsonl", faults_named(["kv-05", "kv-02", "kv-01"])
    told = []
    with pytest.raises(KeyboardInterrupt):
        recorder.record_all(faults, path, lambda total: lambda: told.append(total), lambda _: None)
    assert (asked, told) == (["kv-01", "kv-02", "kv-05"], [3, 3])
    assert [one.fault for one in read_recorded(path)[0]] == ["kv-01", "kv-02"]
    asked.clear()
    with pytest.raises(KeyboardInterrupt):
        recorder.record_all(faults, path, lambda _: lambda: None, lambda _: None)
    assert asked == ["kv-05"]


def test_what_was_recorded_of_another_version_is_recorded_again(monkeypatch):
    fault = FAULTS["kv-01"]
    current = line(fault)
    assert recorder.is_current(fault, current)
    for other in ({"python": "2.7"}, {"source": "other"}, {"digest": "other"}):
        assert not recorder.is_current(fault, msgspec.structs.replace(current, **other))


def test_what_names_a_place_of_this_machine_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", "/home/somebody")
    with pytest.raises(EvalsError, match="kv-01: expected nothing of this machine in its recording, got '/home/some"):
        recorder._require_portable(FAULTS["kv-01"], "File /home/somebody/x.py")


def test_an_unknown_fault_is_named():
    with pytest.raises(EvalsError, match="fault 'nonsuch': expected one of kv-01, "):
        faults_named(["nonsuch"])


ALONE = Experiment(id="x1", kind="baseline build", case="A", words="replay case A on the baseline build alone")
HASH = Experiment(id="x2", kind="hash seed", case="A", value="7", words="replay case A with hash seed 7")
ZONE = Experiment(id="x3", kind="time zone", case="A", value="Asia/Tokyo", words="replay case A in the time zone")


def line(fault, *, source=None):
    return Recorded(
        fault=fault.id,
        digest=fault_digest(fault),
        python=recorder.python_version(),
        source=source or source_digest(fault.program),
        failure=Failure(subject=fault.subject, log="+ c,b,a"),
        experiments=(HASH,),
        seen=(Seen(experiment="x2", outcome="changes", follows="It has a part in it."),),
    )


GOOD = render(line(FAULTS["kv-01"]))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "x.jsonl: expected recorded faults, got none"),
        (GOOD + GOOD, "x.jsonl: expected each fault once, got one twice"),
        (GOOD + b"\n", "x.jsonl:2: expected a recorded fault, got Input data was truncated"),
        (b"\xff\n", "x.jsonl:1: expected a recorded fault, got "),
        (GOOD.replace(b'"changes"', b'"moon"'), "x.jsonl:1: expected a recorded fault, got Invalid enum value 'moon'"),
        (GOOD.replace(b'"python"', b'"snake"'), "x.jsonl:1: expected a recorded fault, got Object contains unk"),
        (
            GOOD.replace(b'[{"experiment":"x2"', b'[{"experiment":"x9"'),
            "x.jsonl:1: expected what each experiment showed",
        ),
    ],
)
def test_a_recording_that_is_none_is_named_by_its_line(tmp_path, data, told):
    (tmp_path / "x.jsonl").write_bytes(data)
    with pytest.raises(EvalsError) as raised:
        read_recorded(tmp_path / "x.jsonl")
    assert raised.value.what.startswith(told)
    assert "python -m evals record hypotheses" in raised.value.next_step


def test_a_recording_that_is_not_there_is_named(tmp_path):
    with pytest.raises(EvalsError, match=r"x\.jsonl: expected a recording, got: No such file"):
        read_recorded(tmp_path / "x.jsonl")


def test_a_recording_of_another_table_is_refused():
    first, second = FAULTS["kv-01"], FAULTS["kv-02"]
    with pytest.raises(EvalsError, match="fault 'kv-02': expected a recording of it, got none"):
        samples_of([line(first)], {"kv-01": first, "kv-02": second})
    with pytest.raises(EvalsError, match="fault 'kv-02': expected a fault of that name, got none"):
        samples_of([line(first), line(second)], {"kv-01": first})
    with pytest.raises(EvalsError, match="fault kv-01: expected the recording of this fault, got that of another"):
        samples_of([line(first)], {"kv-01": msgspec.structs.replace(first, new="other")})


def seen(experiment, outcome, **other):
    return experiment, Seen(experiment=experiment.id, outcome=outcome, follows="So it is.", **other)


@pytest.mark.parametrize(
    ("mechanism", "shown", "holds"),
    [
        ("order", seen(HASH, "vanishes"), True),
        ("order", seen(HASH, "changes"), True),
        ("order", seen(HASH, "wavers"), True),
        ("order", seen(HASH, "persists"), False),
        ("logic", seen(HASH, "persists"), True),
        ("logic", seen(HASH, "changes"), False),
        ("logic", seen(ALONE, "not shown"), True),
        ("logic", seen(ALONE, "shown"), False),
        ("oracle", seen(ALONE, "not shown"), False),
        ("oracle", seen(ALONE, "shown"), True),
        ("time", seen(ZONE, "changes"), True),
    ],
)
def test_an_outcome_speaks_for_what_it_would_show(mechanism, shown, holds):
    assert borne_out(mechanism, *shown) is holds


def test_every_kind_of_experiment_is_foretold_for_every_mechanism_as_the_offline_drafter_says_it():
    kinds = sorted({experiment.kind for one in LINES.values() for experiment in one.experiments})
    assert kinds == sorted(MOVED_BY)
    for kind in kinds:
        for mechanism in get_args(Mechanism):
            experiment = Experiment(id="x", kind=kind, step=1, words="")
            if_true, _ = outcomes(mechanism, experiment)
            assert moves(mechanism, experiment) is (MOVING.search(if_true) is not None), (kind, mechanism, if_true)


def test_the_table_of_the_documentation_is_the_auditors_own():
    text = (Path(__file__).parents[2] / "docs" / "evals.md").read_text(encoding="utf-8")
    rows = text.partition("| experiment | moves for |\n| --- | --- |\n")[2].partition("\n\n")[0].splitlines()
    cells = [row.strip("| ").split(" | ") for row in rows]
    assert {kind: set(moved.split(", ")) for kind, moved in cells} == MOVED_BY


def sample(*shown, right=("order",)):
    failure = Failure(subject="group d1", log="+ c,b,a")
    question = CauseQuestion(failure=failure, experiments=tuple(experiment for experiment, _ in shown))
    cause = CauseSample(id="s", cluster="s", question=question, category="ordering", right=right)
    return FaultSample(cause=cause, shown={experiment.id: (experiment, told) for experiment, told in shown})


def saying(*causes):
    made = tuple(Cause(mechanism=name, evidence="", experiment=experiment) for name, experiment in causes)
    return Drafter(name="d", version="1", causes=lambda _: made)


def values(rows):
    return {name: (figure.value, figure.n) for name, figure in fault_scores.figures(rows).items()}


def test_an_experiment_discriminates_where_it_speaks_for_what_is_right_alone():
    one = sample(seen(ALONE, "not shown"), seen(HASH, "changes"), seen(ZONE, "persists"))
    rows = fault_scores.rows_of("t", [one], saying(("order", "x2"), ("logic", "x1"), ("time", "x3")))
    assert rows[0].scores == {
        "right": True,
        "among three": True,
        "three distinct": True,
        "experiment apart, 1": True,
        "experiment of a right one, 1": True,
        "experiment apart, 2": False,  # the baseline would not show an order either
        "experiment of a wrong one, 2": False,  # it speaks for `logic`, which is wrong
        "experiment apart, 3": True,
        "experiment of a wrong one, 3": True,
    }
    assert values(rows) == {
        "top-1 hit": (1, 1),
        "top-3 hit": (1, 1),
        "three distinct": (1, 1),
        "experiment discriminates": (2 / 3, 3),
        "right one borne out": (1, 1),
        "wrong one spoken against": (0.5, 2),
        "foretells another outcome": (2 / 3, 3),
        "first experiment discriminates": (1, 1),
    }


def test_an_experiment_that_was_not_offered_or_could_not_vote_has_no_outcome():
    void = sample(seen(HASH, "changes", voted=False))
    rows = fault_scores.rows_of("t", [void], saying(("order", "x2"), ("time", "x9"), ("logic", "")))
    assert values(rows) == {
        "top-1 hit": (1, 1),
        "top-3 hit": (1, 1),
        "three distinct": (1, 1),
        "foretells another outcome": (1, 1),
    }


def test_without_an_answer_nothing_is_right():
    rows = fault_scores.rows_of("t", [sample(seen(HASH, "changes"))], saying())
    assert (rows[0].answer, rows[0].variant, rows[0].label) == ("missing", "recorded", "order")
    assert values(rows) == {"top-1 hit": (0, 1), "top-3 hit": (0, 1), "three distinct": (0, 1)}
    assert fault_scores.rows_of("t", [], DRAFTERS["all-intended"]) == ()


def test_the_task_runs_anywhere_and_holds_what_holds_by_construction():
    done = run(tasks_named(["hypotheses"]), OFFLINE_DRAFTER, None)
    assert done.head.tasks == ("hypotheses",)
    assert sorted(done.head.data) == ["faults", "hypotheses.jsonl"]
    assert [row.sample for row in done.rows] == list(FAULTS)
    told = values(done.rows)
    assert (told["three distinct"], told["evidence valid"]) == ((1, len(FAULTS)), (1, len(FAULTS)))
    assert set(done.beside) == {"all-intended", "all-collateral", "always-code", "always-environment", "random"}
    assert {name for name, rows in done.beside.items() if rows} == {"always-code", "always-environment", "random"}
