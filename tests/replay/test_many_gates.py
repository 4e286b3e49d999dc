"""Many replays in one process, many gates on one project: nothing is used up, and nobody disturbs anybody."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from whole_gates import PLAIN, RUN, Gates, ended

from gate.domain import Case, Step
from gate.errors import ReplayError
from gate.replay.engine import LocalEngine
from gate.replay.interface import Recipe
from gate.replay.sandbox import find_sandbox

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


def handles() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@linux
@pytest.mark.slow
def test_no_file_stays_open_after_two_hundred_replays(recipe: Callable[..., Recipe], case: Callable[..., Case]) -> None:
    """Of the gate: with workers that stay, with workers that come and go, and after replays that raised."""
    bad = case(Step(argv=(b"a\0b",)))
    good = case("echo x; sleep 0.0 &")
    LocalEngine(workers=1).replay(recipe(), [good], on_case=lambda: None)
    before = handles()
    with LocalEngine(workers=2) as engine:
        for _ in range(180):
            engine.replay(recipe(), [good], on_case=lambda: None)
    for _ in range(10):
        LocalEngine(workers=2).replay(recipe(), [good], on_case=lambda: None)
        with pytest.raises(ReplayError, match="NUL"):
            LocalEngine(workers=2).replay(recipe(), [bad], on_case=lambda: None)
    assert handles() == before


@linux
@pytest.mark.slow
def test_no_file_stays_open_in_a_worker_after_many_steps(
    replay: Callable[..., list[dict[str, bytes]]],
) -> None:
    """Of a worker, whatever the steps do with their streams; a step itself inherits nothing but its three."""
    count = "sleep 0.3; ls /proc/$PPID/fd | wc -l; ls /proc/self/fd | wc -l"  # by then the worker holds all that it ever does
    kinds = [
        "echo x > file; head -c 100000 /dev/zero",
        "sleep 60 & echo held",
        "exec >&- 2>&-; true",
        Step(argv=(b"no-such-program",)),
        Step(argv=(b"true",), stdin=b"y" * 100_000),
    ]
    steps = replay(count, *kinds * 20, count)
    assert steps[0]["stdout"] == steps[-1]["stdout"]
    assert steps[0]["stdout"].split()[1] == b"4"  # three, and the folder that `ls` reads


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", ["off", "auto"])
def test_two_gates_at_once_in_one_project_give_the_same(gates: Gates, sandbox: str) -> None:
    gates.project("sleep 0.2; echo did $1", "sleep 0.2; echo did $1 anew")
    processes = [gates.start(*RUN, "--sandbox", sandbox) for _ in range(3)]
    codes = [ended(process)[0] for process in processes]
    assert codes == [1, 1, 1]
    cards = [gates.card(f"runs/{number:04d}") for number in (1, 2, 3)]
    assert cards[0] == cards[1] == cards[2] == gates.card()
    left = {name for name in gates.files() if name.startswith("temp/")}
    assert {Path(name).name for name in left} <= {"s0.lock", "s1.lock", "s2.lock"}


SERVER = """\
exec python3 -S -c 'import socket, time
server = socket.create_server(("127.0.0.1", {port}))
time.sleep(0.3)
print("served on {port}")'"""


@pytest.mark.slow
def test_servers_on_one_port_do_not_meet_in_a_sandbox(gates: Gates, unused_port: int) -> None:
    """Reported fault 25: two gates, each with two workers, all of whose steps listen on the same port."""
    if not find_sandbox("auto").active:
        pytest.skip("no sandbox on this machine")
    gates.project(SERVER.format(port=unused_port), cases=4)
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(gates.run, *RUN, "--sandbox", "require", "--workers", "2") for _ in range(2)]:
            code, out, err = done.result()
            assert code == 0, out + err


@pytest.mark.slow
def test_servers_on_one_port_take_turns_with_one_worker(gates: Gates, unused_port: int) -> None:
    """Reported fault 25: the two sides never run at the same time, and a port is free when its step has ended."""
    gates.project(SERVER.format(port=unused_port) + "\n", cases=2)
    gates.clean(*PLAIN, "--workers", "1")


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@linux
@pytest.mark.slow
def test_three_gibibytes_of_output_are_hashed_whole_in_bounded_memory(
    recipe: Callable[..., Recipe], case: Callable[..., Case]
) -> None:
    """Reported fault 7, where the limit allows it. Nothing of it is written to disk."""
    peak = "while read -r name size unit; do [ $name = VmHWM: ] && echo $size; done < /proc/$PPID/status; true"
    (records,) = LocalEngine(workers=1).replay(
        recipe(limit_bytes=4 << 30, keep_bytes=1 << 16, timeout=600.0),
        [case("head -c 3G /dev/zero", peak)],
        on_case=lambda: None,
    )
    stdout = records[0].fields["stdout"]
    assert records[0].fields["status"].data == b"0"
    assert (stdout.size, stdout.data) == (3 << 30, bytes(1 << 16))
    assert stdout.sha256 == "305b66a59d15b252092fbda9d09711230c429f351897cbd430e7b55a35fd3b97"
    assert int(records[1].fields["stdout"].data) < 50_000  # KiB


@pytest.mark.slow
def test_three_gibibytes_are_stopped_at_the_usual_limit(
    recipe: Callable[..., Recipe], case: Callable[..., Case]
) -> None:
    """Reported fault 7, as a project without a limit of its own sees it."""
    (records,) = LocalEngine(workers=1).replay(
        recipe(timeout=600.0), [case("head -c 3G /dev/zero")], on_case=lambda: None
    )
    assert records[0].fields["status"].data == b"overflow"
    assert (records[0].fields["stdout"].size, records[0].fields["stdout"].overflow) == (1 << 28, True)
