"""A team's decisions: what counts, what does not, and how the commands that tell of them end."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from made_up_runs import GOLDEN, HEAD, RUN, decision, suggestion, team

from auditor.errors import SuggestionError
from auditor.review.decide import decided as with_decision
from auditor.suggestions.store import keep
from evals import results
from evals.decisions import distance, read
from evals.errors import EvalsError

REPOSITORY = Path(__file__).parents[2]


def outcomes(project):
    return [(one.maker.model, [item.outcome for item in one.decided], one.proposed) for one in read([project]).made]


def test_the_last_decision_of_an_item_counts_and_one_that_was_undone_does_not(tmp_path):
    team(tmp_path)
    assert outcomes(tmp_path) == [
        ("model <x>", ["accepted", "edited", "rejected", "rejected"], 1),
        ("offline", [], 1),
    ]


def test_a_project_and_its_folder_of_suggestions_are_the_same(tmp_path, monkeypatch):
    team(tmp_path)
    assert read([tmp_path]) == read([tmp_path / "suggestions"])
    monkeypatch.chdir(tmp_path / "suggestions")
    assert read([Path()]) == read([tmp_path])


def test_another_prompt_or_model_is_another_drafter(tmp_path):
    (tmp_path / "suggestions").mkdir()
    for model in ("b", "a"):
        keep(tmp_path, with_decision(suggestion(model, "intent"), decision("d1", "rejected")))
    assert [one.maker.model for one in read([tmp_path]).made] == ["a", "b"]


def test_an_item_whose_status_no_decision_tells_is_named_and_not_counted(tmp_path):
    (tmp_path / "suggestions").mkdir()
    path = keep(tmp_path, with_decision(suggestion("m", "intent"), decision("d1", "rejected")))
    held = json.loads(path.read_text())
    held["status"] = held["items"][0]["status"] = "accepted"
    path.write_text(json.dumps(held))
    told = read([tmp_path])
    assert (told.made, told.broken) == (
        (),
        ((f"{path.stem} d1", "its status is accepted, its last decision rejected"),),
    )


@pytest.mark.parametrize(
    ("old", "new", "apart"),
    [
        ("", "", 0),
        ("the list is sorted", "the list is sorted", 0),
        ("a b c d", "a b c e", 0.25),
        ("a", "b", 1),
        ("sorted.", "sorted", 1 - 2 / 3),
        ("x " * 200 + "old", "x " * 200 + "new", 0),
    ],
)
def test_a_distance_is_of_words_and_signs(old, new, apart):
    assert distance(old, new) == pytest.approx(apart)


def test_a_folder_that_is_not_there_or_empty_is_an_error(tmp_path):
    with pytest.raises(EvalsError, match="expected a folder of suggestions, found none"):
        read([tmp_path])
    (tmp_path / "suggestions").mkdir()
    with pytest.raises(EvalsError, match="expected suggestions, found none"):
        read([tmp_path])


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "suggestions").symlink_to("elsewhere")
    with pytest.raises(SuggestionError, match="got a link to somewhere else"):
        read([tmp_path])


def evals(*words, cwd):
    return subprocess.run(
        [sys.executable, "-m", "evals", *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )


@pytest.mark.slow
@pytest.mark.usefixtures("no_hang")
def test_decisions_are_printed_and_written_where_a_folder_is_named(tmp_path):
    team(tmp_path)
    printed = evals("decisions", "suggestions", cwd=tmp_path)
    assert (printed.returncode, printed.stderr) == (0, "")
    assert printed.stdout == (GOLDEN / "decisions.md").read_text()
    done = evals("decisions", ".", "--into", "told", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "written: told/decisions.md, told/decisions.html\n")
    assert (tmp_path / "told" / "decisions.html").read_bytes() == (GOLDEN / "decisions.html").read_bytes()


@pytest.mark.slow
@pytest.mark.usefixtures("no_hang")
def test_without_any_decision_the_report_says_so_and_the_command_ends_in_2(tmp_path):
    (tmp_path / "suggestions").mkdir()
    keep(tmp_path, suggestion("m", "intent"))
    done = evals("decisions", ".", cwd=tmp_path)
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, "error: expected decisions, found none")
    assert "> **Nothing was decided.** There is no acceptance to tell of.\n" in done.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("no_hang")
def test_a_comparison_is_written_where_a_folder_is_named(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / results.NAME).write_bytes(results.render(HEAD, RUN.rows))
    done = evals("compare", "a", "b", "--into", "told", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "written: told/compare.md, told/compare.html, told/figures.svg\n")
    assert done.stdout == (tmp_path / "told" / "compare.md").read_text()
    alone = evals("compare", "a", cwd=tmp_path)
    assert (alone.returncode, alone.stdout) == (2, "")
    assert alone.stderr.startswith("error: expected two runs or more to compare\n")
