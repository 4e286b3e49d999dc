"""`gate run --base REF --head REF`: the trees of two commits, judged by what the base holds."""

import json
from datetime import date

import pytest
from scratch_repository import MAIN_TO_PATCH, TOML, Repository, forget_git_of_mine

from gate import api

pytestmark = pytest.mark.slow

OLD_TO_NEW = {"allowed": [{"case": "A", "step": 1, "reason": "asked for"}, {"case": "A", "step": 2, "reason": "too"}]}


@pytest.fixture(autouse=True)
def no_git_of_mine(tmp_path, monkeypatch):
    forget_git_of_mine(tmp_path, monkeypatch)


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "repository")


def test_a_patch_that_changes_what_the_program_does_is_flagged(repository):
    repository.patch()
    done = repository.run(
        *MAIN_TO_PATCH, "--sandbox", "off"
    )  # what is told of a machine without one is no part of this
    assert done.returncode == 1, done.stderr
    assert "0 allowed, 2 flagged" in done.stdout
    assert done.stdout.count('"old one\\n" → "new one\\n"') == 1
    assert done.stderr == f"scorecard and traces: {repository.project}/.gate/runs/0001\n"
    assert repository.trees() == []


def test_a_patch_that_changes_no_behaviour_is_clean(repository):
    repository.git("switch", "-q", "-c", "patch")
    repository.write("README", "more words")
    repository.commit("words")
    code, card, _ = repository.card(*MAIN_TO_PATCH)
    assert (code, card.counts.verified, card.counts.checks) == (0, card.counts.checks, card.counts.verified)
    assert card.counts.checks > 0
    assert card.digests.baseline != card.digests.candidate


@pytest.mark.parametrize(
    "judge",
    [
        {"gate__policy.json": json.dumps(OLD_TO_NEW)},
        {"gate.toml": TOML.format(path="bin") + 'ignore_files = ["**"]\n'},
        {"gate.toml": "not toml"},
        {"gate__corpus.jsonl": ""},
        {"gate__pins.json": "{}"},
    ],
    ids=["policy", "configuration", "broken configuration", "corpus", "pins"],
)
def test_a_patch_that_edits_product_and_judge_is_2_and_lists_both(repository, judge):
    """Reported fault 88."""
    repository.patch(**judge)
    done = repository.run(*MAIN_TO_PATCH)
    name = next(iter(judge)).replace("__", "/")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: expected a patch of the product alone, got changes of the judge and of the product together\n"
        f"judge (1): '{name}'\n"
        "product (1): 'bin/tool'\n"
        "Split the change: what judges, and what CI runs, comes in a patch of its own, before the product's.\n"
    )
    assert not (repository.project / ".gate").exists()


def test_what_the_base_allows_is_allowed(repository):
    repository.write("gate/policy.json", json.dumps(OLD_TO_NEW))
    repository.commit("allow")
    repository.patch()
    code, card, _ = repository.card(*MAIN_TO_PATCH)
    assert (code, card.counts.deltas_allowed, card.counts.deltas_flagged) == (0, 2, 0)


def test_the_base_against_itself_is_clean(repository):
    code, card, _ = repository.card("--base", "main", "--against-itself")
    assert (code, card.mode) == (0, "baseline against itself")
    assert repository.trees() == []


@pytest.mark.parametrize("inside", ["tools/kv", "a *star", "ü"])
def test_a_project_may_lie_in_a_folder_of_the_repository(tmp_path, inside):
    repository = Repository(tmp_path / "repository", inside)
    repository.patch()
    done = repository.run(*MAIN_TO_PATCH)
    assert done.returncode == 1, done.stderr
    assert "2 flagged" in done.stdout
    assert "note:" not in done.stderr
    named = repository.run(*MAIN_TO_PATCH, "--project", str(repository.project), cwd=tmp_path)
    assert (named.returncode, named.stdout) == (1, done.stdout)
    assert not (repository.top / ".gate").exists()
    assert not (tmp_path / ".gate").exists()


def test_what_is_not_committed_is_not_judged_and_that_is_told(repository):
    repository.patch()
    clean = repository.card(*MAIN_TO_PATCH)
    assert "note:" not in clean[2]
    repository.tool("uncommitted")
    repository.write("gate/policy.json", json.dumps(OLD_TO_NEW))
    repository.write("gate.toml", "not toml")
    (repository.project / "gate" / "corpus.jsonl").unlink()
    before = repository.git("status", "--porcelain")
    code, card, told = repository.card(*MAIN_TO_PATCH)
    assert (code, card) == clean[:2]
    assert told.startswith(
        "note: the work tree has changes that are not committed; they are not judged, the commits are\n"
    )
    assert repository.git("status", "--porcelain") == before
    assert repository.git("worktree", "list").count("\n") == 0


