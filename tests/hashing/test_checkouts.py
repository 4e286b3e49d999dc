"""One commit, checked out by git under other settings, is one judge."""

import subprocess
from pathlib import Path

import pytest
from packs import make_project

from gate.config.load import load_project
from gate.config.model import Project
from gate.hashing.attributes import protect_line_endings
from gate.hashing.judge import pin_project, verify_project
from gate.hashing.pack import scan_pack

pytestmark = pytest.mark.usefixtures("isolated_git")


def git(*words: str, at: Path, umask: int = 0o022) -> None:
    subprocess.run(["git", *words], cwd=at, check=True, capture_output=True, umask=umask)


def committed(root: Path, *, protect: bool) -> Project:
    project = make_project(root)
    (project.fixtures / "run.sh").write_text("#!/bin/sh\n")
    (project.fixtures / "run.sh").chmod(0o755)
    (project.fixtures / "dos.txt").write_bytes(b"a\r\nb\r\n")
    (project.fixtures / "inbox").mkdir()
    (project.fixtures / "l").symlink_to("dos.txt")
    git("init", "-q", at=root)
    pin_project(project)
    if protect:
        protect_line_endings(project)
    git("add", "-A", at=root)
    git("commit", "-q", "-m", "judge", at=root)
    return project


def cloned(project: Project, to: Path, *settings: str, umask: int = 0o022) -> Project:
    words = [word for setting in settings for word in ("-c", setting)]
    git(*words, "clone", "-q", str(project.root), str(to), at=to.parent, umask=umask)
    return load_project(to)


@pytest.mark.parametrize("autocrlf", ["true", "input", "false"])
def test_a_protected_judge_is_checked_out_as_it_was_pinned(tmp_path, autocrlf):
    """Fault 33; the empty folder that git does not keep is no drift (fault 46)."""
    project = committed(tmp_path / "a", protect=True)
    clone = cloned(project, tmp_path / "b", f"core.autocrlf={autocrlf}")
    assert not (clone.fixtures / "inbox").exists()
    assert verify_project(clone) == ()


def test_without_protection_the_drift_names_the_file_and_the_cause(tmp_path):
    """Fault 33: git status is clean, and yet the bytes are others."""
    project = committed(tmp_path / "a", protect=False)
    clone = cloned(project, tmp_path / "b", "core.autocrlf=true")
    assert (clone.fixtures / "orders.txt").read_bytes() == b"x\r\ny\r\n"
    clone.pins_file.write_bytes(project.pins_file.read_bytes())
    drifts = verify_project(clone)
    assert [(drift.what, drift.path) for drift in drifts] == [
        ("judge", b"config"),
        ("judge", b"corpus"),
        ("content", b"orders.txt"),
        ("content", b"run.sh"),
    ]
    assert {drift.hint.partition(";")[0] for drift in drifts} == {
        "CR bytes added: line endings were rewritten on checkout"
    }


def test_clones_under_two_umasks_have_one_digest(tmp_path):
    """Fault 39."""
    project = committed(tmp_path / "a", protect=True)
    tight, loose = (cloned(project, tmp_path / f"{mask:o}", umask=mask) for mask in (0o022, 0o002))
    modes = [clone.fixtures.joinpath("orders.txt").stat().st_mode & 0o777 for clone in (tight, loose)]
    assert modes == [0o644, 0o664]
    assert scan_pack(tight.fixtures).digest == scan_pack(loose.fixtures).digest
    assert (verify_project(tight), verify_project(loose)) == ((), ())


def test_an_executable_bit_lost_between_pin_and_verify_is_told(tmp_path):
    """Fault 40."""
    project = committed(tmp_path / "a", protect=True)
    (project.fixtures / "run.sh").chmod(0o644)
    assert [drift.line for drift in verify_project(project)] == ["fixture 'run.sh' changed: mode 755 -> 644"]


def test_a_checkout_without_links_is_told_as_such(tmp_path):
    project = committed(tmp_path / "a", protect=True)
    clone = cloned(project, tmp_path / "b", "core.symlinks=false")
    (drift,) = verify_project(clone)
    assert (drift.what, drift.hint) == (
        "kind",
        "the checkout made a plain file of the link to 'dos.txt': set core.symlinks=true",
    )


def test_an_ignored_leftover_is_drift(tmp_path):
    """Fault 47."""
    project = committed(tmp_path / "a", protect=True)
    (project.root / ".git" / "info" / "exclude").write_text("tmp.cache\n")
    (project.fixtures / "tmp.cache").touch()
    assert [(drift.what, drift.path) for drift in verify_project(project)] == [("added", b"tmp.cache")]
