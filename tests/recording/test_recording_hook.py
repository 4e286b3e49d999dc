"""What is recorded of real processes, and that they do not notice."""

import json
import os
import shlex
import subprocess
import sys
from types import SimpleNamespace

import pytest

from gate.recording.records import read_recording
from gate.recording.stage import lay_stage
from gate.recording.subject import Subject

CLI = """import argparse, sys
from pathlib import Path
def main(args=None):
    early = argparse.ArgumentParser(add_help=False)
    early.add_argument("--config")
    early.parse_known_args(args)
    parser = argparse.ArgumentParser(prog="kv")
    parser.add_argument("--config")
    below = parser.add_subparsers(dest="what")
    for name in ("set", "list"):
        below.add_parser(name).add_argument("words", nargs="*")
    asked = parser.parse_args(args)
    if asked.what == "set":
        Path("db").write_text(" ".join(asked.words))
    else:
        print(Path("db").read_text(), sys.stdin.read())
    return 3
"""
CLICK = """import click
@click.group()
def cli(): pass
@cli.command()
@click.argument("name")
def add(name):
    print("added", name, click.get_text_stream("stdin").read())
"""
OPT = """import optparse
def main(args):
    parser = optparse.OptionParser()
    parser.add_option("-n")
    return parser.parse_args(args)
"""
TYPER = """import typer
app = typer.Typer()
@app.command()
def greet(name: str, loud: bool = False):
    print("hello", name)
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    package = root / "kv"
    package.mkdir()
    for name, text in {"__init__": "", "cli": CLI, "clicked": CLICK, "opted": OPT, "typed": TYPER}.items():
        (package / f"{name}.py").write_text(text)
    (package / "__main__.py").write_text("import sys\nfrom kv.cli import main\nsys.exit(main())\n")
    return root


@pytest.fixture
def record(project, tmp_path):
    """Run Python code, or a line of a shell, in a fresh directory while it is recorded."""
    subject = Subject(
        root=project,
        wanted=("kv", "tool"),
        targets=(("kv", "kv.clicked:cli"),),
        modules=(("kv", "kv"),),
        packages=(("kv", project / "kv"),),
    )
    work = tmp_path / "work"
    work.mkdir()
    stage = tmp_path / "stage"

    def run(code=None, *, shell=None, path=None, stage=stage, **how):
        environment = {**os.environ, "PYTHONPATH": str(project)}
        if path is not None:
            environment["PATH"] = f"{path}:{environment['PATH']}"
        made = lay_stage(stage, subject, environment)
        words = ["sh", "-c", shell] if shell is not None else [sys.executable, "-c", code]
        done = subprocess.run(words, env=made, cwd=work, capture_output=True, **how)
        recording = read_recording(stage)
        return SimpleNamespace(
            done=done,
            seen=recording.invocations,
            faults=recording.faults,
            damaged=recording.damaged,
            content=recording.content,
        )

    run.work = work
    return run


def told(result):
    assert (result.faults, result.damaged) == ((), 0)
    return [(each.how, each.program, each.argv, each.stdin) for each in result.seen]


PYTHON = shlex.quote(sys.executable)


def test_a_call_of_an_argparse_program_is_one_invocation_though_it_parses_twice(record):
    code = "from kv.cli import main; import io, sys; main(['set', 'a']); sys.stdin = io.StringIO('in'); print(main(['list']))"
    result = record(code)
    assert told(result) == [("call", "kv", ("set", "a"), None), ("call", "kv", ("list",), b"in")]
    first, second = result.seen
    assert (first.wrote, second.read, list(second.files)) == ({"db"}, {"db"}, ["db"])
    assert result.done.stdout == b"a in\n3\n"


def test_click_programs_are_recorded_with_their_input_and_the_words_that_lead_to_a_command(record):
    code = """
from click.testing import CliRunner
from kv.clicked import add, cli
runner = CliRunner()
with runner.isolated_filesystem():
    open("x", "w").write("content")
    print(runner.invoke(cli, ["add", "x"], input="text").output)
runner.invoke(add, ["y"])
runner.invoke(cli, ["add", None])
"""
    result = record(code)
    assert told(result) == [
        ("call", "kv", ("add", "x"), b"text"),
        ("call", "kv", ("add", "y"), b""),
        ("call", "kv", (), None),
    ]
    assert result.seen[2].note == "words"
    assert [result.content(digest) for digest in result.seen[0].files.values()] == [b"content"]
    assert result.done.stdout == b"added x text\n\n"


def test_typer_and_optparse_programs_are_recorded(record):
    code = """
