"""How the two programs end: 0, 1 and 3 are verdicts, so no accident may look like one. Each in a process of its own."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

GOLDEN = "A|1|put|status=0|out=1\n"
EQUAL = ("diff", "golden", "golden", "policy.json")
CHANGED = ("diff", "golden", "patched", "policy.json")
REPOSITORY = Path(__file__).parents[2]

RUN = "from {program}.cli.main import main; main()"
CRASH = """\
import {program}.cli.app as commands
def crash():
    raise {error}
commands.app.command("crash")(crash)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "golden").write_text(GOLDEN)
    (tmp_path / "patched").write_text(GOLDEN.replace("out=1", "out=2"))
    (tmp_path / "policy.json").write_text('{"allowed": []}')
    return tmp_path


def environment(**variables):
    kept = {name: text for name, text in os.environ.items() if name not in {"GATE_DEBUG", "COLUMNS", "FORCE_COLOR"}}
    return {**kept, "PYTHONPATH": str(REPOSITORY), **variables}


def start(code, *words, cwd, env=None, **streams):
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, *words], cwd=cwd, env=env or environment(), **streams
    )


def ended(process):
    out, err = process.communicate(timeout=60)
    return process.returncode, (out or b"").decode(), (err or b"").decode()


def gate(*words, cwd, **streams):
    return start(RUN.format(program="gate"), *words, cwd=cwd, **streams)


@pytest.mark.parametrize("program", ["gate", "auditor"])
@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("KeyError('x')", "KeyError: 'x'"),
        ("AssertionError", "AssertionError: "),
        ("RecursionError('too deep')", "RecursionError: too deep"),
        ("SystemExit(1)", "SystemExit: 1"),
        ("SystemExit(0)", "SystemExit: 0"),
        ("BaseException('odd')", "BaseException: odd"),
        ("typer.Abort", "Abort: "),
    ],
)
def test_a_crash_is_2_in_two_lines_and_no_verdict(tmp_path, program, error, told):
    code = "import typer\n" + CRASH.format(program=program, error=error) + RUN.format(program=program)
    assert ended(start(code, "crash", cwd=tmp_path)) == (
        2,
        "",
        f"error: {program} itself failed, not caused by this patch: {told}\n"
        "There is no verdict. Run again with GATE_DEBUG=1 and report the traceback.\n",
    )


@pytest.mark.parametrize("program", ["gate", "auditor"])
def test_a_crash_shows_its_traceback_where_it_is_asked_for(tmp_path, program):
    code = CRASH.format(program=program, error="KeyError('x')") + RUN.format(program=program)
    status, out, err = ended(start(code, "crash", cwd=tmp_path, env=environment(GATE_DEBUG="1")))
    assert (status, out) == (2, "")
    assert err.startswith("Traceback (most recent call last):\n")
    assert err.count("error: ") == 1


@pytest.mark.parametrize("program", ["gate", "auditor"])
@pytest.mark.parametrize(
    "error", ["OSError(5, 'Input/output error', 'a.txt')", "BrokenPipeError(32, 'Broken pipe', 'a.txt')"]
)
def test_a_failure_of_the_machine_is_2_and_names_the_file(tmp_path, program, error):
    code = CRASH.format(program=program, error=error) + RUN.format(program=program)
    status, out, err = ended(start(code, "crash", cwd=tmp_path))
    assert (status, out) == (2, "")
    assert err in {
        "error: a.txt: input/output error\nMend the cause and run again.\n",
        "error: a.txt: broken pipe\nMend the cause and run again.\n",
    }


@pytest.mark.parametrize("program", ["gate", "auditor"])
def test_an_installation_that_misses_a_part_is_2(tmp_path, program):
    code = "import sys; sys.modules['typer'] = None\n" + RUN.format(program=program)
    status, out, err = ended(start(code, "--help", cwd=tmp_path))
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {program} itself failed, not caused by this patch: ModuleNotFoundError: ")


