from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.domain import Case, CaseId, Step
from gate.errors import ReplayError
from gate.replay.engine import LocalEngine
from gate.replay.environment import LAST_SEED, SYSTEM_PATH, encoded, hash_seed, step_environment
from gate.replay.interface import Recipe

Replay = Callable[..., list[dict[str, bytes]]]
PYTHON = os.fsencode(sys.executable)


def python(code: str) -> Step:
    return Step(argv=(PYTHON, b"-S", b"-c", code.encode()))


def listing(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize(
    "callers",
    [
        {},
        {"CI": "1", "TERM": "xterm", "COLUMNS": "40", "GIT_DIR": "/repo/.git", "GITHUB_TOKEN": "secret"},
        {"LC_ALL": "pt_BR.UTF-8", "LC_TIME": "de_DE", "LANGUAGE": "fr", "TZ": "Asia/Tokyo", "COLUMNS": "200"},
        {"HOME": "/nowhere", "XDG_CONFIG_HOME": "/etc", "PYTHONPATH": "/x", "LD_PRELOAD": "", "PATH": "/usr/bin:/bin"},
    ],
    ids=["as it is", "CI in a hook", "another place", "another home"],
)
def test_a_step_sees_the_allowlist_and_nothing_else(
    replay: Replay, monkeypatch: pytest.MonkeyPatch, callers: dict[str, str]
) -> None:
    """Reported faults 13, 14, 16, 17, 20, 21."""
    for name, text in callers.items():
        monkeypatch.setenv(name, text)
    step = python("import os; print(*sorted(f'{k}={v}' for k, v in os.environ.items()), sep='\\n')")
    path = ":".join(("/opt/tool", *(folder for folder in SYSTEM_PATH if Path(folder).is_dir())))
    (seen,) = replay(
        Step(argv=step.argv, env={"STEP": "é", "EXTRA": "step"}),
        path=("/opt/tool",),
        env={"EXTRA": "recipe", "MORE": "1"},
        run=7,
    )
    assert seen["stdout"].decode() == (
        "COLUMNS=80\nEXTRA=step\nHOME=<HOME>\nLC_ALL=C.UTF-8\nLINES=24\nMORE=1\n"
        f"PATH={path}\nPYTHONDONTWRITEBYTECODE=1\nPYTHONHASHSEED={hash_seed(CaseId('case'), 7)}\nSTEP=é\nTERM=dumb\nTMPDIR=<TMP>\nTZ=UTC\n"
    )


def test_nobody_is_asked_at_a_terminal(replay: Replay) -> None:
    """Reported fault 13."""
    code = "import os; print([os.isatty(n) for n in range(3)]); open('/dev/tty')"
    (step,) = replay(python(code))
    assert step["stdout"] == b"[False, False, False]\n"
    assert step["status"] == b"1"


def test_help_text_wraps_at_80_columns_wherever_the_gate_runs(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reported fault 14."""
    code = "import argparse; argparse.ArgumentParser(prog='tool', description='x ' * 90).print_help()"
    seen = set()
    for columns in ("40", "80", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        seen.add(replay(python(code))[0]["stdout"])
    assert len(seen) == 1
    assert max(map(len, seen.pop().splitlines())) == 77  # argparse leaves two columns free, and a letter needs two


def test_dates_are_english_and_utc(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reported faults 16, 17."""
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    monkeypatch.delenv("TZ", raising=False)
    code = "import time; print(time.strftime('%c %B %Z', time.localtime(0)))"
    assert replay(python(code))[0]["stdout"] == b"Thu Jan  1 00:00:00 1970 January UTC\n"


def test_git_in_a_step_cannot_reach_the_repository_of_a_hook(
    replay: Replay, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Reported fault 18."""
    victim = tmp_path / "victim"
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
    subprocess.run(["git", "init", "-q", victim], check=True)
    subprocess.run(["git", "-C", victim, *identity, "commit", "-q", "--allow-empty", "-m", "real"], check=True)
    before = listing(victim)
    monkeypatch.setenv("GIT_DIR", str(victim / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(victim))
    monkeypatch.setenv("GIT_INDEX_FILE", str(victim / ".git" / "index"))
    (step,) = replay(f"git init -q && git {' '.join(identity)} commit -q --allow-empty -m x && git log --format=%s")
    assert (step["status"], step["stdout"]) == (b"0", b"x\n")
    assert b"created directory 755 .git\n" in step["files"]
    assert listing(victim) == before


def test_home_is_fresh_and_its_files_are_part_of_the_record(
    replay: Replay, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Reported fault 20."""
    real = tmp_path / "real home"
    real.mkdir()
    monkeypatch.setenv("HOME", str(real))
    (step,) = replay("mkdir -p ~/.config/tool && echo k > ~/.config/tool/key && cat ~/.config/tool/*")
    assert step == {
        "status": b"0",
        "stdout": b"k\n",
        "stderr": b"",
        "files": b"created directory 755 ~/.config\ncreated directory 755 ~/.config/tool\n"
        b"created file 644 ~/.config/tool/key\n",
        "files:~/.config/tool/key": b"k\n",
    }
    assert listing(real) == {}


def test_home_is_always_set_and_never_shared(
    recipe: Callable[..., Recipe], case: Callable[..., Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reported fault 21."""
    monkeypatch.delenv("HOME")
    home = python("import os; print(os.path.expanduser('~'), os.listdir(os.path.expanduser('~')))")
    cases = [case(home, "touch ~/left", name="one"), case(home, name="two")]
    one, two = LocalEngine(workers=1).replay(recipe(), cases, on_case=lambda: None)
    assert one[0].fields["stdout"].data == two[0].fields["stdout"].data == b"<HOME> []\n"


def test_set_order_is_fixed_by_the_seed_and_varies_with_it(replay: Replay) -> None:
    """Reported fault 28."""
    step = python("print({'b', 'a', 'c', 'd', 'e', 'f', 'g'})")
    same = {seen["stdout"] for seen in replay(*[step] * 8, run=0)}
    assert len(same) == 1
    assert {replay(step, run=run)[0]["stdout"] for run in range(1, 5)} != same


def test_the_seed_of_a_case_in_a_run_is_pinned() -> None:
    """Another value would be another golden: see `RECIPE` in gate/pipeline/golden.py."""
    assert [hash_seed(CaseId(case), run) for case in ("A", "B", "\ud800é") for run in (0, 1, 10**6)] == [
        3956728666,
        1234023395,
        2158630410,
        1467866676,
        523914901,
        549833798,
        2676499081,
        3501293724,
        2662810179,
    ]


@given(case=st.text(), run=st.integers(0, 2**40))
def test_a_seed_is_never_0_and_one_that_python_takes(case: str, run: int) -> None:
    assert 1 <= hash_seed(CaseId(case), run) <= LAST_SEED == 4294967295


def test_seeds_of_cases_are_independent() -> None:
    """Two runs of a case agree in any one bit in half of the cases; no two cases share a seed."""
    seeds = [(hash_seed(CaseId(f"case-{n}"), 0), hash_seed(CaseId(f"case-{n}"), 1)) for n in range(1000)]
    assert len({seed for pair in seeds for seed in pair}) == 2000
    agreeing = [sum((one >> bit & 1) == (two >> bit & 1) for one, two in seeds) for bit in range(32)]
    assert 440 < min(agreeing) <= max(agreeing) < 560


def test_a_case_has_the_same_seed_whoever_runs_it_and_whatever_runs_beside_it(
    recipe: Callable[..., Recipe], case: Callable[..., Case]
) -> None:
    cases = [case("echo $PYTHONHASHSEED", "echo $PYTHONHASHSEED", name=f"{n}") for n in range(6)]
    told = [
        [record.fields["stdout"].data for records in runs for record in records]
        for runs in (
            LocalEngine(workers=1).replay(recipe(run=3), cases, on_case=lambda: None),
            LocalEngine(workers=3).replay(recipe(run=3), cases, on_case=lambda: None),
            [LocalEngine(workers=1).replay(recipe(run=3), [one], on_case=lambda: None)[0] for one in cases],
        )
    ]
    assert told == [[b"%d\n" % hash_seed(one.id, 3) for one in cases for _ in range(2)]] * 3


def test_what_is_no_numbered_run_has_the_seed_0(replay: Replay) -> None:
    """A voter: its votes are on identical inputs."""
    assert replay("echo $PYTHONHASHSEED")[0]["stdout"] == b"0\n"
    assert step_environment(Recipe(slot="/", run=1), home="", tmp="")["PYTHONHASHSEED"] == "0"


def test_a_seed_of_the_program_s_own_environment_wins(replay: Replay) -> None:
    """An experiment sets it so."""
    assert replay("echo $PYTHONHASHSEED", run=3, env={"PYTHONHASHSEED": "7"})[0]["stdout"] == b"7\n"


def test_the_umask_is_fixed(replay: Replay) -> None:
    before = os.umask(0o077)
    try:
        assert replay("umask; touch x")[0]["files"] == b"created file 644 x\n"
    finally:
        os.umask(before)


def test_a_signal_that_the_caller_ignores_is_not_ignored_in_a_step(replay: Replay) -> None:
    import signal

    before = signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    try:
        steps = replay("kill -USR1 $$; echo survived", "kill -PIPE $$; echo survived", "kill -TERM $$; echo survived")
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert [step["status"] for step in steps] == [b"signal SIGUSR1", b"signal SIGPIPE", b"signal SIGTERM"]


@pytest.mark.parametrize("variables", [{"": "x"}, {"A=B": "x"}, {"A": "x\0y"}])
def test_a_variable_that_no_system_takes_is_refused(variables: dict[str, str]) -> None:
    with pytest.raises(ReplayError, match="expected a name without '=' and no NUL"):
        encoded(variables)
