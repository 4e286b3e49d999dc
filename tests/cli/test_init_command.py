"""`gate init`, as typed."""

import os
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from gate.cli.init import register
from gate.config.load import load_project

PROGRAM = """\
import argparse, sys
parser = argparse.ArgumentParser(prog="kv")
parser.add_argument("--upper", action="store_true", help="in capitals")
parser.add_argument("--case", choices=["a", "b"])
parser.add_argument("file", nargs="?", help="a .csv file")
def main():
    told = parser.parse_args()
    data = open(told.file).read() if told.file else sys.stdin.read()
    print(data.upper() if told.upper else data)
"""


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    """A project that was started once: its folder, and exit code, standard output and standard error of that."""
    root = tmp_path_factory.mktemp("started") / "kv"
    lay_program(root)
    (root / ".git").mkdir()
    os.mkfifo(root / "kv" / "stray")  # what is no file, folder or link is passed by
    return root, *init("--project", str(root))


def lay_program(root):
    (root / "kv").mkdir(parents=True)
    (root / "kv" / "__init__.py").touch()
    (root / "kv" / "cli.py").write_text(PROGRAM)
    (root / "kv" / "__main__.py").write_text("from kv.cli import main\nmain()\n")
    (root / "pyproject.toml").write_text(
        '[project]\nname = "kv"\nversion = "1"\n[project.scripts]\nkv = "kv.cli:main"\nother = "kv.cli:x"\n'
    )


def init(*words):
    app = typer.Typer()
    register(app)
    app.callback()(lambda: None)
    result = CliRunner().invoke(app, ["init", *words])
    return result.exit_code, result.stdout, result.stderr


def next_told(root):
    from gate.starter.started_text import Asked, next_lines

    return "\n".join(["Next:", *next_lines(Asked(project=str(root), git=True)), ""])


def files(root):
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


@pytest.mark.slow
def test_a_program_is_found_built_read_and_written(started):
    root, code, output, errors = started
    assert (code, output) == (
        0,
        "wrote .gitignore: .gate/\n"
        "wrote gate.toml: 2 commands with 4 arguments, read from argparse\n"
        "wrote properties/test_example.py\n"
        "wrote properties/conftest.py\n"
        "wrote fixtures/: 25 files, 0 of them copied from the repository\n",
    )
    assert errors.endswith("note: also found: other; take another with --script NAME\n" + next_told(root))
    config = load_project(root).config
    assert (config.program.argv, config.program.env) == (("{python}", "-m", "kv"), {"PYTHONPATH": "{build}"})
    assert [(each.option, each.values) for each in config.command[0].args] == [
        ("--upper", None),
        ("--case", ("a", "b")),
        (None, None),
    ]
    assert b"test_an_unknown_option_is_refused" in (root / "properties" / "test_example.py").read_bytes()


@pytest.mark.slow
def test_a_second_time_nothing_is_written(started):
    root = started[0]
    before = files(root)
    assert init("--project", str(root)) == (
        0,
        "kept gate.toml\nkept fixtures/\nkept properties/\nnothing to write: gate.toml, fixtures and properties are there\n",
        "",
    )
    assert files(root) == before


@pytest.mark.slow
def test_a_dry_run_shows_all_and_writes_nothing(started, tmp_path):
    done = files(started[0])
    root = tmp_path / "kv"
    lay_program(root)
    before = files(root)
    code, output, _ = init("--project", str(root), "--dry-run")
    assert (code, files(root)) == (0, before)
    for name in ("gate.toml", "properties/test_example.py", "fixtures/sample.csv"):
        text = "".join(f"  {line}\n" for line in done[name].decode().split("\n")[:-1])
        assert f"would write {name}:\n{text}" in output