@pytest.mark.parametrize(("words", "verdict"), [(EQUAL, 0), (CHANGED, 1), ((*CHANGED, "--format", "json"), 1)])
def test_a_reader_that_went_away_does_not_change_the_verdict(folder, words, verdict):
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        assert ended(gate(*words, cwd=folder, stdout=closed)) == (verdict, "", "")


@pytest.mark.parametrize("program", ["gate", "auditor"])
@pytest.mark.parametrize("words", [("--help",), ("-h",)])
def test_a_reader_of_the_help_that_went_away_is_no_fault(tmp_path, program, words):
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        assert ended(start(RUN.format(program=program), *words, cwd=tmp_path, stdout=closed)) == (0, "", "")


def test_nobody_who_listens_does_not_change_the_verdict(folder):
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        assert ended(gate(*EQUAL, cwd=folder, stdout=closed, stderr=closed)) == (0, "", "")
        assert ended(gate("diff", "golden", "nowhere", "policy.json", cwd=folder, stderr=closed)) == (2, "", "")


@pytest.mark.skipif(not hasattr(fcntl, "F_SETPIPE_SZ"), reason="needs a pipe of a chosen size")
def test_a_slow_reader_of_an_output_that_does_not_block_gets_all_of_it(folder):
    whole = ended(gate("scorecard", "schema", cwd=folder))[1]
    read, write = os.pipe()
    assert fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096) < len(whole)
    os.set_blocking(write, False)
    with os.fdopen(read, "rb") as reader, os.fdopen(write, "wb") as writer:
        process = gate("scorecard", "schema", cwd=folder, stdout=writer)
        writer.close()
        time.sleep(0.5)
        assert reader.read().decode() == whole
        assert ended(process) == (0, "", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [EQUAL, CHANGED, ("scorecard", "schema"), ("--version",), ("--help",)])
def test_a_result_that_cannot_be_written_is_2(folder, words):
    with Path("/dev/full").open("wb") as full:
        assert ended(gate(*words, cwd=folder, stdout=full)) == (
            2,
            "",
            "error: standard output: expected to write the result there, got: no space left on device\n"
            "Not caused by this patch, and no verdict: mend where the output goes and run again.\n",
        )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_list_of_the_auditor_that_cannot_be_written_is_2(tmp_path):
    with Path("/dev/full").open("wb") as full:
        assert ended(start(RUN.format(program="auditor"), "prompts", cwd=tmp_path, stdout=full))[0] == 2


