"""A sandbox is found, proven, and put before a command line."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gate.errors import SandboxError
from gate.replay import sandbox_probe
from gate.replay.sandbox import NO_SANDBOX, Sandbox, find_sandbox

Gone = Callable[[str], bool]
Inside = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def room(tmp_path: Path) -> Path:
    folder = tmp_path / "room"
    folder.mkdir()
    return folder


@pytest.fixture
def inside(sandbox: Sandbox, room: Path) -> Inside:
    """Run a shell line in the room, inside."""

    def run(line: str, *, readable: Sequence[Path] = (), network: bool = False) -> subprocess.CompletedProcess[str]:
        argv = sandbox.wrap(["sh", "-c", line], writable=[room], readable=readable, network=network)
        return subprocess.run(argv, cwd=room, capture_output=True, text=True, timeout=30)

    return run


def test_off_is_no_sandbox_and_changes_no_command_line(tmp_path: Path) -> None:
    assert find_sandbox("off") == NO_SANDBOX == Sandbox(kind="none", why="off")
    assert NO_SANDBOX.wrap(["a", "b"], writable=[tmp_path / "missing"]) == ["a", "b"]
    assert not NO_SANDBOX.active


def test_a_sandbox_that_fails_its_probe_is_none_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on systems that forbid namespaces: never an error later, in the middle of a run."""
    monkeypatch.setattr(sandbox_probe, "fault", lambda _: "ended with 125: sandbox: unshare: Operation not permitted")
    found = find_sandbox("auto", folders=())
    why = "namespaces of our own: ended with 125: sandbox: unshare: Operation not permitted"
    assert found == Sandbox(kind="none", why=why)
    with pytest.raises(SandboxError) as caught:
        find_sandbox("require", folders=())
    assert caught.value.diagnostics() == (
        f"--sandbox require: expected a sandbox that works, found none: {why}\n"
        "Install bubblewrap or allow user namespaces (docs/sandbox.md says how), or decide for --sandbox off."
    )


def test_elsewhere_than_on_linux_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert find_sandbox("auto") == Sandbox(kind="none", why="a sandbox needs Linux, this is darwin")


def test_a_bubblewrap_on_path_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reported fault 92."""
    fake = tmp_path / "bwrap"
    fake.write_text(f"#!/bin/sh\ntouch {tmp_path}/was-run\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    find_sandbox("auto")
    assert not (tmp_path / "was-run").exists()


def test_a_bubblewrap_that_shuts_nothing_off_is_not_believed(tmp_path: Path) -> None:
    """A program that takes every flag and runs the command: the probe finds it out."""
    fake = tmp_path / "bwrap"
    fake.write_text('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n')
    fake.chmod(0o755)
    found = find_sandbox("auto", folders=(str(tmp_path),))
    assert found.kind != "bubblewrap"
    told = sandbox_probe.fault(Sandbox(kind="bubblewrap", why="", program=str(fake)))
    assert told == "the probe inside found network: True, expected False"


def test_the_status_of_the_program_comes_out(inside: Inside) -> None:
    assert [inside(line).returncode for line in ("true", "exit 7", "kill -9 $$", "kill -TERM $$")] == [0, 7, 137, 143]


def test_a_program_that_is_missing_cannot_start(sandbox: Sandbox, room: Path) -> None:
    done = subprocess.run(
        sandbox.wrap(["no-such-program"], writable=[room]), cwd=room, capture_output=True, text=True, timeout=30
    )
    assert done.returncode != 0
    assert "no-such-program" in done.stderr


def test_only_what_is_writable_is_written(inside: Inside, room: Path, tmp_path: Path) -> None:
    (tmp_path / "shown").mkdir()
    (room / "kept").mkdir()
    done = inside(
        f"echo 1 > here; echo 2 > kept/new; echo 3 > {tmp_path}/shown/new; echo 4 > /etc/new; echo 5 > /tmp/new; cat /tmp/new",
        readable=[tmp_path / "shown", room / "kept"],
    )
    assert done.stdout == "5\n"
    assert done.stderr.count("Read-only file system") == 3
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")) == [
        "room", "room/here", "room/kept", "shown",
    ]  # fmt: skip


def test_what_is_writable_and_readable_only_is_refused(sandbox: Sandbox, room: Path) -> None:
    with pytest.raises(ValueError, match="which of them"):
        sandbox.wrap(["true"], writable=[room], readable=[room])
    with pytest.raises(ValueError, match="absolute path that is there"):
        sandbox.wrap(["true"], writable=[room / "missing"])


def test_the_network_is_shut_unless_asked_for(inside: Inside, room: Path) -> None:
    """Reported fault 127: neither the machine's own ports nor its abstract sockets are reached."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        name = f"gate-test-{os.getpid()}"
        abstract.bind(f"\0{name}")
        abstract.listen()
        (room / "reach.py").write_text(
            "import socket\n"
            f"for family, place in ((socket.AF_INET, ('127.0.0.1', {server.getsockname()[1]})), (socket.AF_UNIX, '\\0{name}')):\n"
            "    print(socket.socket(family).connect_ex(place) == 0)\n"
        )
        reach = f"{sys.executable} -S reach.py"
        assert inside(reach).stdout == "False\nFalse\n"
        assert inside(reach, network=True).stdout == "True\nTrue\n"


