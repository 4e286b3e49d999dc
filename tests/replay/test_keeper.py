"""The keeper around a build: its program's end is its own, and nothing outlives it."""

import signal
import subprocess
import sys

import pytest

from gate.replay import keeper
from gate.replay.keeper import end, kept

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="adopts orphans")


def ran(*argv):
    return subprocess.run(kept(argv), capture_output=True, start_new_session=True, timeout=60)


@pytest.mark.parametrize(
    ("line", "code"), [("exit 0", 0), ("exit 7", 7), ("kill -KILL $$", 137), ("kill -TERM $$", 143)]
)
def test_its_exit_status_is_the_programs(line, code):
    done = ran("sh", "-c", f"echo out; echo err >&2; {line}")
    assert (done.returncode, done.stdout, done.stderr) == (code, b"out\n", b"err\n")


def test_what_cannot_start_is_told(tmp_path):
    (tmp_path / "shut").touch()
    done = ran(str(tmp_path / "shut"))
    assert (done.returncode, done.stderr) == (
        keeper.CANNOT_START,
        f"cannot start: {tmp_path}/shut: Permission denied\n".encode(),
    )


def test_a_program_that_ends_its_group_does_not_end_the_keeper():
    assert ran("sh", "-c", "trap '' TERM; kill 0; sleep 0.1; exit 5").returncode == 5


def test_it_ends_with_all_that_runs_when_it_is_told_to(gone):
    process = subprocess.Popen(
        kept(["sh", "-c", "setsid env -i sleep 7531.5 & echo on; exec sleep 7531.5"]),
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    with process.stdout:
        assert process.stdout.readline() == b"on\n"
        end(process)
    assert process.returncode == 128 + signal.SIGTERM
    assert gone("7531.5")


def test_where_orphans_cannot_be_adopted_there_is_none(monkeypatch):
    monkeypatch.setattr("gate.replay.tree.CONTAINMENT", "process group")
    assert kept(("make", "all")) == ["make", "all"]