def test_a_new_file_is_told_and_the_gates_own_folder_is_not(repository):
    repository.write(".gitignore", "")
    repository.commit("ignore nothing")
    repository.patch()
    assert "note:" not in repository.card(*MAIN_TO_PATCH)[2]
    assert "note:" not in repository.card(*MAIN_TO_PATCH)[2]
    repository.write("new.py", "")
    assert "note:" in repository.card(*MAIN_TO_PATCH)[2]


def test_the_same_commits_give_the_same_bytes(repository):
    repository.patch()
    first, second = (repository.run(*MAIN_TO_PATCH, "--format", "json", anew=True).stdout for _ in range(2))
    assert first == second
    assert str(repository.top) not in first


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--base", "main", "--head", "main"), "error: main and main are the same commit ("),
        (("--base", "main", "--head", "HEAD"), "error: main and HEAD are the same commit ("),
        (("--base", "nope", "--head", "patch"), "error: nope: no such commit in "),
        (("--base", "main", "--head", "nope"), "error: nope: no such commit in "),
        (("--base", "", "--head", "patch"), "error: expected the name of a commit, got an empty one\n"),
        (
            ("--base", "main..patch", "--head", "patch"),
            "error: expected the name of one commit, got a range: 'main..patch'\n",
        ),
        (("--base=--upload-pack=x", "--head", "patch"), "error: expected the name of one commit, got an option: "),
        (("--base", "main"), "error: expected two sides, got one\n"),
        (("--head", "patch"), "error: expected two sides, got one\n"),
        (
            ("--head", "patch", "--against-itself"),
            "error: expected the first side alone, got one and --against-itself\n",
        ),
    ],
)
def test_what_cannot_be_compared_is_2_and_leaves_nothing(repository, words, complaint):
    repository.patch()
    done = repository.run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(complaint)
    assert not (repository.project / ".gate").exists()


def test_two_commits_with_the_same_tree_are_2(repository):
    repository.git("switch", "-q", "-c", "patch")
    repository.commit("nothing")
    done = repository.run(*MAIN_TO_PATCH)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: main and patch hold the same tree (")
    assert not (repository.project / ".gate").exists()


def test_a_base_without_a_judge_is_2_and_names_the_commit(repository):
    repository.git("rm", "-q", "gate.toml")
    repository.commit("no judge")
    repository.patch()
    done = repository.run(*MAIN_TO_PATCH)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: commit main holds no gate.toml in the top folder\n"
        "The judge is read from the base: commit gate.toml and the pins there first, or name the folder with --project.\n"
    )
    assert not (repository.project / ".gate").exists()


def test_the_wrong_folder_is_2_and_stays_as_it_was(repository):
    repository.patch()
    wrong = repository.project / "bin"
    done = repository.run(*MAIN_TO_PATCH, cwd=wrong)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: commit main holds no gate.toml in bin\n")
    assert [path.name for path in wrong.iterdir()] == ["tool"]


def test_a_folder_outside_of_any_repository_is_2_and_stays_as_it_was(repository, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    done = repository.run(*MAIN_TO_PATCH, cwd=outside)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Run in a git repository, or compare two folders instead: --baseline, --candidate.\n" in done.stderr
    assert list(outside.iterdir()) == []
    done = repository.run(*MAIN_TO_PATCH, "--project", "nowhere", cwd=outside)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {outside}/nowhere: expected the project's folder, found nothing\n")


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("gate.toml", "version = 2\n", "error: commit main: gate.toml:1: version: "),
        ("gate/policy.json", "{", "error: main:gate/policy.json:1"),
        ("gate/corpus.jsonl", "", "error: commit main: judge 'corpus' changed: "),
        ("gate/pins.json", "{}", "error: commit main: pins.json:1: "),
    ],
)
def test_a_broken_judge_of_the_base_is_2_named_by_its_commit_and_the_trees_are_gone(repository, name, text, complaint):
    repository.write(name, text)
    repository.commit("broken")
    repository.patch()
    done = repository.run(*MAIN_TO_PATCH)
    assert (done.returncode, done.stdout) == (2, "")
    assert "trees-" not in done.stderr
    assert done.stderr.startswith(complaint)
    assert repository.trees() == []


def test_other_programs_judge_commits_through_the_door(repository):
    repository.patch()
    told = []
    sides = api.Commits(base="main", head="patch")
    outcome = api.run(repository.project, sides, workers=1, today=date(2026, 1, 1), listen=told.append)
    assert outcome.exit_code is api.ExitCode.STOP
    assert "2 flagged" in outcome.report
    assert outcome.folder == repository.project / ".gate" / "runs" / "0001"
    assert told
    assert api.made_from(repository.project, outcome.folder) == sides
    assert api.run(repository.project, api.Commits(base="main")).exit_code is api.ExitCode.CLEAN
    with pytest.raises(api.GateError, match="nope: no such commit"):
        api.run(repository.project, api.Commits(base="nope", head="patch"))
