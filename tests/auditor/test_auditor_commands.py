from __future__ import annotations

import subprocess
import sys

from typer.testing import CliRunner

from auditor.cli.app import app
from auditor.drafting.prompts import list_prompts


def test_prompts_are_listed_one_a_line():
    done = CliRunner().invoke(app, ["prompts"])
    hypotheses, suspects, policy, wording, repair = list_prompts()
    assert done.exit_code == 0
    assert done.stdout == (
        f"hypotheses  v1  sha256:{hypotheses.digest}  {hypotheses.purpose}\n"
        f"hypotheses  v2  sha256:{suspects.digest}  {suspects.purpose}\n"
        f"policy      v1  sha256:{policy.digest}  {policy.purpose}\n"
        f"wording     v1  sha256:{wording.digest}  {wording.purpose}\n"
        f"wording     v2  sha256:{repair.digest}  {repair.purpose}\n"
    )


def test_a_missing_prompts_folder_is_told_in_two_lines(monkeypatch, tmp_path):
    from auditor.drafting import prompts

    monkeypatch.setattr(prompts, "prompts_folder", lambda: tmp_path)
    done = CliRunner().invoke(app, ["prompts"])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr == (
        f"error: {tmp_path}: expected prompts, found none\n"
        "Install the program again, or run it from a whole checkout.\n"
    )


def test_a_folder_of_mine_is_refused_in_two_lines(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    done = CliRunner().invoke(app, ["demo", "--into", str(tmp_path)])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr == (
        f"error: {tmp_path}: expected an empty folder or a former demo, found something else\n"
        "Name another folder: auditor demo --into DIR\n"
    )


def test_help_imports_no_room_of_the_gate_and_no_model_client():
    code = (
        "import sys; from typer.testing import CliRunner; from auditor.cli.app import app; "
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0; print(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    roots = {name.partition(".")[0] for name in modules}
    assert "auditor" in roots
    assert {name for name in modules if name.partition(".")[0] == "gate"} == {
        "gate",
        "gate.api",
        "gate.console",
        "gate.errors",
        "gate.exit_codes",
    }
    assert not roots & {
        "msgspec",
        "re2",
        "hypothesis",
        "openai",
        "langchain_openai",
        "langchain_core",
        "pydantic",
        "tenacity",
    }