def test_a_closed_output_is_2_and_the_result_lands_in_no_other_file(folder):
    script = f'exec "$0" -c "{RUN.format(program="gate")}" {" ".join(EQUAL)} --scorecard card.json >&-'
    done = subprocess.run(
        ["sh", "-c", script, sys.executable], cwd=folder, env=environment(), stderr=subprocess.PIPE, text=True
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: standard output: expected to write the result there, got: it is closed\n")
    assert (folder / "card.json").read_text().startswith("{")
    assert (folder / "golden").read_text() == GOLDEN


@pytest.mark.parametrize(
    "variables", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_a_result_is_utf_8_whatever_the_locale(folder, variables):
    plain = ended(gate(*CHANGED, cwd=folder))
    assert "→" in plain[1]
    assert ended(gate(*CHANGED, cwd=folder, env=environment(**variables))) == plain


def test_a_name_that_is_not_utf_8_is_shown_with_escapes(folder):
    status, out, err = ended(gate("diff", "golden", b"\xff", "policy.json", cwd=folder))
    assert (status, out) == (2, "")
    assert err.startswith("error: \\udcff: expected a ")


@pytest.mark.parametrize("program", ["gate", "auditor"])
def test_no_error_of_use_is_a_verdict(tmp_path, program):
    for words in ((), ("nope",), ("--nope",)):
        assert ended(start(RUN.format(program=program), *words, cwd=tmp_path))[0] == 2


def running(folder, text):
    """Processes whose command line holds the text."""
    found = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line for line in found if text in line and " ps " not in line]


def until(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("whole_group", [True, False])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "--baseline", "old", "--candidate", "new"), "there is no verdict"),
        (("corpus", "freeze", "--baseline", "old"), "the corpus is written whole or not at all"),
    ],
    ids=["run", "freeze"],
)
def test_ctrl_c_ends_in_130_and_leaves_nothing_running(tmp_path, whole_group, words, told):
    """As a terminal sends it, to all processes in front; and as `kill -INT` does, to one."""
    from gate import api
    from gate.corpus.format import with_case, write_corpus
    from gate.domain import Case, CaseId, Step

    nap = f"31{os.getpid()}"
    for side in ("old", "new"):
        tool = tmp_path / side / "bin" / "tool"
        tool.parent.mkdir(parents=True)
        tool.write_text(f"#!/bin/sh\n# {side}\nsleep {nap} & sleep {nap}\n")
        tool.chmod(0o755)
    (tmp_path / "gate.toml").write_text('version = 1\n[program]\npath = ["bin"]\n[replay]\ntimeout = 600.0\n')
    case = Case(id=CaseId("A"), steps=(Step(argv=(b"tool", b"one")),))
    write_corpus(tmp_path / "gate" / "corpus.jsonl", with_case(None, case))
    api.pin(tmp_path)
    process = gate(*words, cwd=tmp_path, start_new_session=True)
    until(lambda: len(running(tmp_path, f"sleep {nap}")) == 2)
    if whole_group:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT)
    assert ended(process) == (130, "", f"interrupted: {told}\n")
    assert running(tmp_path, f"sleep {nap}") == []


@pytest.mark.parametrize(("program", "module"), [("gate", "gate.console"), ("auditor", "gate.api")])
def test_ctrl_c_before_anything_is_loaded_is_130_and_shows_no_traceback(tmp_path, program, module):
    code = f"""
import sys
class Ends:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Ends())
"""
    assert ended(start(code + RUN.format(program=program), cwd=tmp_path)) == (130, "", "")


@pytest.mark.parametrize("program", ["gate", "auditor"])
def test_ctrl_c_anywhere_is_130(tmp_path, program):
    code = CRASH.format(program=program, error="KeyboardInterrupt") + RUN.format(program=program)
    assert ended(start(code, "crash", cwd=tmp_path)) == (130, "", "interrupted: there is no verdict\n")


def help_of(program):
    """Every command of the program, as its words."""
    from importlib import import_module

    from typer.main import get_command

    def below(command, words):
        yield words
        for name, child in getattr(command, "commands", {}).items():
            yield from below(child, (*words, name))

    return list(below(get_command(import_module(f"{program}.cli.app").app), ()))


@pytest.mark.parametrize(
    ("program", "words"),
    [(program, words) for program in ("gate", "auditor") for words in help_of(program)],
    ids=lambda value: value if isinstance(value, str) else " ".join(value) or "itself",
)
def test_every_command_has_a_short_and_a_long_help(program, words):
    from importlib import import_module

    from typer.testing import CliRunner

    app = import_module(f"{program}.cli.app").app
    short, long = (CliRunner().invoke(app, [*words, option]) for option in ("-h", "--help"))
    assert (short.exit_code, long.exit_code) == (0, 0)
    assert short.stdout == long.stdout
    assert "Usage: " in short.stdout


def test_the_version_is_that_of_the_installation(tmp_path):
    from importlib.metadata import version

    assert ended(gate("--version", cwd=tmp_path)) == (0, f"gate {version('agent-patch-auditor')}\n", "")


def test_the_help_of_run_ends_with_the_exit_codes():
    from typer.testing import CliRunner

    from gate.cli.app import app
    from gate.exit_codes import ExitCode

    told = CliRunner().invoke(app, ["run", "--help"], env={"COLUMNS": "120"}).stdout
    tail = [line.strip() for line in told.partition("Exit codes:")[2].splitlines() if line.strip()]
    assert tail == [f"{int(code)} {code.sentence}" for code in ExitCode]
