"""Facts of the repository that nobody should have to remember."""

import subprocess
import tomllib
from pathlib import Path

from gate.exit_codes import ExitCode

REPOSITORY = Path(__file__).parents[2]


def test_every_exit_code_is_documented_in_the_readme():
    readme = (REPOSITORY / "README.md").read_text()
    for code in ExitCode:
        assert f"| {int(code)} | {code.sentence} |" in readme


def test_the_gate_alone_pulls_no_model_client():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    names = {requirement.partition(">")[0] for requirement in project["dependencies"]}
    assert names == {"google-re2", "hypothesis", "msgspec", "pytest", "rich", "typer"}


def test_package_init_files_are_empty():
    rooms = list((REPOSITORY / "gate").rglob("__init__.py"))
    assert rooms
    assert [str(path) for path in rooms if path.read_text()] == []


def test_no_lock_file_is_tracked():
    tracked = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True)
    assert "uv.lock" not in tracked.stdout.split()
