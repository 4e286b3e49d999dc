"""The offline drafter keeps to its approved figures, and a departure is seen."""

import msgspec
import pytest
from evalsets import FOLDER

from evals.approved import Approved, approve, departures, path_of, read_approved
from evals.drafters import DRAFTERS
from evals.run import figures, run
from evals.tasks import TASKS
from evals.values import Figure, Head

APPROVED = read_approved(path_of("offline"))


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_the_offline_drafter_stays_within_its_approved_intervals(task):
    if task.files and FOLDER is None:
        pytest.skip("the labelled data sets are not at hand (docs/evals.md)")
    if lacks := task.lacks():
        pytest.skip(lacks)
    done = run((task,), DRAFTERS["offline"], FOLDER)
    assert departures(APPROVED, done.head, figures(done.rows, done.head.tasks)) == []


def test_every_task_is_approved():
    assert set(APPROVED.figures) == set(TASKS)
    assert (APPROVED.model, APPROVED.drafter) == ("offline", DRAFTERS["offline"].version)


def test_what_asks_nobody_and_was_skipped_stays_approved():
    before = msgspec.structs.replace(APPROVED, data={"d": "1", "s": "2"}, figures={"robustness": {"v": {}}, "gone": {}})
    skipped = {"robustness": "no extra", "injection": "no data"}
    kept = msgspec.json.decode(approve(head(skipped=skipped), {"t": {}}, before), type=Approved)
    assert kept.figures == {"t": {}, "robustness": {"v": {}}}
    assert kept.data == {"d": "1", "s": "2"}
    anew = msgspec.json.decode(approve(head(), {"t": {}}, before), type=Approved)
    assert (anew.figures, anew.data) == ({"t": {}}, {"d": "1"})


def head(**other):
    fields = {"tasks": ("t",), "data": {"d": "1"}, "skipped": {}, **other}
    return Head(format=1, model="m", drafter="v", left={}, **fields)


def figure(value, low=0.4, high=0.6):
    return Figure(value=value, low=low, high=high, n=10, how="Wilson")


def approved(**metrics):
    return msgspec.structs.replace(APPROVED, data={"d": "1"}, figures={"t": {"v": metrics}})


@pytest.mark.parametrize(
    ("metric", "expected", "now", "why"),
    [
        ("accuracy", figure(0.5), figure(0.6), None),
        ("accuracy", figure(0.5), figure(0.61), "expected 0.400 to 0.600, got 0.610"),
        ("accuracy", figure(0.5), figure(0.39), "expected 0.400 to 0.600, got 0.390"),
        ("accuracy", figure(0.5, None, None), figure(0.51), "expected 0.500 to 0.500, got 0.510"),
        ("accuracy", figure(0.5), figure(None), "expected 0.500, got undefined"),
        ("accuracy", figure(None, None, None), figure(None, None, None), None),
        ("dangerous errors", figure(0.1, 0.0, 0.9), figure(0.11), "expected at most 0.100, got 0.110"),
        ("dangerous errors", figure(0.5), figure(0.0), None),
        ("quotes valid", figure(1.0, 0.5, 1.0), figure(0.99), "expected at least 1.000, got 0.990"),
    ],
)
def test_a_figure_departs_as_its_metric_says(metric, expected, now, why):
    told = departures(approved(**{metric: expected}), head(), {"t": {"v": {metric: now}}})
    assert told == ([] if why is None else [f"t, v: {metric}: {why}"])


def test_nothing_run_other_data_and_a_metric_that_is_gone_depart():
    held = approved(accuracy=figure(0.5))
    assert departures(held, head(tasks=(), data={}), {}) == ["no task was run"]
    assert departures(held, head(), {"t": {"v": {}}}) == ["t, v: accuracy: absent"]
    assert departures(held, head(tasks=("u",)), {"u": {"v": {}}}) == ["u: not approved"]
    assert departures(held, head(data={"d": "2"}), {"t": {"v": {"accuracy": figure(0.5)}}}) == [
        "d: other data than approved"
    ]
