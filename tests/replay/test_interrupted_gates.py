"""Reported fault 32 and what belongs to it: a gate that is ended in the middle leaves nothing running and nothing half-written."""

from __future__ import annotations

import os
import re
import signal
import sys

import pytest
from whole_gates import INTERRUPTED, PLAIN, RUN, Gates, asleep, ended, interrupt, running, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sees other processes in /proc"),
]

INT, TERM, HUP, KILL = signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL
HOLD = '[ -e "${{0%/*}}/hold" ] && {{ setsid sleep {nap} & sleep {nap}; }}\necho did $1'


@pytest.fixture
def nap() -> str:
    """Seconds to sleep: a word that no other command line has."""
    return f"6{os.getpid()}"


def held(gates: Gates, nap: str, *, side: str) -> None:
    """A project in which one side stops in its first step, as long as a file stands beside its program."""
    gates.project(HOLD.format(nap=nap))
    (gates.root / side / "bin" / "hold").touch()


def freed(gates: Gates, side: str) -> None:
    (gates.root / side / "bin" / "hold").unlink()


def named(files: set[str]) -> set[str]:
    return {re.sub(r"[0-9a-f]{64}|(?<=/)[0-9a-f]{12}(?=/)", "KEY", file) for file in files}


LOCK = f"temp/gate-{os.getuid()}/KEY/s0.lock"
KEPT = {
    "project/.gate/.gitignore",
    "project/.gate/cache/environments/KEY.json",
    "project/.gate/cache/goldens/KEY/digests.json",
    "project/.gate/cache/goldens/KEY/run-000.jsonl",
    "project/.gate/cache/goldens/KEY/run-001.jsonl",
}


@pytest.mark.parametrize(
    ("number", "group", "sandbox"),
    [(INT, True, "off"), (INT, False, "auto"), (TERM, False, "off"), (TERM, True, "auto"), (HUP, False, "off")],
    ids=lambda value: value.name if isinstance(value, signal.Signals) else str(value),
)
def test_what_an_interrupted_run_kept_is_whole_and_used_by_the_next(
    gates: Gates, nap: str, number: signal.Signals, group: bool, sandbox: str
) -> None:
    """Reported fault 32. The baseline had been replayed, the candidate was at work."""
    held(gates, nap, side="new")
    words = (*RUN, "--sandbox", sandbox)
    process = gates.start(*words)
    asleep(process, nap)
    interrupt(process, number, group=group)
    code, out, err = ended(process)
    assert (code, out, err.splitlines()[-1]) == (130, "", INTERRUPTED[2].rstrip())
    assert running(nap) == []
    assert named(gates.files()) == {LOCK, *KEPT}

    freed(gates, "new")
    err = gates.clean(*words)
    assert "baseline: unchanged, its kept golden is used" in err
    after = gates.card()
    (gates.root / ".gate").rename(gates.root / "set aside")
    gates.clean(*words)
    assert gates.card() == after, "as if nobody had interrupted anything"


@pytest.mark.parametrize("number", [INT, TERM], ids=lambda one: one.name)
def test_a_run_interrupted_in_the_baseline_keeps_no_golden(gates: Gates, nap: str, number: signal.Signals) -> None:
    """Reported fault 32: half a golden is none."""
    held(gates, nap, side="old")
    process = gates.start(*PLAIN)
    asleep(process, nap)
    interrupt(process, number)
    assert ended(process) == INTERRUPTED
    assert running(nap) == []
    assert named(gates.files()) == {LOCK, "project/.gate/.gitignore"}


def test_a_second_ctrl_c_leaves_nothing_running_either(gates: Gates, nap: str) -> None:
    """Reported fault 32: whoever is impatient."""
    held(gates, nap, side="new")
    process = gates.start(*PLAIN)
    asleep(process, nap)
    for _ in range(3):
        interrupt(process, INT)
    assert ended(process)[0] in (130, -INT)
    until(lambda: running(nap) == [])
    freed(gates, "new")
    gates.clean(*PLAIN)


def test_what_a_killed_gate_leaves_spoils_no_later_run(gates: Gates, nap: str) -> None:
    """Reported fault 32, where nobody can clean up: the workers end by themselves, and the next gate empties the slot."""
    held(gates, nap, side="new")
    process = gates.start(*PLAIN)
    asleep(process, nap)
    interrupt(process, KILL)
    assert ended(process)[0] == -KILL
    until(lambda: running(nap) == [])
    freed(gates, "new")
    err = gates.clean(*PLAIN)
    assert "baseline: unchanged, its kept golden is used" in err
    assert {name for name in named(gates.files()) if name.startswith("temp/")} == {LOCK}


DAEMON = "setsid env -i sleep {nap} </dev/null >/dev/null 2>&1 &"


@pytest.mark.parametrize("sandbox", ["off", "auto"])
@pytest.mark.parametrize("number", [INT, TERM, KILL], ids=lambda one: one.name)
def test_a_build_that_is_interrupted_leaves_no_daemon(
    gates: Gates, nap: str, number: signal.Signals, sandbox: str
) -> None:
    """Reported faults 3, 32: in a session of its own, and with nothing in its environment by which it could be known."""
    command = ["sh", "-c", DAEMON.format(nap=nap) + f" sleep {nap}"]
    gates.project("echo did $1", config=f"[build]\ncommand = {command}\n")
    process = gates.start(*RUN, "--sandbox", sandbox)
    asleep(process, nap)
    interrupt(process, number)
    assert ended(process)[0] == (-KILL if number is KILL else 130)
    until(lambda: running(nap) == [])
    assert not (gates.root / ".gate" / "cache").exists()


@pytest.mark.parametrize("sandbox", ["off", "auto"])
def test_a_daemon_of_a_build_ends_with_the_build(gates: Gates, nap: str, sandbox: str) -> None:
    """Reported fault 3: it clears its environment, too."""
    command = ["sh", "-c", DAEMON.format(nap=nap) + " sleep 0.1"]
    gates.project("echo did $1", config=f"[build]\ncommand = {command}\n")
    gates.clean(*RUN, "--sandbox", sandbox)
    assert running(nap) == []


@pytest.mark.parametrize("number", [INT, TERM, KILL], ids=lambda one: one.name)
def test_a_vote_that_is_interrupted_leaves_nothing_running(gates: Gates, nap: str, number: signal.Signals) -> None:
    """Reported fault 32, for the program that a property runs."""
    gates.project(f'[ "$1" = nap ] && {{ setsid sleep {nap} & sleep {nap}; }}\necho did $1')
    (gates.root / "properties").mkdir()
    (gates.root / "properties" / "test_it_ends.py").write_text(
        "def test_it_ends(subject):\n    subject.run('tool', 'nap')\n"
    )
    gates.clean("pin")
    process = gates.start(*PLAIN)
    asleep(process, nap)
    interrupt(process, number)
    assert ended(process)[0] == (-KILL if number is KILL else 130)
    until(lambda: running(nap) == [])


@pytest.mark.parametrize("sandbox", ["off", "auto"])
def test_a_daemon_of_the_example_tests_ends_with_them(gates: Gates, nap: str, sandbox: str) -> None:
    """Reported fault 3."""
    report = '<testsuite><testcase classname=\\"a\\" name=\\"b\\"/></testsuite>'
    line = DAEMON.format(nap=nap) + f" sleep 0.1; echo '{report}' > {{report}}"
    gates.project("echo did $1", config=f'[suite]\ncommand = ["sh", "-c", "{line}"]\n')
    gates.clean(*RUN, "--sandbox", sandbox)
    assert running(nap) == []
