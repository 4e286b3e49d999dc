"""What a sandbox hides: wherever the code of the other side may be found."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from gate.replay.sandbox_hidden import hidden_folders


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in no repository and in nobody's home."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path.resolve() / "top"


def git(folder: Path, *words: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    settings = ("-c", "user.name=n", "-c", "user.email=e@example.invalid")
    subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True)


def test_a_folder_in_no_repository_is_hidden_alone(top: Path) -> None:
    (top / "old").mkdir(parents=True)
    (top / "link").symlink_to("old")
    assert hidden_folders([top / "link", top / "old", top / "missing"]) == ((top / "old",), ())


def test_a_repository_is_hidden_whole_with_all_its_work_trees_and_borrowed_objects(top: Path) -> None:
    git(top / "lender", "init", "-q")
    git(top / "lender", "commit", "-q", "--allow-empty", "-m", "a")
    git(top, "clone", "-q", "--shared", "lender", "main")
    git(top / "main", "worktree", "add", "-q", "--detach", str(top / "other"))
    (top / "main" / "in" / "project").mkdir(parents=True)
    wanted = [top / "lender", top / "lender/.git/objects", top / "main", top / "main/.git", top / "other"]
    places = (top / "main" / "in" / "project", top / "other")
    assert [hidden_folders([place]) for place in places] == [
        (tuple(sorted({place, *wanted, *extra})), ())
        for place, extra in zip(places, ((), (top / "main/.git/worktrees/other",)), strict=True)
    ]


def test_what_holds_the_home_or_the_system_cannot_be_hidden(top: Path) -> None:
    """And is told: a dotfile repository at home holds every project below."""
    git(top.parent / "home", "init", "-q")
    project = top.parent / "home" / "project"
    project.mkdir()
    home = project.parent
    assert hidden_folders([project]) == ((home / ".git", project), (home,))
    system = [Path(place) for place in ("/", "/usr", "/etc", "/proc/self") if os.path.exists(place)]  # noqa: PTH110
    assert hidden_folders(system)[0] == ()


@pytest.mark.parametrize("text", [b"gitdir: /nowhere\n", b"\xff", b"", b"else"])
def test_a_broken_repository_is_hidden_as_far_as_it_goes(top: Path, text: bytes) -> None:
    (top / "inner").mkdir(parents=True)
    (top / ".git").write_bytes(text)
    assert hidden_folders([top / "inner"]) == ((top, top / "inner"), ())