@pytest.mark.slow
def test_a_plain_run_of_the_tests_of_the_project_passes_the_example_by(started):
    """It has no fixture `subject`, and perhaps no Hypothesis: `gate record -- pytest` and the project's CI were red once init had run."""
    root = started[0]
    (root / "test_own.py").write_text("def test_own():\n    pass\n")
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    (root / "test_own.py").unlink()
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout
    assert (
        "fixture 'subject' not found"
        in subprocess.run(
            [*words, "--noconftest", "properties"], cwd=root, capture_output=True, text=True, check=False
        ).stdout
    ), "as it would be without the file, which the gate does not read"


def told(*words):
    code, output, errors = init(*words)
    assert (code, output) == (2, "")
    return errors.removeprefix("error: ")


@pytest.mark.parametrize(
    ("text", "words", "error"),
    [
        (None, (), "nothing to run was found: expected a console script"),
        ("[project\n", (), "pyproject.toml: expected TOML, got: "),
        (None, ("--program", "absent.py"), "--program: expected a file of the tree among the words, got absent.py\n"),
        (None, ("--program", "x", "--script", "y"), "expected one of --program and --script, got both\n"),
        (None, ("--baseline", "absent"), "--baseline absent: expected the folder of a tree, found none\n"),
        (None, ("--base", "HEAD"), "--base HEAD: expected a work tree of git, found none around "),
        (None, ("--base", "HEAD", "--baseline", "."), "expected one of --baseline and --base, got both\n"),
        (None, ("--script", "x"), "--script: expected one of what was found (none), got 'x'\n"),
        (None, ("--project", "absent"), "absent: expected the folder of a program, found none\n"),
    ],
)
def test_what_cannot_be_started_is_one_error_and_nothing_is_written(tmp_path, monkeypatch, text, words, error):
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text)
    before = files(tmp_path)
    shown = told("--sandbox", "off", *words)
    assert error in shown
    assert "--candidate" not in shown
    assert files(tmp_path) == before


def test_a_gate_toml_that_cannot_be_used_is_named_and_kept(tmp_path):
    (tmp_path / "gate.toml").write_text("version = 2\n")
    assert "gate.toml:1: version" in told("--project", str(tmp_path))
    assert files(tmp_path) == {"gate.toml": b"version = 2\n"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_may_not_be_written_is_told_before_anything_is_built(tmp_path):
    tmp_path.chmod(0o500)
    try:
        assert "expected a folder that may be written" in told("--project", str(tmp_path))
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.slow
def test_a_filter_that_says_nothing_of_itself_is_started_all_the_same(tmp_path):
    (tmp_path / "upper.py").write_text("import json, sys\nprint(json.load(sys.stdin))\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").mkdir()
    code, output, errors = init("--project", str(tmp_path), "--program", "upper.py")
    assert (code, output.splitlines()[0]) == (0, "wrote gate.toml: 2 commands with 1 argument, read from help")
    assert (
        "note: no parser and no help: it took some standard input and ended in 0, and is taken to read that alone; add its words\n"
        in errors
    )
    assert (
        "note: .gitignore: expected a file, found a folder. Have git ignore .gate/ yourself: it is no part of the project.\n"
    ) in errors
    command = load_project(tmp_path).config.command[0]
    assert (command.name, command.words, command.args, command.stdin.optional) == ("upper", (), (), False)


@pytest.mark.slow
def test_a_package_that_is_missing_is_to_be_stated(tmp_path):
    (tmp_path / "tool.py").write_text("import no_such_package_of_gate\n")
    shown = told("--project", str(tmp_path), "--program", "tool.py")
    assert "ModuleNotFoundError: No module named 'no_such_package_of_gate'" in shown
    assert "state it in pyproject.toml, or without one in requirements.txt" in shown


@pytest.mark.slow
def test_a_module_that_kills_itself_at_import_is_one_error(tmp_path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "__main__.py").write_text("import os\nprint('{}')\nos.kill(os.getpid(), 9)\n")
    code, output, _ = init("--project", str(tmp_path))
    assert (code, output) == (2, "")
    assert list(files(tmp_path)) == ["bad/__main__.py"]
