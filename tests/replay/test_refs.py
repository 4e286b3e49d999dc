"""Trees at a ref, written out as plain folders."""

import os
import subprocess

import pytest

from gate.errors import BuildError
from gate.replay.refs import commit_of, repository_root, write_tree


@pytest.fixture
def repository(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.name", "n")
    git(folder, "config", "user.email", "e@example.invalid")
    for text in ("old", "new"):
        (folder / "kv.py").write_text(text)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", text)
    return folder


def git(folder, *words):
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def test_a_tree_is_written_out_without_history(repository, tmp_path):
    tree = write_tree(repository, "HEAD~1", under=tmp_path / "trees")
    assert [(path.name, path.read_text()) for path in tree.folder.iterdir()] == [("kv.py", "old")]
    assert tree.commit == git(repository, "rev-parse", "HEAD~1")


def test_uncommitted_work_and_the_index_stay_as_they_are(repository, tmp_path):
    (repository / "kv.py").write_text("uncommitted")
    (repository / "staged").write_text("s")
    git(repository, "add", "staged")
    before = git(repository, "status", "--porcelain")
    write_tree(repository, "HEAD", under=tmp_path / "trees")
    assert git(repository, "status", "--porcelain") == before
    assert git(repository, "worktree", "list").count("\n") == 0


def test_a_ref_that_is_not_there_never_becomes_head(repository):
    """Reported fault 152."""
    with pytest.raises(BuildError, match="origin/main: no such commit"):
        commit_of(repository, "origin/main")


def test_a_ref_that_looks_like_an_option_is_a_ref(repository):
    with pytest.raises(BuildError, match="--help: no such commit"):
        commit_of(repository, "--help")


def test_a_hooks_git_dir_does_not_choose_the_repository(repository, tmp_path, monkeypatch):
    """Reported fault 18."""
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert repository_root(repository) == repository
    assert write_tree(repository, "main", under=tmp_path / "trees").folder.is_dir()


def test_outside_of_a_repository_is_told(tmp_path):
    os.environ.pop("GIT_DIR", None)
    with pytest.raises(BuildError, match="git rev-parse"):
        repository_root(tmp_path)


def test_a_tree_with_a_submodule_is_refused(repository, tmp_path):
    """Its files are not in the tree: both sides would miss them alike, and agree."""
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{git(repository, 'rev-parse', 'HEAD')},vendor/lib")
    git(repository, "commit", "-q", "-m", "with a submodule")
    with pytest.raises(BuildError, match=r"has a submodule at vendor/lib"):
        write_tree(repository, "HEAD", under=tmp_path / "trees")
