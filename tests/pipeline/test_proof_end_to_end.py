"""`greet()` says hi in the old tree and yo in the new one: a change is told, or the run is refused; it is never clean.

Reported fault 24: an editable install, a copy in site-packages or a PYTHONPATH entry wins over the trees under test.
"""

import subprocess
import sys

import pytest

from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step
from gate.errors import BuildError

MAIN = "import greet\nprint(greet.greet())\n"

MAKE = """\
import pathlib, shutil, subprocess, sys
subprocess.run([sys.executable, "-m", "venv", "--without-pip", "env"], check=True)
packages = next(pathlib.Path("env/lib").glob("python3*/site-packages"))
script = pathlib.Path("env/bin/greet")
shutil.copy("src/greet.py", packages)
script.write_text(FIRST.format(python=pathlib.Path("env/bin/python").absolute()) + MAIN)
script.chmod(0o755)
"""
DIRECT = "#!{python}\n"
RELOCATABLE = """#!/bin/sh
'''exec' "$(dirname -- "$(realpath -- "$0")")"/'python' "$0" "$@"
' '''
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def says(word):
    return f"def greet():\n    return {word!r}\n"


def judge(bench, program, *, steps=("now",), build=""):
    """One run over two trees that greet in their own way."""
    write(bench.root / "gate.toml", f"version = 1\n[program]\n{program}\n{build}")
    bench.corpus(A=list(steps))
    bench.pin()
    return bench.run()


@pytest.fixture
def greeting(bench):
    """Two trees: a module under `src`, and a program that imports it."""
    for side, word in (("old", "hi"), ("new", "yo")):
        write(bench.root / side / "src" / "greet.py", says(word))
        write(bench.root / side / "bin" / "main.py", MAIN)
    return bench


@pytest.fixture
def shared(tmp_path, monkeypatch):
    """The site-packages of an interpreter that both sides share."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "shared")], check=True)
    monkeypatch.setattr("gate.replay.build.interpreter", lambda: str(tmp_path / "shared" / "bin" / "python"))
    return next((tmp_path / "shared" / "lib").glob("python3*/site-packages"))


def deltas(done):
    return [(delta.case, delta.step, [change.field for change in delta.changes]) for delta in done.scorecard.deltas]


def is_told(done):
    """The change of the greeting, and nothing else."""
    return done.scorecard.exit_code == 1 and deltas(done) == [("A", 1, ["stdout"])]


RUN_MAIN = 'argv = ["{python}", "{build}/bin/main.py"]\n'


def test_a_shared_folder_on_pythonpath_is_no_proof(greeting, tmp_path):
    write(tmp_path / "shared" / "greet.py", says("hey"))
    with pytest.raises(BuildError, match="module greet of the build is loaded from .*/shared/greet.py by"):
        judge(greeting, RUN_MAIN + f'env.PYTHONPATH = "{tmp_path}/shared"')


def test_a_shared_folder_before_the_build_on_pythonpath_is_no_proof(greeting, tmp_path):
    write(tmp_path / "shared" / "greet.py", says("hey"))
    with pytest.raises(BuildError, match="module greet of the build is loaded from .*/shared/greet.py by"):
        judge(greeting, RUN_MAIN + f'env.PYTHONPATH = "{tmp_path}/shared:{{build}}/src"')


def test_a_shared_folder_that_only_a_step_names_is_no_proof(greeting, tmp_path):
    write(tmp_path / "shared" / "greet.py", says("hey"))
    write(greeting.root / "gate.toml", f'version = 1\n[program]\n{RUN_MAIN}env.PYTHONPATH = "{{build}}/src"\n')
    step = Step(argv=(b"now",), env={"PYTHONPATH": str(tmp_path / "shared")})
    write_corpus(greeting.root / "gate" / "corpus.jsonl", with_case(None, Case(id=CaseId("A"), steps=(step,))))
    greeting.pin()
    with pytest.raises(BuildError, match="module greet of the build is loaded from .*/shared/greet.py by"):
        greeting.run()


def test_the_old_tree_itself_on_pythonpath_is_no_proof(greeting):
    with pytest.raises(BuildError, match="has .*/old/src on its path, which is no build"):
        judge(greeting, RUN_MAIN + f'env.PYTHONPATH = "{greeting.root}/old/src"')


def test_a_build_file_among_the_arguments_is_no_program(greeting):
    with pytest.raises(BuildError, match="run code after -c, and not a file of the build"):
        judge(greeting, 'argv = ["{python}", "-u", "-c", "print(1)", "{build}/bin/main.py"]')


@pytest.mark.slow
def test_a_copy_beside_the_shared_interpreter_is_no_proof(greeting, shared):
    write(shared / "greet.py", says("hi"))
    with pytest.raises(BuildError, match="module greet of the build is loaded from .*/site-packages/greet.py by"):
        judge(greeting, RUN_MAIN)


