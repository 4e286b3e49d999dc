"""`gate run --base REF --head REF`: the trees of two commits, judged by what the base holds."""

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import msgspec
import pytest

from gate import api
from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step
from gate.report.scorecard import Scorecard

pytestmark = pytest.mark.slow

TOOL = "#!/bin/sh\necho {said} $1\n"
TOML = 'version = 1\n[program]\npath = ["{path}"]\n[replay]\nconfirm = 1\n'
OLD_TO_NEW = {"allowed": [{"case": "A", "step": 1, "reason": "asked for"}, {"case": "A", "step": 2, "reason": "too"}]}


@pytest.fixture(autouse=True)
def no_git_of_mine(tmp_path, monkeypatch):
    """No configuration of the person's, and no repository above."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))


class Repository:
    """A repository whose project lies in `inside`; `main` is the base."""

    def __init__(self, top: Path, inside: str = "") -> None:
        self.top, self.project = top, top / inside
        self.project.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        for key, text in (("name", "n"), ("email", "e@example.invalid")):
            self.git("config", f"user.{key}", text)
        self.write("gate.toml", TOML.format(path=f"{inside}/bin".lstrip("/")))
        steps = tuple(Step(argv=(b"tool", word)) for word in (b"one", b"two"))
        write_corpus(self.project / "gate" / "corpus.jsonl", with_case(None, Case(id=CaseId("A"), steps=steps)))
        self.write("gate/policy.json", '{"allowed": []}')
        self.write(".gitignore", ".gate/\n")
        self.tool("old")
        api.pin(self.project)
        self.commit("base")

    def git(self, *words):
        done = subprocess.run(["git", *words], cwd=self.top, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def write(self, name, text):
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def tool(self, said):
        self.write("bin/tool", TOOL.format(said=said)).chmod(0o755)

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def patch(self, **files):
        """A commit on a branch of its own with another program, and more files changed (`__` stands for a slash)."""
        self.git("switch", "-q", "-c", "patch")
        self.tool("new")
        for name, text in files.items():
            self.write(name.replace("__", "/"), text)
        self.commit("patch")
        self.git("switch", "-q", "main")

    def run(self, *words, cwd=None):
        command = [sys.executable, "-m", "gate", "run", *words]
        return subprocess.run(command, cwd=cwd or self.project, capture_output=True, text=True)

    def card(self, *words):
        done = self.run(*words, "--format", "json")
        return done.returncode, msgspec.json.decode(done.stdout, type=Scorecard), done.stderr

    def trees(self):
        return list((self.project / ".gate").glob("trees-*"))


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "repository")


MAIN_TO_PATCH = ("--base", "main", "--head", "patch")


def test_a_patch_that_changes_what_the_program_does_is_flagged(repository):
    repository.patch()
    done = repository.run(*MAIN_TO_PATCH)
    assert done.returncode == 1, done.stderr
    assert "deltas: 2 steps differ, 0 allowed, 2 flagged" in done.stdout
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
def test_a_patch_that_edits_the_judge_changes_nothing_of_the_judgement(repository, judge):
    repository.patch(**judge)
    code, card, _ = repository.card(*MAIN_TO_PATCH)
    assert (code, card.counts.deltas_flagged, card.counts.deltas_allowed) == (1, 2, 0)
    assert card.ignored_files == ()
    assert card.digests.config == repository.card("--base", "main", "--against-itself")[1].digests.config


def test_what_the_base_allows_is_allowed(repository):
    repository.write("gate/policy.json", json.dumps(OLD_TO_NEW))
    repository.commit("allow")
    repository.patch(**{"gate__policy.json": '{"allowed": []}'})
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
    first, second = (repository.run(*MAIN_TO_PATCH, "--format", "json").stdout for _ in range(2))
    assert first == second
    assert str(repository.top) not in first


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--base", "main", "--head", "main"), "error: main and main are the same commit ("),
        (("--base", "main", "--head", "HEAD"), "error: main and HEAD are the same commit ("),
        (("--base", "nope", "--head", "patch"), "error: nope: no such commit in "),
        (("--base", "main", "--head", "nope"), "error: nope: no such commit in "),
        (("--base", "", "--head", "patch"), "error: : no such commit in "),
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
    assert done.stderr.startswith("error: baseline and candidate are the same tree (")
    assert repository.trees() == []


def test_a_base_without_a_judge_is_2_and_names_the_commit(repository):
    repository.patch()
    repository.git("rm", "-q", "gate.toml")
    repository.commit("no judge")
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
    assert "Run in a git repository, or compare two folders instead.\n" in done.stderr
    assert list(outside.iterdir()) == []
    done = repository.run(*MAIN_TO_PATCH, "--project", "nowhere", cwd=outside)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {outside}/nowhere: expected the project's folder, found nothing\n")


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("gate.toml", "version = 2\n", "error: commit main: gate.toml:1: version: "),
        ("gate/policy.json", "{", "error: main:gate/policy.json:1"),
        ("gate/corpus.jsonl", "", "error: judge 'corpus' changed: "),
        ("gate/pins.json", "{}", "error: pins.json:1: "),
    ],
)
def test_a_broken_judge_of_the_base_is_2_named_by_its_commit_and_the_trees_are_gone(repository, name, text, complaint):
    repository.patch()
    repository.write(name, text)
    repository.commit("broken")
    done = repository.run(*MAIN_TO_PATCH)
    assert (done.returncode, done.stdout) == (2, "")
    assert "trees-" not in done.stderr
    assert done.stderr.startswith(complaint)
    assert repository.trees() == []


def test_other_programs_judge_commits_through_the_door(repository):
    repository.patch()
    told = []
    outcome = api.run_refs(repository.project, "main", "patch", workers=1, today=date(2026, 1, 1), listen=told.append)
    assert outcome.exit_code is api.ExitCode.STOP
    assert "2 flagged" in outcome.report
    assert outcome.folder == repository.project / ".gate" / "runs" / "0001"
    assert told
    assert api.run_refs(repository.project, "main", None).exit_code is api.ExitCode.CLEAN
    with pytest.raises(api.GateError, match="nope: no such commit"):
        api.run_refs(repository.project, "nope", "patch")