import sys
from typer.testing import CliRunner
from kv.typed import app
from kv.opted import main
sys.argv[0] = "kv"
CliRunner().invoke(app, ["Ann", "--loud"])
main(["-n", "3"])
"""
    assert [each[2] for each in told(record(code))] == [("Ann", "--loud"), ("-n", "3")]


def test_parsers_of_the_tests_themselves_are_not_recorded(record):
    code = "import argparse, kv.cli; argparse.ArgumentParser(prog='kv').parse_args([])"
    assert told(record(code)) == []


def test_a_process_of_the_program_is_recorded_with_what_it_reads(record):
    result = record(shell=f"echo b > db; printf 'one\\ntwo' | {PYTHON} -m kv list")
    assert told(result) == [("process", "kv", ("list",), b"one\ntwo")]
    assert result.seen[0].ended
    assert (result.done.returncode, result.done.stdout) == (3, b"b\n one\ntwo\n")


def test_the_script_that_was_started_and_its_environment_are_no_files_of_the_invocation(record, tmp_path):
    """A console script in `.venv/` of the project, and a program without a suffix, were once copied into the pack."""
    (tmp_path / "work" / "bin").mkdir()
    made = f"{PYTHON} -m venv --without-pip --system-site-packages .venv && echo data > .venv/shared"
    script = "#!/usr/bin/env python3\nimport sys\nprint(len(open('.venv/shared').read() + open('given').read() + open(__file__).read()))"
    for place in ("bin/kv", ".venv/bin/kv"):
        (tmp_path / "work" / "start").write_text(script)
        copied = f"echo one > given && cp start {place} && .venv/bin/python {place} get a"
        result = record(shell=f"{made} && {copied}", stage=tmp_path / place.replace("/", "-"))
        (seen,) = result.seen
        assert (seen.argv, result.done.returncode) == (("get", "a"), 0), result.done.stderr
        assert seen.read == {"given"}


def test_a_project_within_an_environment_is_no_part_of_it(record, monkeypatch):
    """After `python -m venv .` nothing that a program found was recorded."""
    from gate.recording.hook.subject import Subject as Seen

    lines = record.work / "subject"
    lines.write_text(f"root\t{record.work}\n")
    monkeypatch.setattr(sys, "prefix", str(record.work))
    assert not Seen(str(lines)).is_code(str(record.work / ".env"))
    monkeypatch.setattr(sys, "prefix", str(record.work / ".venv"))
    assert Seen(str(lines)).is_code(str(record.work / ".venv" / "bin" / "kv"))


def test_a_file_as_standard_input_is_recorded_and_still_all_there(record):
    result = record(shell=f"echo b > db; echo text > in; {PYTHON} -m kv list < in")
    assert told(result) == [("process", "kv", ("list",), b"text\n")]
    assert result.done.stdout == b"b\n text\n\n"


def test_a_pipe_that_belongs_to_a_loop_is_not_consumed(record):
    loop = f"printf 'a\\nb\\n' | while read -r x; do {PYTHON} -m kv set $x; done; cat db"
    result = record(shell=loop)
    assert [(each.argv, each.note) for each in result.seen] == [(("set", "a"), "shared"), (("set", "b"), "shared")]
    assert result.done.stdout == b"b"


@pytest.fixture
def tool(tmp_path):
    """A folder with a program that is no Python."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "tool").write_text(
        '#!/bin/sh\necho "got $*"\ncase $1 in read) cat;; kill) kill -TERM $$;; esac\nexit 5\n'
    )
    (folder / "tool").chmod(0o755)
    return folder


def test_a_program_on_path_is_recorded_and_keeps_its_words_input_and_status(record, tool):
    result = record(shell="printf 'one\\0two' | tool read 'a b' \"$(printf '\\377')\"", path=tool)
    assert told(result) == [("shim", "tool", ("read", "a b", "\udcff"), b"one\0two")]
    assert (result.done.returncode, result.done.stdout) == (5, b"got read a b \xff\none\0two")


def test_a_link_out_of_the_project_and_the_directory_is_not_followed_whatever_leads_through_it(
    record, tool, project, tmp_path_factory
):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret").write_text("s")
    (record.work / "own").write_text("o")
    inner = project / "data"
    inner.mkdir(exist_ok=True)
    (inner / "given").write_text("g")
    os.mkfifo(record.work / "pipe")
    for link, target in {"one": outside / "secret", "two": outside, "three": "own", "four": inner / "given"}.items():
        (record.work / link).symlink_to(target)
    temporary = record.work / "tmp"
    temporary.mkdir()
    line = f"TMPDIR={temporary} tool one two/secret two three four {record.work}/one {record.work}/two"
    (only,) = record(shell=line, path=tool).seen
    out = "!a link leads to it, out of the project and of its directory"
    taken = {name: digest for name, digest in only.files.items() if digest == out}
    assert taken == {"one": out, "two/secret": out}
    assert sorted(set(only.files) - set(taken)) == ["four", "own", "three"]
    assert only.outside == {f"{record.work}/one": out, f"{record.work}/two": {"secret": out}}
    contents = {file.read_text() for file in (record.work.parent / "stage" / "contents").iterdir()}
    assert contents == {"o", "g"}