def test_a_program_can_talk_to_itself_through_the_loopback(inside: Inside, room: Path) -> None:
    (room / "talk.py").write_text(
        "import socket\n"
        "server = socket.create_server(('127.0.0.1', 0))\n"
        "print(socket.create_connection(server.getsockname()).getpeername()[0])\n"
    )
    assert inside(f"{sys.executable} -S talk.py").stdout == "127.0.0.1\n"


def test_the_user_is_the_same_inside(inside: Inside) -> None:
    outside = subprocess.run(["sh", "-c", "id -u; id -g; whoami"], capture_output=True, text=True)
    assert inside("id -u; id -g; whoami").stdout == outside.stdout


def test_root_inside_cannot_change_the_machine(inside: Inside) -> None:
    """Without capabilities root still owns the kernel's settings: they are read-only."""
    done = inside(
        "for file in kernel/core_pattern vm/swappiness; do true >> /proc/sys/$file; done; true >> /proc/sysrq-trigger"
    )
    assert done.returncode != 0
    assert len(done.stderr.splitlines()) == 3


def test_mounts_cannot_be_changed_from_inside(inside: Inside, room: Path, tmp_path: Path) -> None:
    (room / "kept").mkdir()
    changes = (
        f"mount -o remount,rw /; mount -o remount,bind,rw {room}/kept; umount {room}/kept; umount -l /tmp; mount --bind / /mnt;"
        f"touch {room}/kept/new {tmp_path}/new /etc/gate-new /mnt/etc/gate-new; "
    )
    inside(f"({changes}); unshare -Urm sh -c '{changes}'; unshare -Urmpf sh -c '{changes}'", readable=[room / "kept"])
    places = (room / "kept/new", tmp_path / "new", Path("/etc/gate-new"))
    assert [place.exists() for place in places] == [False, False, False]


def test_a_daemon_ends_with_the_program(sandbox: Sandbox, room: Path, gone: Gone) -> None:
    done = subprocess.run(
        sandbox.wrap(["sh", "-c", "setsid sleep 4711.25 & echo started"], writable=[room]),
        cwd=room, capture_output=True, timeout=30,
    )  # fmt: skip
    assert done.stdout == b"started\n"
    assert gone("4711.25")


def test_the_sandbox_ends_when_its_starter_is_killed(sandbox: Sandbox, room: Path, gone: Gone) -> None:
    starter = (
        "import subprocess, sys; from pathlib import Path; from gate.replay.sandbox import Sandbox\n"
        f"box = {sandbox!r}\n"
        f"argv = box.wrap(['sh', '-c', 'touch up; sleep 4712.25'], writable=[Path({str(room)!r})])\n"
        f"subprocess.Popen(argv, cwd={str(room)!r}).wait()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", starter])
    try:
        until = time.monotonic() + 20
        while not (room / "up").exists() and time.monotonic() < until:
            time.sleep(0.01)
        assert (room / "up").exists()
    finally:
        process.kill()
        process.wait()
    assert gone("4712.25")


@pytest.mark.slow
def test_a_sandbox_that_works_starts_each_time(sandbox):
    """The outer process once opened /dev/null while the inner one laid /dev anew: one start in two hundred failed."""
    argv = sandbox.wrap(["true"], writable=())
    assert [subprocess.run(argv).returncode for _ in range(150)] == [0] * 150
