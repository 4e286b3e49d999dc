"""Which two sides were named, and which runs are kept to look at. No program runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate import api

NOTHING = (None, None)
OLD, NEW = Path("old"), Path("new")
OF_A_RUN = "Name --baseline and --candidate, or --base and --head; --against-itself needs only the first of either."
OF_ANOTHER = "Name --baseline and --candidate, or --base and --head: those of the run."


@pytest.mark.parametrize(
    ("folders", "commits", "itself", "sides"),
    [
        ((OLD, NEW), NOTHING, False, api.Trees(baseline=OLD, candidate=NEW)),
        ((OLD, NEW), NOTHING, None, api.Trees(baseline=OLD, candidate=NEW)),
        ((OLD, None), NOTHING, True, api.Trees(baseline=OLD)),
        (NOTHING, ("main", "patch"), False, api.Commits(base="main", head="patch")),
        (NOTHING, ("main", None), True, api.Commits(base="main")),
    ],
)
def test_two_sides_or_one_against_itself_are_a_pair(folders, commits, itself, sides):
    assert api.asked(folders, commits, against_itself=itself) == sides


@pytest.mark.parametrize(
    ("folders", "commits", "itself", "what"),
    [
        (NOTHING, NOTHING, False, "expected two sides, got none"),
        ((None, NEW), NOTHING, None, "expected two sides, got one"),
        ((OLD, None), NOTHING, False, "expected two sides, got one"),
        ((OLD, None), ("main", None), False, "expected two folders or two commits, got some of both"),
        ((OLD, NEW), NOTHING, True, "expected the first side alone, got two and --against-itself"),
        (NOTHING, (None, "patch"), True, "expected the first side alone, got one and --against-itself"),
    ],
)
def test_any_other_combination_means_nothing(folders, commits, itself, what):
    with pytest.raises(api.GateError) as caught:
        api.asked(folders, commits, against_itself=itself)
    assert (caught.value.what, caught.value.next_step) == (what, OF_ANOTHER if itself is None else OF_A_RUN)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "gate.toml").write_text("version = 1\n[program]\n")
    return tmp_path


def test_without_a_run_there_is_none(project):
    assert api.runs(project) == ()


def test_the_latest_run_comes_first_and_then_the_newest(project):
    """A run without a verdict is newer than the latest; folders of other names are none."""
    for name in ("0002", "0010", "0009", "0011", "notes"):
        (project / ".gate" / "runs" / name).mkdir(parents=True)
    (project / ".gate" / "latest").symlink_to("runs/0010")
    found = [run.relative_to(project / ".gate").as_posix() for run in api.runs(project)]
    assert found == ["latest", "runs/0011", "runs/0009", "runs/0002"]


def test_in_a_copied_project_the_latest_run_is_a_folder_of_its_own(project):
    for name in ("latest", "runs/0001"):
        (project / ".gate" / name).mkdir(parents=True)
    assert [run.name for run in api.runs(project)] == ["latest", "0001"]
