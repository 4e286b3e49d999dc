"""`gate record`, as typed."""

import os
import pty
import re
import subprocess
import sys
from contextlib import contextmanager

import pytest
import typer
from typer.testing import CliRunner

from gate.cli.record import register
from gate.corpus.format import read_corpus

KV = """import argparse, sys
from pathlib import Path
def main(args=None):
    parser = argparse.ArgumentParser(prog="kv.py")
    parser.add_argument("what", choices=["set", "list", "load"])
    parser.add_argument("words", nargs="*")
    asked = parser.parse_args(args)
    if asked.what == "set":
        Path("db").write_text(" ".join(asked.words) + "\\n")
    elif asked.what == "load":
        print(Path(asked.words[0]).read_text())
    else:
        print(Path("db").read_text(), end="")
if __name__ == "__main__":
    main()
"""
TESTS = """import os, tempfile, kv
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    kv.main(["set", "a", "1"])
    kv.main(["list"])
    open("in.txt", "w").write("x")
    kv.main(["load", "in.txt"])
    kv.main(["load", os.path.join(folder, "in.txt")])
    kv.main(["set", "--", "AKIAABCDEFGHIJKLMNOP"])
    os.chdir("/")
raise SystemExit(7)
"""
NEXT = "Next: gate corpus freeze --baseline . (sets aside what is not steady), then gate pin, in a commit of its own.\n"