@pytest.mark.slow
def test_an_editable_install_beside_the_shared_interpreter_is_no_proof(greeting, shared):
    write(shared / "__editable__.greet.pth", f"{greeting.root}/old/src\n")
    with pytest.raises(BuildError, match="old/src.*, which is no build"):
        judge(greeting, RUN_MAIN)


@pytest.mark.slow
def test_an_editable_install_of_another_checkout_is_no_proof(greeting, shared, tmp_path):
    """The finder that setuptools writes: nothing of it is on the path."""
    write(tmp_path / "checkout" / "greet.py", says("hi"))
    write(shared / "__editable___greet.pth", "import __editable___greet_finder; __editable___greet_finder.install()\n")
    write(
        shared / "__editable___greet_finder.py",
        "import importlib.util, sys\n"
        "class Finder:\n"
        "    @classmethod\n"
        "    def find_spec(cls, name, path=None, target=None):\n"
        "        if name == 'greet':\n"
        f"            return importlib.util.spec_from_file_location(name, '{tmp_path}/checkout/greet.py')\n"
        "def install():\n"
        "    sys.meta_path.append(Finder)\n",
    )
    with pytest.raises(BuildError, match="module greet of the build is loaded from .*/checkout/greet.py by"):
        judge(greeting, RUN_MAIN)


@pytest.mark.slow
@pytest.mark.parametrize("first", [DIRECT, RELOCATABLE])
def test_a_console_script_of_an_environment_in_the_build_tells_the_change(greeting, first):
    for side in ("old", "new"):
        write(greeting.root / side / "make.py", MAKE.replace("FIRST", repr(first)).replace("MAIN", repr(MAIN)))
    build = '[build]\ncommand = ["{python}", "make.py"]\n'
    assert is_told(judge(greeting, 'path = ["env/bin"]', steps=["greet"], build=build))


@pytest.mark.slow
@pytest.mark.parametrize("first", [DIRECT, RELOCATABLE])
def test_a_console_script_that_a_shared_folder_wins_over_is_no_proof(greeting, tmp_path, first):
    for side in ("old", "new"):
        write(greeting.root / side / "make.py", MAKE.replace("FIRST", repr(first)).replace("MAIN", repr(MAIN)))
    write(tmp_path / "shared" / "greet.py", says("hey"))
    program = f'path = ["env/bin"]\nenv.PYTHONPATH = "{tmp_path}/shared"'
    with pytest.raises(
        BuildError, match="module greet of the build is loaded from .*/shared/greet.py by .*env/bin/python"
    ):
        judge(greeting, program, steps=["greet"], build='[build]\ncommand = ["{python}", "make.py"]\n')


@pytest.mark.slow
def test_a_source_folder_of_the_build_on_pythonpath_tells_the_change(greeting):
    assert is_told(judge(greeting, RUN_MAIN + 'env.PYTHONPATH = "{build}/src"'))


@pytest.mark.slow
def test_a_source_folder_of_the_build_wins_over_a_copy_beside_the_interpreter(greeting, shared):
    write(shared / "greet.py", says("hi"))
    assert is_told(judge(greeting, RUN_MAIN + 'env.PYTHONPATH = "{build}/src"'))


@pytest.mark.slow
def test_a_module_run_with_dash_m_tells_the_change(greeting):
    for side in ("old", "new"):
        with (greeting.root / side / "src" / "greet.py").open("a") as stream:
            stream.write("print(greet())\n")
    assert is_told(judge(greeting, 'argv = ["{python}", "-m", "greet"]\nenv.PYTHONPATH = "{build}/src"'))


@pytest.mark.slow
def test_names_that_many_trees_hold_refuse_nothing(greeting, shared):
    """Tests and documents of the tree, a module the program never meets, and names of the standard library."""
    for side in ("old", "new"):
        write(greeting.root / side / "tests" / "__init__.py", "")
        write(greeting.root / side / "docs" / "conf.py", "")
        for name in ("setup", "conftest", "json", "deploy"):
            write(greeting.root / side / f"{name}.py", "")
    for name in ("tests/__init__", "docs/__init__", "setup", "conftest", "other"):
        write(shared / f"{name}.py", "")
    assert is_told(judge(greeting, RUN_MAIN + 'env.PYTHONPATH = "{build}/src"'))


def test_a_fixture_that_python_dash_m_would_load_instead_is_refused(greeting):
    """The working directory comes first on the path of `-m`, and holds the fixtures on both sides."""
    write(greeting.root / "fixtures" / "greet.py", says("fixture"))
    with pytest.raises(BuildError, match="greet"):
        judge(greeting, 'argv = ["{python}", "-m", "greet"]\nenv.PYTHONPATH = "{build}/src"')
