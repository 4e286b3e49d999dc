"""What starting up costs, told by what is imported: the gate never pays for a model client, nor for Hypothesis unless it draws."""

import json
import subprocess
import sys

import pytest

MODEL_CLIENTS = {
    "anthropic",
    "httpx",
    "langchain",
    "langchain_core",
    "langchain_openai",
    "openai",
    "pydantic",
    "requests",
    "tenacity",
}


def imported_by(code):
    told = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nimport json; print(json.dumps(sorted({{m.partition('.')[0] for m in sys.modules}})))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(json.loads(told.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "code", ["import gate", "import gate.api", "import gate.cli.app", "import gate.pipeline.audit"]
)
def test_the_gate_imports_neither_hypothesis_nor_a_model_client(code):
    assert not imported_by(code) & (MODEL_CLIENTS | {"hypothesis"})


def test_help_imports_no_room_of_the_gate():
    code = "from typer.testing import CliRunner\nfrom gate.cli.app import app\nassert CliRunner().invoke(app, ['--help']).exit_code == 0"
    told = imported_by(
        code + "\nassert not [m for m in sys.modules if m.startswith(('gate.diff', 'gate.replay', 'gate.pipeline'))]"
    )
    assert "re2" not in told
    assert "msgspec" not in told


def test_a_worker_imports_neither_the_command_line_nor_hypothesis():
    assert not imported_by("import gate.replay.worker") & (MODEL_CLIENTS | {"hypothesis", "typer", "rich"})