@pytest.fixture
def root(tmp_path, monkeypatch):
    (tmp_path / "gate.toml").write_text('version = 1\n[program]\nargv = ["{python}", "{build}/kv.py"]\n')
    (tmp_path / "kv.py").write_text(KV)
    (tmp_path / "check.py").write_text(TESTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


@pytest.fixture
def gate(root):
    app = typer.Typer()
    register(app)
    app.callback()(lambda: None)

    def run(*words):
        result = CliRunner().invoke(app, ["record", *words])
        names = {}
        tell = lambda found: names.setdefault(found[0], f"{found[1]}#{len(names) + 1}")  # noqa: E731
        out = re.sub(r"(recorded-)[0-9a-f]{10}", tell, result.stdout)
        return result.exit_code, re.sub(r"recorded/[0-9a-f]{8}", "recorded/HASH", out), result.stderr

    return run


ADDED = """{verb} recorded-#1: 2 steps: set a 1
{one}{verb} recorded-#2: 1 step: load recorded/HASH/in.txt
{two}{verb} fixture recorded/HASH/in.txt
left out 1 invocation: it holds what looks like a secret: a cloud access key
5 invocations; {verb} 2 cases of 3 steps; 1 repeated; 1 left out
"""
CHECK = ("--", sys.executable, "check.py")


def test_the_invocations_of_a_command_become_cases_however_it_ends(gate, root):
    assert gate(*CHECK) == (
        0,
        ADDED.format(verb="added", one="", two=""),
        "recording kv.py\nthe command ended: exit status 7\nwrote gate/corpus.jsonl and 1 fixture\n" + NEXT,
    )
    cases = read_corpus(root / "gate" / "corpus.jsonl").cases
    assert [[step.argv[:2] for step in case.steps] for case in cases[:1]] == [[(b"set", b"a"), (b"list",)]]
    assert {case.origin for case in cases} == {"hand"}
    (fixture,) = (root / "fixtures").rglob("in.txt")
    assert fixture.read_text() == "x"


def test_a_dry_run_shows_every_step_and_writes_nothing(gate, root):
    before = sorted(root.iterdir())
    code, out, _ = gate("--dry-run", *CHECK)
    one = "  1  set a 1\n  2  list\n"
    two = "  1  load recorded/HASH/in.txt\n"
    assert (code, out) == (0, ADDED.format(verb="would add", one=one, two=two))
    assert [path for path in sorted(root.iterdir()) if path.name != "__pycache__"] == before


def test_a_step_without_words_is_named_and_a_pipe_in_the_recording_is_a_damaged_record(gate, no_hang):
    line = f'mkfifo "$(dirname "${{PATH%%:*}}")/records/9-9"; {sys.executable} kv.py'
    code, out, _ = gate("--", "sh", "-c", line)
    assert (code, out) == (
        0,
        "added recorded-#1: 1 step: (no words)\n"
        "left out 1 invocation: the record of it is damaged\n"
        "2 invocations; added 1 case of 1 step; 0 repeated; 1 left out\n",
    )


def test_recording_again_adds_nothing_and_changes_no_byte(gate, root):
    gate(*CHECK)
    before = (root / "gate" / "corpus.jsonl").read_bytes()
    code, out, err = gate(*CHECK)
    assert (code, out.count("there already"), out.count("fixture")) == (2, 2, 0)
    assert err.endswith("error: expected a case that is new, got none\nThe lines above say why.\n")
    assert (root / "gate" / "corpus.jsonl").read_bytes() == before


def test_a_command_that_never_starts_the_program_is_told(gate):
    assert gate("--", "true") == (
        2,
        "0 invocations; added 0 cases of 0 steps; 0 repeated; 0 left out\n",
        "recording kv.py\nthe command ended: exit status 0\n"
        "error: expected at least one invocation of the program, saw none\n"
        "Say how the command starts it: --program WORDS; docs/record.md has what is seen, and what is not.\n",
    )


def test_a_command_that_failed_before_it_started_the_program_is_told_first(gate):
    code, _, told = gate("--", "false")
    assert (code, told.splitlines()[2:]) == (
        2,
        [
            "error: expected at least one invocation of the program, saw none; the command ended with exit status 1",
            "See first why the command failed. Else say how the command starts it: --program WORDS; "
            "docs/record.md has what is seen, and what is not.",
        ],
    )


def test_a_program_without_a_suffix_is_told_by_its_first_line(gate, root):
    """Its own text once lay among the fixtures; `python prog` was not seen."""
    (root / "gate.toml").write_text('version = 1\n[program]\nargv = ["{build}/prog"]\n')
    (root / "prog").write_text("#!/usr/bin/env python3\nimport sys\nprint(sys.argv[1:])\n")
    (root / "prog").chmod(0o755)
    code, out, _ = gate("--", "sh", "-c", f"./prog set a; {sys.executable} prog list; {sys.executable} ./prog list")
    assert (code, "fixture" in out, out.splitlines()[-1]) == (
        0, False, "3 invocations; added 2 cases of 2 steps; 1 repeated; 0 left out",
    )  # fmt: skip


def test_what_the_command_itself_adds_to_the_corpus_stays(gate, root):
    mine = [sys.executable, "-m", "gate", "corpus", "add", "mine", "--step", "list"]
    (root / "both.py").write_text(
        f"import subprocess, kv\nkv.main(['set', 'a'])\nsubprocess.run({mine!r}, check=True)\n"
    )
    assert gate("--", sys.executable, "both.py")[0] == 0
    cases = read_corpus(root / "gate" / "corpus.jsonl").cases
    assert [[step.argv for step in case.steps] for case in cases] == [[(b"list",)], [(b"set", b"a")]]


def test_the_corpus_is_written_by_one_process_at_a_time(gate, root, monkeypatch):
    read, asked, inside = read_corpus, [], []

    @contextmanager
    def lock(path):
        asked.append(path.relative_to(root).as_posix())
        inside.append(True)
        yield
        inside.pop()

    def reading(path):
        asked.append(f"read {bool(inside)}")
        return read(path)

    gate("--", sys.executable, "-c", "import kv; kv.main(['set', 'a'])")
    monkeypatch.setattr("gate.files.only_writer", lock)
    monkeypatch.setattr("gate.corpus.format.read_corpus", reading)
    assert gate(*CHECK)[0] == 0
    assert asked == ["read False", ".gate/judge.lock", "read True"]


def test_an_unusable_corpus_is_told_before_the_command_runs(gate, root):
    (root / "gate").mkdir()
    (root / "gate" / "corpus.jsonl").write_text("no head\n")
    code, _, err = gate("--", "touch", "ran")
    assert (code, err.startswith("error: "), (root / "ran").exists()) == (2, True, False)


def test_a_recorder_that_failed_is_told_before_anything_is_advised(gate):
    gone = "import os, kv; os.mkdir('x'); os.chdir('x'); os.rmdir('../x'); kv.main(['set'])"
    code, out, err = gate("--", sys.executable, "-c", gone)
    failed = (
        "the recorder itself failed 1 time, first: FileNotFoundError: [Errno 2] No such file or directory (in PLACE)"
    )
    assert (code, out) == (2, "0 invocations; added 0 cases of 0 steps; 0 repeated; 0 left out\n")
    assert re.sub(r"\(in \w+\)", "(in PLACE)", err).endswith(
        f"exit status 1\nerror: {failed}; expected a case that is new, got none\n"
        "The fault is the recorder's, not the command's: report it. Cases are also written with: gate corpus add\n"
    )


def test_a_command_that_cannot_be_started_is_told(gate):
    assert gate("--", "no-such-command") == (
        2,
        "",
        "recording kv.py\nerror: the command to record: expected one that can be started, got 'no-such-command': "
        "No such file or directory\nName it as a shell would: gate record -- pytest tests\n",
    )


def test_a_fixture_is_never_overwritten(gate, root):
    gate(*CHECK)
    (fixture,) = (root / "fixtures").rglob("in.txt")
    fixture.write_text("another")
    (root / "gate" / "corpus.jsonl").unlink()
    code, out, _ = gate(*CHECK)
    assert (code, fixture.read_text()) == (0, "another")
    assert "left out 2 invocations: a file that it needs has the name of a fixture with another content\n" in out


def test_an_id_has_the_prefix_that_was_asked_for(gate, root):
    assert gate("--id", "suite", *CHECK)[0] == 0
    assert {case.id.partition("-")[0] for case in read_corpus(root / "gate" / "corpus.jsonl").cases} == {"suite"}
    code, _, err = gate("--id", "a b", *CHECK)
    assert (code, "expected 1 to 80 letters" in err) == (2, True)


@pytest.mark.slow
def test_a_shell_session_keeps_its_terminal_and_ctrl_c_ends_the_program_alone(root, no_hang):
    ours, theirs = pty.openpty()
    script = f"[ -t 0 ] && [ -t 1 ] && echo a terminal\n{sys.executable} kv.py set b\nkill -INT $$\n"
    words = [sys.executable, "-m", "gate", "record", "--", "sh", "-c", script]
    done = subprocess.run(words, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    told = b""
    while True:
        try:
            data = os.read(ours, 1 << 16)
        except OSError:
            break
        if not data:
            break
        told += data
    os.close(ours)
    lines = re.sub(r"recorded-[0-9a-f]{10}", "recorded-HASH", told.decode().replace("\r\n", "\n"))
    assert (done.returncode, lines) == (
        0,
        "recording kv.py\na terminal\nthe command ended: signal SIGINT\nadded recorded-HASH: 1 step: set b\n"
        "1 invocation had a terminal as standard input: their steps have an empty one\n"
        "1 invocation; added 1 case of 1 step; 0 repeated; 0 left out\nwrote gate/corpus.jsonl\n" + NEXT,
    )
