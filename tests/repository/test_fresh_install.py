"""A newcomer's machine: the wheel in an empty environment. Needs a package index."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from auditor.demo.folder import MARKER, set_up

REPOSITORY = Path(__file__).parents[2]
MODEL_CLIENTS = {"anthropic", "httpx", "langchain-core", "langchain-openai", "openai", "tenacity"}

pytestmark = pytest.mark.fresh


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The `bin` folder of an environment that holds the package alone, not editable."""
    place = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", str(place / "venv")], check=True)
    pip = [str(place / "venv" / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", str(REPOSITORY)], check=True)
    return place / "venv" / "bin"


def run(installed, *words, cwd):
    environment = {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return subprocess.run([installed / words[0], *words[1:]], cwd=cwd, capture_output=True, text=True, env=environment)


def test_installing_the_gate_alone_pulls_no_model_client(installed, tmp_path):
    listed = run(installed, "python", "-m", "pip", "list", "--format", "freeze", cwd=tmp_path).stdout
    names = {line.partition("==")[0].lower().replace("_", "-") for line in listed.splitlines()}
    assert "agent-patch-auditor" in names
    assert not names & MODEL_CLIENTS


def test_the_demo_runs_from_a_wheel_and_its_commands_can_be_copied(installed, tmp_path):
    told = run(installed, "auditor", "demo", cwd=tmp_path)
    assert told.returncode == 1, told.stderr
    assert "2 allowed, 4 flagged" in told.stdout
    demo = tmp_path / "auditor-demo"
    assert (demo / MARKER).exists()
    again = run(installed, "gate", "diff", "golden.trace", "patched.trace", "gate/policy.json", cwd=demo)
    assert again.returncode == 1, again.stderr
    table = steps(told.stdout.partition("Exit code 1.")[0])
    assert steps(again.stdout) == table
    assert len(table) == 6


def steps(report):
    """Case, step, command and delta of each row: folding, and the groups' numbers, are not the same where nothing is replayed."""
    pattern = r"(?:g\d+)? +([ABC]) +(\d) +(\w+) +(?:exit code|value) +(?:then: )?(.*?)  +\S.*"
    found = (re.fullmatch(pattern, line) for line in report.splitlines())
    return sorted(match.groups() for match in found if match)


def test_a_verdict_is_the_same_bytes_with_and_without_the_auditor_extra(installed, tmp_path):
    """And with a folder of suggestions and an auditor.toml that claim whatever they like."""
    demo = set_up(tmp_path / "demo")
    (demo / "properties" / "test_list_order.py").unlink()  # the one that wavers, and is shown with what was seen
    config = (demo / "gate.toml").read_text()
    (demo / "gate.toml").write_text(config.replace("[voting.property.list_order]\nrepeats = 12\n", ""))
    assert run(installed, "gate", "pin", cwd=demo).returncode == 0
    words = ("run", "--baseline", "baseline", "--candidate", "candidate", "--format", "json")
    alone = run(installed, "gate", *words, cwd=demo)
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    pip = [str(tmp_path / "venv" / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", f"{REPOSITORY}[auditor]"], check=True)
    (demo / "suggestions").mkdir()
    (demo / "suggestions" / "policy-1.json").write_text('{"status": "accepted", "exit_code": 0}')
    (demo / "auditor.toml").write_text("[gate]\nexit_code = 0\n")
    beside = run(tmp_path / "venv" / "bin", "gate", *words, cwd=demo)
    assert alone.returncode == beside.returncode == 1, alone.stderr + beside.stderr
    assert '"ballot": "fail"' in alone.stdout
    assert alone.stdout == beside.stdout


def test_a_corpus_can_be_drawn_from_a_wheel(installed, tmp_path):
    told = run(installed, "gate", "corpus", "draw", "--cases", "10", cwd=set_up(tmp_path / "demo"))
    assert told.returncode == 0, told.stderr


def test_the_prompts_come_with_the_wheel(installed, tmp_path):
    told = run(installed, "auditor", "prompts", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    assert {"hypotheses", "policy", "wording"} <= set(told.stdout.split())
