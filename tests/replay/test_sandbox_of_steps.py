"""Steps in a sandbox: what they cannot reach, what they cannot leave, and that the records are the same."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.domain import Case, Record, Step
from gate.replay.engine import LocalEngine
from gate.replay.interface import Recipe
from gate.replay.sandbox import NO_SANDBOX, Sandbox
from gate.replay.slot import Slot
from gate.replay.tree import kill_strays

Cases = Callable[..., Case]
Recipes = Callable[..., Recipe]
Runs = tuple[tuple[Record, ...], ...]


@pytest.fixture
def run(sandbox: Sandbox, recipe: Recipes) -> Callable[..., Runs]:
    def replay(*cases: Case, workers: int = 1, **settings: object) -> Runs:
        engine = LocalEngine(workers=workers, sandbox=sandbox)
        return engine.replay(recipe(**settings), cases, on_case=lambda: None)

    return replay


def told(record: Record, name: str = "stdout") -> str:
    return record.fields[name].data.decode()


def python(code: str) -> Step:
    return Step(argv=(sys.executable.encode(), b"-S", b"-c", code.encode()))


@pytest.mark.slow
def test_the_records_are_the_same_with_and_without(sandbox: Sandbox, recipe: Recipes, case: Cases, slot: Slot) -> None:
    slot.template.mkdir()
    (slot.template / "kept.txt").write_text("kept\n")
    tool = slot.build / "bin" / "tool"
    tool.parent.mkdir(parents=True)
    tool.write_text('#!/bin/sh\necho "$0 $HOME $TMPDIR $*"; pwd; whoami; umask; exit 3\n')
    tool.chmod(0o755)
    cases = [
        case(
            f"tool {n}; sleep 0.0{n}; echo more >> kept.txt; rm -f gone; mkdir -p a/b; ln -s kept.txt l; chmod 600 l; ls -la a",
            Step(argv=(b"cat",), stdin=bytes([n, 255])),
            "sleep 60 & exit 2",
            "kill -SEGV $$",
            "echo $HOME > $HOME/home; ln kept.txt hard; ls ..; ulimit -f; cat kept.txt >&2; tool",
            Step(argv=(b"no-such-program",)),
            name=f"case {n}",
        )
        for n in range(6)
    ]
    made = recipe(path=(str(tool.parent),))
    runs = [
        LocalEngine(workers=workers, sandbox=box).replay(made, cases, on_case=lambda: None)
        for box, workers in ((NO_SANDBOX, 2), (sandbox, 1), (sandbox, 2), (sandbox, 6))
    ]
    assert runs[0] == runs[1] == runs[2] == runs[3]
    assert told(runs[0][0][0], "status") == "0"
    assert "<BUILD>/bin/tool" in told(runs[0][0][0])


LEAVE = (
    "ls /tmp | grep -c mine; ls -A /var/tmp /dev/shm /dev/mqueue | grep -c mine; ipcs -m -q -s | grep -c 0x;"
    "touch /tmp/mine /var/tmp/mine /dev/shm/mine; mkdir -p /tmp/mine.d/x; chmod 0 /tmp/mine.d; touch /dev/mqueue/mine;"
    "ipcmk -M 64 -Q -S 1 > ids; rm ids; stat -c %a /tmp; chmod 700 /tmp"
)


def test_what_a_case_leaves_in_private_folders_is_gone_for_the_next(run: Callable[..., Runs], case: Cases) -> None:
    """So the records do not depend on the number of workers."""
    cases = [case(LEAVE, "ls /tmp | grep -c mine", name=f"{n}") for n in range(4)]
    one = run(*cases)
    assert {told(records[0]) for records in one} == {"0\n0\n0\n1777\n"}
    assert {told(records[1]) for records in one} == {"2\n"}  # one case's steps do share it
    assert run(*cases, workers=2) == one


def test_a_step_cannot_write_into_the_build_nor_into_the_other_side(
    sandbox: Sandbox, recipe: Recipes, case: Cases, slot: Slot
) -> None:
    """Also after the sides have changed places under workers that stayed."""
    for side in ("baseline", "candidate"):
        slot.parked(side).mkdir()
        (slot.parked(side) / "code").write_text(side)
    slot.template.mkdir()
    attack = "for f in build template; do echo x > ../../$f/new; echo x > ../../$f/code; mv ../../$f ../../m; done"
    with LocalEngine(workers=1, sandbox=sandbox) as engine:
        for side in ("baseline", "candidate", "baseline"):
            slot.parked(side).rename(slot.build)
            (records,) = engine.replay(recipe(), [case("cat ../../build/code", attack)], on_case=lambda: None)
            slot.build.rename(slot.parked(side))
            assert told(records[0]) == side
            assert told(records[1], "stderr").count("Read-only file system") >= 4
    assert [path.name for path in slot.root.rglob("*")] == ["template"]
    assert sorted(path.name for path in slot.parking.rglob("*")) == ["base", "cand", "code", "code"]
    assert [slot.parked(side).joinpath("code").read_text() for side in ("baseline", "candidate")] == [
        "baseline", "candidate",
    ]  # fmt: skip


def test_a_link_out_of_the_directory_leads_nowhere_writable(
    run: Callable[..., Runs], case: Cases, tmp_path: Path
) -> None:
    """Reported fault 26."""
    ((first, second),) = run(
        case(f"ln -s /etc out; ln -s {tmp_path} up; echo x > out/gate-new; echo x > up/new", "cat out/gate-new up/new")
    )
    assert "gate-new: Read-only file system" in told(first, "stderr")
    assert "gate-new: No such file" in told(second, "stderr")
    assert not (tmp_path / "new").exists()
    assert not Path("/etc/gate-new").exists()


def test_the_real_home_is_closed_even_when_it_is_looked_up(run: Callable[..., Runs], case: Cases) -> None:
    """Reported faults 20, 21: the password database leads there without HOME."""
    code = "import os, pwd; open(os.path.join(pwd.getpwuid(os.getuid()).pw_dir, '.gate-new'), 'w')"
    ((first, second),) = run(case("mkdir -p ~/.config/tool && echo k > ~/.config/tool/key", python(code)))
    assert told(first, "files").endswith("~/.config/tool/key\n")
    assert "Errno" in told(second, "stderr")
    assert not (Path(os.path.expanduser("~")) / ".gate-new").exists()  # noqa: PTH111


def test_git_of_a_step_cannot_reach_a_real_repository(run: Callable[..., Runs], case: Cases, tmp_path: Path) -> None:
    """Reported fault 18, also where the step itself names it."""
    victim = tmp_path / "victim"
    subprocess.run(["git", "init", "-q", victim], check=True)
    before = sorted((path, path.lstat().st_mtime_ns) for path in victim.rglob("*"))
    run(
        case(
            f"GIT_DIR={victim}/.git git -c user.name=a -c user.email=b commit -q --allow-empty -m x; echo > {victim}/.git/config"
        )
    )
    assert sorted((path, path.lstat().st_mtime_ns) for path in victim.rglob("*")) == before


def test_a_step_sees_no_other_process_and_no_network(run: Callable[..., Runs], case: Cases) -> None:
    """Reported fault 127."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = (
            "import os, socket\n"
            "print(sorted(int(name) for name in os.listdir('/proc') if name.isdigit()) == [1, os.getpid()])\n"
            f"print(socket.socket().connect_ex(('127.0.0.1', {server.getsockname()[1]})) != 0)\n"
        )
        ((record,),) = run(case(python(code)))
    assert told(record) == "True\nTrue\n", told(record, "stderr")


