"""A machine that is short of something: disk, open files, a PID 1 that reaps. Never a verdict over what failed for that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from whole_gates import PLAIN, RUN, Gates

from gate.replay.place import LEAST_FREE, is_full

pytestmark = pytest.mark.slow
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs namespaces")


def apart(*options: str) -> tuple[str, ...]:
    """The words that start a program in namespaces of its own, where it may mount; skips where nobody may."""
    words = ("unshare", "--map-root-user", "--mount", *options)
    try:
        able = subprocess.run([*words, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0
    except FileNotFoundError:
        able = False
    if not able:
        pytest.skip("no user namespaces here")
    return words


def small(place: Path, size: str) -> str:
    return f"mkdir -p '{place}' && mount -t tmpfs -o size={size} none '{place}' || exit 99"


FILL = "head -c 4000000 /dev/zero > big || echo could not"


@linux
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_step_on_a_full_disk_is_no_behaviour(gates: Gates, workers: str) -> None:
    """Found while standing up fault 6: both builds fail alike, and would agree about nothing (reported fault 27)."""
    gates.project(FILL)
    code, out, err = gates.run(*PLAIN, "--workers", workers, around=apart(), before=small(gates.temp, "3m"))
    assert (code, out) == (2, "")
    assert "full" in err or "No space left on device" in err
    if workers == "1":
        assert err.startswith(f"error: case case-0: the disk that holds {gates.temp}/gate-")
    gates.clean(*PLAIN)


@linux
def test_a_state_folder_on_a_full_disk_is_no_verdict_and_nothing_is_half_written(gates: Gates) -> None:
    gates.project("echo did $1")
    state = gates.root / ".gate"
    shown = f"find '{state}' -type f -name '.*' ! -name .gitignore >&2; find '{state}' -name scorecard.json >&2"
    before = f'{small(state, "16k")}; "$0" "$@"; code=$?; {shown}; exit $code'
    code, out, err = gates.run(*PLAIN, around=apart(), before=before)
    assert (code, out) == (2, "")
    what, cure = err.splitlines()
    assert what.startswith(f"error: {state}/")
    assert what.endswith(": no space left on device")
    assert cure == "Not caused by this patch: mend the cause and run again."
    gates.clean(*PLAIN)


@linux
def test_a_folder_is_full_where_less_than_the_least_is_free(tmp_path: Path) -> None:
    script = f"{small(tmp_path, '2m')}; {sys.executable} -c '{{code}}' '{tmp_path}'"
    code = "import os, sys; from gate.replay.place import is_full; print(is_full(os.fsencode(sys.argv[1])))"
    words = [*apart(), "sh", "-c"]
    fill = f"head -c {(2 << 20) - LEAST_FREE + 4096} /dev/zero > '{tmp_path}/x'; "
    for before, told in (("", b"False\n"), (fill, b"True\n")):
        line = script.replace("{code}", code).replace(f"; {sys.executable}", f"; {before}{sys.executable}")
        assert subprocess.run([*words, line], capture_output=True).stdout == told
    assert not is_full(bytes(tmp_path))


@pytest.mark.parametrize("sandbox", ["off", "auto"])
def test_few_open_files_change_no_verdict(gates: Gates, sandbox: str) -> None:
    gates.project("echo did $1", "echo did $1 anew")
    words = (*RUN, "--sandbox", sandbox, "--workers", "2")
    assert gates.run(*words)[0] == 1
    plain = gates.card()
    assert gates.run(*words, before="ulimit -n 64")[0] == 1
    assert gates.card() == plain


@pytest.mark.parametrize("limit", [8, 12, 16, 20])
def test_too_few_open_files_are_no_verdict_or_the_same_one(gates: Gates, limit: int) -> None:
    gates.project("echo did $1", "echo did $1 anew")
    code, out, err = gates.run(*PLAIN, "--workers", "2", before=f"ulimit -n {limit}")
    assert (code, bool(out)) in ((2, False), (1, True))
    if code == 2:
        assert "open files" in err
    assert gates.run(*PLAIN, "--workers", "2")[0] == 1


# A PID 1 that waits for one process only: what is orphaned to it and ends is a zombie for ever.
INIT = """\
import os, pathlib, sys
pid = os.fork()
if not pid:
    os.execvp(sys.argv[1], sys.argv[1:])
assert os.getpid() == 1
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
rows = [file.read_text().rpartition(")")[2].split()[:2] for file in pathlib.Path("/proc").glob("[0-9]*/stat")]
print("orphans:", sum(parent == "1" for _, parent in rows), file=sys.stderr)
sys.exit(code)
"""


@linux
@pytest.mark.parametrize("sandbox", ["off", "auto"])
def test_nothing_is_left_to_a_pid_1_that_reaps_nothing(gates: Gates, sandbox: str) -> None:
    """Reported fault 6: of a whole run, with daemons of its build, of its steps and of its property."""
    daemon = "setsid sleep 600 </dev/null >/dev/null 2>&1 & (sleep 600 &)"
    command = ["sh", "-c", f"{daemon}; true"]
    gates.project(f"{daemon}\ntrue & echo did $1", config=f"[build]\ncommand = {command}\n")
    (gates.root / "properties").mkdir()
    (gates.root / "properties" / "test_it_ends.py").write_text(
        "def test_it_ends(subject):\n    assert subject.run('tool', 'x', leftovers=True).leftovers == 2\n"
    )
    gates.clean("pin")
    around = (*apart("--pid", "--fork", "--mount-proc"), sys.executable, "-c", INIT)
    code, out, err = gates.run(*RUN, "--sandbox", sandbox, around=around)
    assert code == 0, out + err
    assert err.splitlines()[-1] == "orphans: 0"
