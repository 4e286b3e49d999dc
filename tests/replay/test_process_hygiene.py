from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from gate.domain import Step
from gate.errors import ReplayError
from gate.replay import spawn as spawning
from gate.replay.slot import Slot
from gate.replay.spawn import Pipes, spawn
from gate.replay.tree import refuse_windows

Replay = Callable[..., list[dict[str, bytes]]]

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeping a process tree needs /proc")


def running_in(slot: Slot) -> list[int]:
    """Processes whose HOME is below the slot, zombies apart."""
    mark = f"\0HOME={slot.root}/c".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in b"\0" + (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def test_an_orphan_that_holds_stdout_does_not_hold_up_the_step(replay: Replay, slot: Slot) -> None:
    """Reported fault 1."""
    start = time.monotonic()
    steps = replay("sleep 60 & echo hi", timeout=60.0)
    assert time.monotonic() - start < 30  # else it was held up for all of the 60
    assert steps == [{"status": b"0", "stdout": b"hi\n", "stderr": b"", "files": b"", "leftovers": b"1"}]
    assert running_in(slot) == []


def test_a_descendant_that_ends_within_the_grace_is_no_leftover(replay: Replay) -> None:
    assert replay("(sleep 0.05; echo late) & echo hi") == [
        {"status": b"0", "stdout": b"hi\nlate\n", "stderr": b"", "files": b""}
    ]


@linux
def test_a_silent_daemon_in_a_session_of_its_own_is_a_leftover(replay: Replay, slot: Slot) -> None:
    """Reported fault 3, without a time limit to be hit."""
    steps = replay("setsid sleep 60 >/dev/null 2>&1 </dev/null & sleep 0.05")
    assert steps == [{"status": b"0", "stdout": b"", "stderr": b"", "files": b"", "leftovers": b"1"}]
    assert running_in(slot) == []


@linux
@pytest.mark.slow
def test_a_step_over_its_time_ends_with_its_whole_tree(replay: Replay, slot: Slot) -> None:
    """Reported faults 1, 3: the limit holds although descendants keep the pipe, or left the process group."""
    start = time.monotonic()
    steps = replay("echo early; sleep 60 & wait", "setsid sleep 60 & wait", timeout=1.0)
    assert time.monotonic() - start < 30  # else one of them was waited for: 60
    assert steps == [
        {"status": b"timeout", "stdout": b"early\n", "stderr": b"", "files": b""},
        {"status": b"timeout", "stdout": b"", "stderr": b"", "files": b""},
    ]
    assert running_in(slot) == []


@pytest.mark.slow
def test_nothing_of_a_step_is_alive_when_the_next_one_starts(replay: Replay) -> None:
    """Reported fault 2."""
    steps = replay("(sleep 1.4; echo late >> data.txt) & wait", "sleep 0.9; cat data.txt", timeout=1.0)
    assert [step["status"] for step in steps] == [b"timeout", b"1"]
    assert [step["files"] for step in steps] == [b"", b""]


def test_each_step_leads_a_session_of_its_own(replay: Replay) -> None:
    leader = "import os; print(os.getsid(0) == os.getpgid(0) == os.getpid())"
    steps = replay(*[Step(argv=(os.fsencode(sys.executable), b"-S", b"-c", leader.encode()))] * 2)
    assert [step["stdout"] for step in steps] == [b"True\n", b"True\n"]


def children() -> set[str]:
    """Pids of the processes that this one started and has not reaped, ended ones among them."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            head, _, rest = path.read_text().rpartition(")")
            if rest.split()[1] == str(os.getpid()):
                found.add(head.split()[0])
    return found


@linux
@pytest.mark.slow
def test_no_zombies_remain_after_many_steps(replay: Replay) -> None:
    """Reported fault 6."""
    zombies = """for f in /proc/[0-9]*/stat; do read -r line < $f || continue; set -- ${line##*) };
        [ "$1" = Z ] && [ "$2" = $PPID ] && echo zombie; done; true"""
    before = children()  # of other tests in this process
    steps = replay(*["true & exit 0"] * 500, zombies)
    assert {step["status"] for step in steps} == {b"0"}
    assert steps[-1]["stdout"] == b""
    assert children() <= before


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.ENOMEM])
def test_a_failing_fork_is_no_finding(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Reported fault 6: the machine failed, not the step."""

    def no_more(*words: object, **more: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(spawning.os, "posix_spawn", no_more)
    pipes = Pipes(0, None)
    try:
        with pytest.raises(ReplayError, match=r"could not start 'true'.*not caused by this patch"):
            spawn(b"/bin/true", [b"true"], {}, pipes)
    finally:
        pipes.close()


@linux
def test_what_cannot_be_killed_is_an_error_with_its_pid() -> None:
    """Reported fault 3: never a pass while something lives on."""
    script = """
import os, subprocess
from gate.errors import ReplayError
from gate.replay import tree
child = subprocess.Popen(["sleep", "60"])
kill, tree.KILL_SECONDS = os.kill, 0.05
os.kill = lambda pid, number: None
try:
    tree.kill_children()
except ReplayError as error:
    assert str(child.pid) in error.what, error.what
    print("refused")
finally:
    kill(child.pid, 9)
    child.wait()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"refused\n", b"")


def test_a_port_of_one_step_is_free_for_the_next(replay: Replay) -> None:
    """Reported fault 25: a server left behind does not keep its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    serve = f"""
import os, socket, time
server = socket.socket(); server.bind(("127.0.0.1", {port})); server.listen()
print("bound", flush=True)
if os.fork() == 0:
    os.setsid()
    time.sleep(60)
"""
    step = Step(argv=(os.fsencode(sys.executable), b"-c", serve.encode()))
    steps = replay(step, step)
    assert [(one["status"], one["stdout"], one.get("leftovers")) for one in steps] == [(b"0", b"bound\n", b"1")] * 2


def test_windows_is_refused_at_once() -> None:
    """Reported fault 31."""
    with pytest.raises(ReplayError, match="replay needs Linux or macOS, this is win32") as refusal:
        refuse_windows("win32")
    assert refusal.value.next_step == "Run the gate in WSL 2, in a Linux container, or on a Linux CI runner."


def test_windows_is_refused_in_our_own_words_by_what_a_gate_calls_first(tmp_path: Path) -> None:
    """Reported fault 31: not by a module that Windows does not have."""
    script = f"""
import sys
from pathlib import Path
sys.modules.update(fcntl=None, resource=None)
sys.platform = "win32"
from gate.errors import ReplayError
from gate.replay.engine import LocalEngine
from gate.replay.interface import Recipe
from gate.replay.slot import claim_slot
for refused in (
    lambda: claim_slot(Path({str(tmp_path)!r})).__enter__(),
    lambda: LocalEngine().replay(Recipe(slot="/gate/project/s0"), [], on_case=print),
):
    try:
        refused()
    except ReplayError as error:
        print(error.what)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, text=True)
    refusal = "replay needs Linux or macOS, this is win32: process trees cannot be contained here\n"
    assert (done.stdout, done.stderr) == (refusal * 2, "")


@linux
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda one: one.name)
def test_a_gate_that_is_ended_leaves_nothing_running(slot: Slot, number: signal.Signals) -> None:
    """Reported fault 32."""
    script = f"""
from gate.domain import Case, Step
from gate.replay.engine import LocalEngine
from gate.replay.interface import Recipe
step = Step(argv=(b"sh", b"-c", b"setsid sleep 600 & sleep 600"))
cases = [Case(id=str(n), steps=(step,)) for n in range(4)]
LocalEngine(workers=2).replay(Recipe(slot={str(slot.root)!r}, timeout=600.0), cases, on_case=lambda: None)
"""
    gate = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.DEVNULL)
    until = time.monotonic() + 20
    while len(running_in(slot)) < 6 and time.monotonic() < until:  # two workers: a shell and two sleeps each
        time.sleep(0.05)
    assert len(running_in(slot)) == 6
    gate.send_signal(number)
    until = time.monotonic() + 5
    assert gate.wait(5) != 0
    while running_in(slot) and time.monotonic() < until:
        time.sleep(0.05)
    assert running_in(slot) == []


@linux
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda one: one.name)
def test_a_gate_that_is_ended_between_two_replays_leaves_no_worker(slot: Slot, number: signal.Signals) -> None:
    """Reported fault 32, for workers that wait."""
    script = f"""
from gate.domain import Case, Step
from gate.replay.engine import LocalEngine
from gate.replay.interface import Recipe
cases = [Case(id=str(n), steps=(Step(argv=(b"sh", b"-c", b"echo $PPID; sleep 0.1")),)) for n in range(4)]
with LocalEngine(workers=2) as engine:
    runs = engine.replay(Recipe(slot={str(slot.root)!r}), cases, on_case=lambda: None)
    print(*{{int(record.fields["stdout"].data) for (record,) in runs}}, flush=True)
    input()
"""
    gate = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert gate.stdin is not None
    assert gate.stdout is not None
    with gate.stdin, gate.stdout:
        workers = [Path(f"/proc/{pid}") for pid in gate.stdout.readline().split()]
        assert [worker.exists() for worker in workers] == [True, True]
        gate.send_signal(number)
        assert gate.wait(60) == -number
    until = time.monotonic() + 60
    while any(worker.exists() for worker in workers) and time.monotonic() < until:
        time.sleep(0.05)
    assert [worker.exists() for worker in workers] == [False, False]


def test_a_process_that_closes_its_streams_and_goes_on_is_waited_for(replay: Replay) -> None:
    assert replay("exec >&- 2>&-; sleep 0.3; echo x > made; exit 3") == [
        {"status": b"3", "stdout": b"", "stderr": b"", "files": b"created file 644 made\n", "files:made": b"x\n"}
    ]
    assert replay("exec >&- 2>&-; sleep 60", timeout=0.5)[0]["status"] == b"timeout"


def test_a_core_dump_is_no_file_of_the_step_and_the_signal_is_named(replay: Replay) -> None:
    assert replay("kill -SEGV $$", "kill -34 $$") == [
        {"status": b"signal SIGSEGV", "stdout": b"", "stderr": b"", "files": b""},
        {"status": b"signal SIGRTMIN", "stdout": b"", "stderr": b"", "files": b""},
    ]


def test_what_cannot_start_says_why(replay: Replay) -> None:
    steps = replay(
        "printf 'echo no shebang' > plain; chmod 755 plain; printf '#!/no/such\\n' > lost; chmod 755 lost; touch shut",
        Step(argv=(b"no-such-program", b"x")),
        Step(argv=(b"./missing",)),
        Step(argv=(b"./plain",)),
        Step(argv=(b"./lost",)),
        Step(argv=(b"./shut",)),
        Step(argv=(b"true", b"x" * (1 << 18))),
        Step(argv=(b"",)),
        "rmdir ../tmp; rm -r ../work",
        "true",
    )
    assert [step["status"].decode() for step in steps] == [
        "0",
        "cannot start: not found",
        "cannot start: not found",
        "cannot start: not an executable format",
        "cannot start: its interpreter is not found",
        "cannot start: permission denied",
        "cannot start: argument list too long",
        "cannot start: not found",
        "0",
        "cannot start: no working directory",
    ]