def test_a_program_on_path_ends_by_its_own_signal_and_needs_no_reader(record, tool, no_hang):
    assert record(shell="yes | tool kill; exec tool kill", path=tool).done.returncode == -15


def test_a_program_that_is_not_there_is_not_found_as_ever(record):
    assert record(shell="tool; exit $?").done.returncode == 127


def test_what_cannot_be_recorded_changes_nothing_and_is_counted(record, project):
    code = """
import os, shutil, sys
from kv.cli import main
here = os.getcwd()
os.mkdir("gone"); os.chdir("gone"); os.rmdir(os.path.join(here, "gone"))
try:
    main(["list"])
except FileNotFoundError as error:
    print("as ever")
"""
    result = record(code)
    assert result.done.stdout == b"as ever\n"
    assert (result.seen, [fault.partition(":")[0] for fault in result.faults]) == ((), ["FileNotFoundError"] * 2)


def test_the_program_sees_its_own_path_modules_and_sitecustomize(record, tmp_path):
    (record.work / "sitecustomize.py").write_text("import builtins; builtins.ours = 'chained'\n")
    code = (
        "import json, sys; print(json.dumps([[p for p in sys.path if 'stage' in p], ours, "
        "sorted({'json', 'hashlib', 'argparse', 'click'} & before)]))"
    )
    result = record(shell=f'PYTHONPATH=$PYTHONPATH:. {PYTHON} -c "import sys; before = set(sys.modules); {code}"')
    assert json.loads(result.done.stdout) == [[], "chained", []]


OLD_NAMES = """import warnings
class Command:
    name, params = "old", ()
    def __init__(self, callback): self.callback = callback
    def main(self, args): return self.callback(args)
def __getattr__(name):
    if name == "BaseCommand":
        warnings.warn(f"{name} is gone", DeprecationWarning)
    raise AttributeError(name)
"""


def test_a_library_that_warns_of_its_old_names_is_recorded_where_warnings_are_errors(record):
    (record.work / "click").mkdir()
    (record.work / "click" / "__init__.py").write_text("")
    (record.work / "click" / "core.py").write_text(OLD_NAMES)
    (record.work / "kv_run.py").write_text("def run(args): print(args)\nrun.__module__ = 'kv.clicked'\n")
    code = "from click.core import Command; from kv_run import run; Command(run).main(['a'])"
    result = record(shell=f"PYTHONPATH=.:$PYTHONPATH {PYTHON} -W error -c \"import sys; sys.argv[0] = 'kv'; {code}\"")
    assert (result.done.stdout, result.done.stderr) == (b"['a']\n", b"")
    assert told(result) == [("call", "kv", ("a",), None)]


def test_objects_of_the_project_that_make_up_their_attributes_are_passed_by(record, project):
    (project / "kv" / "odd.py").write_text(
        "import click\nclass Odd:\n    def __getattr__(self, name): raise RuntimeError(name)\n"
        "odd = Odd()\n@click.command()\ndef alone(): print('ran')\n"
    )
    result = record("from kv.odd import alone; alone.main([], prog_name='kv', standalone_mode=False)")
    assert (result.done.stdout, told(result)) == (b"ran\n", [("call", "kv", (), None)])


def test_which_files_meet_the_bound_does_not_depend_on_the_hash_seed(record, tmp_path):
    for name, size in {"one=two": 40_000, "two": 30_000, **dict.fromkeys("abcd", 50_000)}.items():
        (record.work / name).write_bytes(b"x" * size)
    line = f"{PYTHON} -m kv list a b c d one=two"
    sizes = []
    for seed in "1234":
        stage = tmp_path / f"stage{seed}"
        result = record(shell=f"PYTHONHASHSEED={seed} {line}", stage=stage)
        sizes.append(result.seen[0].files)
    assert sizes == sizes[:1] * 4
    assert {name for name, told in sizes[0].items() if told.startswith("!")} == {"two"}


def test_forks_and_threads_have_records_of_their_own(record):
    code = """
import os
from kv.cli import main
main(["set", "0"])
for number in "123":
    if os.fork() == 0:
        main(["set", number])
        os._exit(0)
    os.wait()
"""
    assert [each[2] for each in told(record(code))] == [("set", "0"), ("set", "1"), ("set", "2"), ("set", "3")]