def test_killing_everything_kills_the_step_alone(run: Callable[..., Runs], case: Cases) -> None:
    """The worker is process 1 of its namespace: what is sent to it from inside does not arrive."""
    hostile = "kill -9 -1; for s in KILL STOP TERM INT HUP QUIT USR1 ALRM 40; do kill -$s 1; done; echo here"
    runs = run(case(hostile, "echo next", name="a"), case("echo last", name="b"))
    assert [told(record) for records in runs for record in records] == ["here\n", "next\n", "last\n"]


def test_a_step_cannot_trace_nor_read_its_worker(run: Callable[..., Runs], case: Cases) -> None:
    """Else it could write the records itself."""
    code = (
        "import ctypes, os\n"
        "print(ctypes.CDLL(None).ptrace(16, 1, 0, 0))\n"
        "for name in ('mem', 'environ', 'maps', 'fd/1', 'fd/6'):\n"
        "    try:\n"
        "        open(f'/proc/1/{name}', 'rb').read(1)\n"
        "        print(name)\n"
        "    except PermissionError:\n"
        "        pass\n"
    )
    ((record,),) = run(case(python(code)))
    assert told(record) == "-1\n", told(record, "stderr")


def test_capabilities_are_gone_and_no_program_gives_them_back(run: Callable[..., Runs], case: Cases) -> None:
    ((record, other),) = run(
        case("grep -E '^(CapInh|CapPrm|CapEff|CapAmb|NoNewPrivs)' /proc/self/status", "chown 12345 . && echo changed")
    )
    assert told(record).split()[1::2] == ["0" * 16] * 4 + ["1"]
    assert told(other) == ""


