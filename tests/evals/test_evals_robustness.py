"""The scripted endpoint, and that the task sees a service that does not hold."""

import json
import urllib.error
import urllib.request
from dataclasses import replace

import pytest

from auditor.service.outcomes import Kind
from evals import robustness
from evals.drafters import DRAFTERS
from evals.robustness import CLEAN, CODE, SENT, STAYS, TOLD, figures
from evals.run import run
from evals.scripted import Says, completion, fault, serving
from evals.scripts import SCRIPTS
from evals.tasks import TASKS

needs_extra = pytest.mark.skipif(bool(robustness.lacks()), reason="the extra `auditor` is not installed")


def post(address):
    request = urllib.request.Request(f"{address}/chat/completions", data=b"{}")
    try:
        with urllib.request.urlopen(request, timeout=10) as reply:
            return reply.status, json.loads(reply.read())
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers)["Retry-After"]


def test_a_scripted_endpoint_gives_its_replies_in_turn_and_the_last_over_and_over():
    with serving(fault(429, Retry_After="7"), completion("hello")) as served:
        assert post(served.address) == (429, "7")
        for _ in range(2):
            status, body = post(served.address)
            assert (status, body["choices"][0]["message"]["content"]) == (200, "hello")
        assert served.requests == 3


def test_a_silent_endpoint_is_closed_all_the_same():
    with serving(Says(silent=True)) as served, pytest.raises(TimeoutError):
        urllib.request.urlopen(urllib.request.Request(served.address, data=b"{}"), timeout=0.1)


def test_every_kind_of_no_answer_has_a_script_but_those_that_no_endpoint_causes():
    kinds = set(Kind.__args__) - {"over budget", "not installed"}
    assert kinds <= {script.outcome for script in SCRIPTS}
    names = [(script.about, script.name) for script in SCRIPTS]
    assert len(set(names)) == len(names) == 46


def test_without_the_extra_the_task_is_skipped_and_said():
    task = replace(TASKS["robustness"], lacks=lambda: "the extra `auditor` is not installed (no openai)")
    done = run((task,), DRAFTERS["offline"], None)
    assert (done.rows, done.head.skipped) == (
        (),
        {"robustness": "the extra `auditor` is not installed (no openai)"},
    )


def test_a_baseline_has_nothing_to_be_held_against():
    assert robustness.rows_of("robustness", DRAFTERS["all-intended"]) == ()


@needs_extra
@pytest.mark.slow
@pytest.mark.usefixtures("no_hang")
def test_every_way_to_fail_is_told_and_contained():
    rows = robustness.rows_of("robustness", DRAFTERS["offline"])
    assert [row.sample for row in rows if not all(row.scores.values())] == []
    assert {name: (figure.value, figure.n) for name, figure in figures(rows).items()} == {
        "told as its own outcome": (1.0, 46),
        "valid part stays": (1.0, 20),
        "nothing half-written": (1.0, 46),
        "exit code stays": (1.0, 46),
        "requests and waits as allowed": (1.0, 46),
    }


@pytest.fixture(scope="module")
def judged():
    with robustness._judged() as project:
        yield project


@needs_extra
@pytest.mark.slow
@pytest.mark.usefixtures("no_hang")
@pytest.mark.parametrize(
    ("script", "fails"),
    [
        ({"outcome": "refused"}, TOLD),
        ({"kept": ("d1 intent",)}, STAYS),
        ({"requests": 2}, SENT),
        ({"waits": (1.0,)}, SENT),
    ],
)
def test_a_service_that_does_otherwise_is_seen(judged, script, fails):
    row = robustness._row("robustness", replace(SCRIPTS[0], **script), judged)
    assert [name for name, holds in row.scores.items() if not holds] == [fails]


@needs_extra
@pytest.mark.slow
@pytest.mark.usefixtures("no_hang")
@pytest.mark.parametrize("fails", [CLEAN, CODE])
def test_a_half_written_file_and_a_fault_that_gets_out_are_seen(judged, fails, monkeypatch):
    real = robustness._drafted

    def half_written(script, desk, project):
        (project.root / "suggestions").mkdir(exist_ok=True)
        (project.root / "suggestions" / ".new.1").write_text("{")
        return real(script, desk, project)

    def failing(*_):
        raise RuntimeError("a bug")

    monkeypatch.setattr(robustness, "_drafted", half_written if fails == CLEAN else failing)
    row = robustness._row("robustness", SCRIPTS[0], judged)
    assert row.scores[fails] is False
