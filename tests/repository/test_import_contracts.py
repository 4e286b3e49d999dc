"""Each import contract holds, and breaks under its planted violation."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PLANTED = {
    "auditor-above-gate": ("gate/domain.py", "import auditor.cli.main"),
    "evals-rooms": ("evals/intervals.py", "import evals.report"),
    "one-door": ("auditor/cli/main.py", "import gate.policy.load"),
    "rooms": ("gate/diff/findings.py", "import gate.report.scorecard"),
    "no-model-client": ("gate/report/scorecard.py", "import openai"),
    "pure-rooms": ("gate/policy/match.py", "import subprocess"),
}

pytestmark = pytest.mark.slow


def contracts_broken(folder):
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
        "--no-cache",
    ]
    # No COLUMNS of the caller: the linter wraps its lines by it.
    told = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200"},
    )
    return told.returncode, told.stdout


@pytest.fixture
def copy(tmp_path):
    for name in ("gate", "auditor", "evals"):
        shutil.copytree(REPOSITORY / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    return tmp_path


def test_every_contract_is_kept(copy):
    code, told = contracts_broken(copy)
    assert code == 0, told
    assert f"Contracts: {len(PLANTED)} kept, 0 broken." in told


@pytest.mark.parametrize("contract", PLANTED)
def test_a_planted_import_breaks_its_contract(copy, contract):
    file, line = PLANTED[contract]
    path = copy / file
    path.write_text(path.read_text() + f"\n{line}\n")
    code, told = contracts_broken(copy)
    assert code == 1, told
    settings = (copy / "pyproject.toml").read_text().partition(f'id = "{contract}"')[2]
    name = settings.partition('name = "')[2].partition('"')[0]
    assert f"{name} BROKEN" in told


def test_a_new_room_must_be_given_its_place(copy):
    (copy / "gate" / "attic.py").touch()
    code, _ = contracts_broken(copy)
    assert code != 0