def test_a_step_that_never_ends_is_a_timeout_and_leaves_nothing(
    run: Callable[..., Runs], case: Cases, slot: Slot, no_hang: None
) -> None:
    """Reported fault 93."""
    runs = run(
        case("setsid sh -c 'trap \"\" TERM; while :; do :; done' & while :; do :; done", "echo after"), timeout=0.5
    )
    assert [told(record, "status") for record in runs[0]] == ["timeout", "0"]
    assert kill_strays(str(slot.root)) == ()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda one: one.name)
def test_nothing_runs_on_when_the_gate_is_ended(
    sandbox: Sandbox, slot: Slot, number: signal.Signals, no_hang: None, gone: Callable[[str], bool]
) -> None:
    gate = (
        "import sys; from gate.domain import *; from gate.replay.engine import LocalEngine\n"
        "from gate.replay.interface import Recipe; from gate.replay.sandbox import Sandbox\n"
        f"step = Step(argv=(b'sh', b'-c', b'touch ../../up; setsid sleep 4713.25 & exec sleep 4713.25'))\n"
        f"engine = LocalEngine(workers=1, sandbox={sandbox!r})\n"
        f"engine.replay(Recipe(slot={str(slot.root)!r}), [Case(id=CaseId('a'), steps=(step,))], on_case=lambda: None)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", gate], stderr=subprocess.DEVNULL)
    try:
        while not (slot.root / "w0" / "up").exists():
            assert process.poll() is None
            time.sleep(0.01)
    finally:
        process.send_signal(number)
        process.wait()
    assert gone("4713.25")


def test_workers_stay_as_long_as_the_build_does(sandbox: Sandbox, recipe: Recipes, case: Cases, slot: Slot) -> None:
    (slot.build / "a").mkdir(parents=True)
    with LocalEngine(workers=1, sandbox=sandbox) as engine:
        first, second, third = (
            int(told(engine.replay(recipe(run=seed), [case("echo $$")], on_case=lambda: None)[0][0]))
            for seed in range(3)
        )
        assert first < second < third  # one namespace counts on
        slot.build.rename(slot.parked("baseline"))
        (slot.build / "b").mkdir(parents=True)
        ((record,),) = engine.replay(recipe(), [case("echo $$")], on_case=lambda: None)
        assert int(told(record)) == first


def test_a_case_that_was_left_over_does_not_stand_in_its_own_way(
    run: Callable[..., Runs], case: Cases, slot: Slot
) -> None:
    from gate.replay.place import case_folder

    (slot.root / case_folder(case().id) / "work").mkdir(parents=True)
    ((record,),) = run(case("touch new"))
    assert told(record, "files") == "created file 644 new\n"


@pytest.mark.slow
def test_a_slot_elsewhere_than_in_a_private_folder(sandbox: Sandbox, case: Cases) -> None:
    import tempfile

    from gate.replay.slot import claim_slot

    home = Path(os.path.expanduser("~")).resolve()  # noqa: PTH111
    if home.is_relative_to("/tmp") or not os.access(home, os.W_OK):
        pytest.skip("no home of our own outside of /tmp")
    with tempfile.TemporaryDirectory(dir=home, prefix=".gate-test-") as name, claim_slot(home, temp=Path(name)) as slot:
        slot.build.mkdir()
        steps = f"echo 1 > new; echo 2 > ../../build/new; echo 3 > {name}/new; pwd"
        ((record,),) = LocalEngine(workers=1, sandbox=sandbox).replay(
            Recipe(slot=str(slot.root)), [case(steps)], on_case=lambda: None
        )
        assert (told(record), told(record, "files")) == ("<WORK>\n", "created file 644 new\n")
        assert told(record, "stderr").count("Read-only file system") == 2
