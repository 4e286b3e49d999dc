"""`gate show` and `gate repro` as a person types them."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from forked_commands import called

pytestmark = pytest.mark.slow


def gate(root, *words):
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), "TMPDIR": os.environ.get("TMPDIR", "/tmp")}
    return called("gate", *words, "--project", str(root), cwd=Path.cwd(), env=environment)


@pytest.fixture
def project(tmp_path):
    for side, word in (("old", "did"), ("new", "went")):
        program = tmp_path / side / "bin" / "tool"
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\n[ $1 = two ] && echo {word} $1\nexit 0\n")
        program.chmod(0o755)
    (tmp_path / "gate.toml").write_text('version = 1\n[program]\npath = ["bin"]\n')
    assert gate(tmp_path, "corpus", "add", "A", "--step", "tool one", "--step", "tool two loud").returncode == 0
    assert gate(tmp_path, "pin").returncode == 0
    return tmp_path


def run(project):
    sides = ("--baseline", str(project / "old"), "--candidate", str(project / "new"), "--sandbox", "off")
    assert gate(project, "run", *sides).returncode == 1


def test_without_a_run_the_next_step_is_named(project):
    for command in ("show", "repro"):
        done = gate(project, command, "g1")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.endswith("There is no run yet: gate run first.\n")


def test_a_group_is_shown(project):
    run(project)
    done = gate(project, "show", "g1", "--all")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "g1: tool: value, 1 step, flagged\n  case A step 2  tool: stdout, flagged\n"
        '      stdout: "did two\\n" → "went two\\n"\n\ncase A step 2\n'
        '    1  tool one\n  > 2  tool two loud\n\nstdout: "did two\\n" → "went two\\n"\n'
    )


def test_an_unknown_group_gets_the_list_of_them(project):
    run(project)
    done = gate(project, "show", "g7")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: group 'g7': expected one of the run's 1 groups\nThey are:\n"
        "  g1  case A step 2, tool: value, 1 step, flagged\n"
    )


def test_a_group_is_reproduced_from_the_trees_of_the_run(project):
    run(project)
    done = gate(project, "repro", "g1", "--sandbox", "off")
    assert done.returncode == 0, done.stderr
    told, script = done.stdout.split("#!/bin/sh\n")
    assert re.sub(r"after \d+ trials", "after N trials", told) == (
        "case A, as it stands in the corpus:\n    1  tool one\n  > 2  tool two loud\n\n"
        "after N trials:\n  > 1  tool two\n\n"
        "seen again in 5 of 5 runs of each side, in processes of their own:\n\n"
        'stdout: "did two\\n" → "went two\\n"\n\n'
    )
    file = project / ".gate" / "repro" / "g1.sh"
    assert file.read_text() == "#!/bin/sh\n" + script
    shown = subprocess.run(["sh", str(file)], capture_output=True, text=True)
    assert (shown.returncode, "-did two\n+went two\n" in shown.stdout) == (1, True)


def test_other_trees_are_refused(project):
    run(project)
    done = gate(project, "repro", "g1", "--baseline", str(project / "new"), "--candidate", str(project / "old"))
    assert done.returncode == 2
    assert done.stderr.startswith("error: baseline: expected that of the run (gate-pack-1:sha256:")


def test_commits_of_a_run_are_found_again(project):
    def git(*words):
        told = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
        subprocess.run(["git", "-C", str(project), *told, *words], check=True, capture_output=True)

    (project / "gate.toml").write_text('version = 1\n[program]\npath = ["now/bin"]\n')
    assert gate(project, "pin").returncode == 0
    (project / ".gitignore").write_text(".gate/\n")
    (project / "old").rename(project / "now")
    new = (project / "new" / "bin" / "tool").read_text()
    (project / "new" / "bin" / "tool").unlink()
    git("init")
    git("add", ".")
    git("commit", "-m", "old")
    git("branch", "base")
    (project / "now" / "bin" / "tool").write_text(new)
    git("commit", "-am", "new")
    ran = gate(project, "run", "--base", "base", "--head", "main", "--sandbox", "off")
    assert ran.returncode == 1, ran.stderr
    done = gate(project, "repro", "g1", "--sandbox", "off")
    assert done.returncode == 0, done.stderr
    shown = subprocess.run(["sh", str(project / ".gate" / "repro" / "g1.sh")], capture_output=True, text=True)
    assert (shown.returncode, "-did two\n+went two\n" in shown.stdout) == (1, True), shown.stderr
