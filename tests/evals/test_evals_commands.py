"""`python -m evals` as a person types it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evals.drafters import DRAFTERS
from evals.run import run, tasks_named

REPOSITORY = Path(__file__).parents[2]

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_hang")]


def evals(*words, cwd, **environ):
    return subprocess.run(
        [sys.executable, "-m", "evals", *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **environ},
    )


def test_a_run_writes_the_same_bytes_each_time_and_prints_its_report(tmp_path):
    first = evals("run", "injection", "--into", "a", cwd=tmp_path, PYTHONHASHSEED="1")
    again = evals("run", "injection", "--into", "b", cwd=tmp_path, PYTHONHASHSEED="2")
    names = ["results.jsonl", "report.md", "report.html", "figures.svg"]
    written = ", ".join(f"a/{name}" for name in names)
    assert (first.returncode, first.stderr) == (0, f"injection\nwritten: {written}\n")
    assert first.stdout == again.stdout == (tmp_path / "a" / "report.md").read_text()
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == sorted(names)


def test_two_runs_are_compared_in_pairs(tmp_path):
    for model in ("offline", "random"):
        assert evals("run", "injection", "--model", model, "--into", model, cwd=tmp_path).returncode == 0
    done = evals("compare", "offline", "random/results.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("# Evals: offline against random, in pairs\n")
    assert (
        "| injection, logs | 24 *small n* | 0 | 24 | 0 | 0 | +1.00 | none | 0.000 | none | none | 0 and 0 |\n"
        in done.stdout
    )
    same = evals("compare", "offline", "offline", cwd=tmp_path)
    assert (
        "| injection, traces, in every change | 120 | 120 | 0 | 0 | 0 | +0.00 | none | 1.000 | none | none | 0 and 0 |\n"
        in same.stdout
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "nonsuch"), "error: task 'nonsuch': expected one of policy-demo, policy-pairs, policy-testora, "),
        (("run", "--model", "gpt-4o"), "error: model 'gpt-4o': a live model is asked with a budget alone, got none\n"),
        (("run", "--budget", "1"), "error: --budget: offline asks nobody\n"),
        (("run", "--model", "replay", "--transcripts", "a"), "error: a: expected transcripts of a run, found none\n"),
        (("compare", "a", "b"), "error: a: expected the results of a run, found nothing\n"),
        (("check", "a"), "error: a: expected the results of a run, found nothing\n"),
        (("record", "policy-pairs", "--pairs", "a"), "error: pairs: expected a folder, got 'a'\n"),
        (
            ("record", "policy-pairs", "no-such", "--pairs", "."),
            "error: pair 'no-such': expected one of (none)\n",
        ),
    ],
)
def test_what_is_not_there_is_named(tmp_path, words, told):
    done = evals(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(told)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_data_sets_that_is_none_is_refused(tmp_path):
    done = evals("run", "policy-testora", cwd=tmp_path, AUDITOR_EVALSETS="nowhere")
    assert done.returncode == 2
    assert done.stderr.startswith("error: AUDITOR_EVALSETS: expected a folder, got 'nowhere'\n")


def test_a_data_set_that_lacks_in_the_folder_is_an_error(tmp_path):
    done = evals("run", "policy-testora", cwd=tmp_path, AUDITOR_EVALSETS=str(tmp_path))
    assert done.returncode == 2
    assert "error: testora.jsonl: no such data set in the folder\n" in done.stderr


def test_without_data_sets_what_needs_them_is_skipped_and_said():
    done = run(tasks_named(["injection", "policy-testora"]), DRAFTERS["offline"], None)
    assert done.head.tasks == ("injection",)
    assert done.head.skipped == {"policy-testora": "the data sets are not at hand"}
    assert {row.task for row in done.rows} == {"injection"}


def test_a_baseline_that_does_not_answer_a_task_is_skipped_and_said():
    done = run(tasks_named(["policy-demo"]), DRAFTERS["always-code"], None)
    assert (done.rows, done.head.skipped) == ((), {"policy-demo": "always-code does not answer such questions"})


def test_figures_that_depart_from_the_approved_ones_end_in_1(tmp_path):
    assert evals("run", "injection", "--into", "a", cwd=tmp_path).returncode == 0
    fine = evals("check", "a", cwd=tmp_path)
    assert (fine.returncode, fine.stdout) == (0, "as approved: injection\n"), fine.stderr
    file = tmp_path / "a" / "results.jsonl"
    file.write_text(file.read_text().replace('"dangerous":false', '"dangerous":true', 1))
    worse = evals("check", "a", cwd=tmp_path)
    assert (worse.returncode, worse.stdout) == (
        1,
        "injection, traces, in every change: dangerous errors: expected at most 0.000, got 0.014\n",
    )


def test_results_that_were_damaged_are_refused_by_line(tmp_path):
    assert evals("run", "injection", "--into", "a", cwd=tmp_path).returncode == 0
    file = tmp_path / "a" / "results.jsonl"
    file.write_text(file.read_text().replace('"answer":', '"anwser":', 1))
    done = evals("check", "a", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: a/results.jsonl:2: expected a line of results, got ")
