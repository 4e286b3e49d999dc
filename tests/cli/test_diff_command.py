"""`gate diff` at the command line: the four exit codes, and what is printed where."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from gate.cli.app import app

GOLDEN = "A|1|put|status=0|out=1\nA|2|get|status=0|out=1\n"
PATCHED = "A|1|put|status=0|out=1\nA|2|get|status=0|out=2\n"
NOTHING_ALLOWED = '{"allowed": []}'


def allowed(case: str) -> str:
    entry = {"case": case, "field": "out", "old": "1", "new": "2", "reason": "asked for", "reviewer": "Ada"}
    return json.dumps({"allowed": [entry]})


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("golden", GOLDEN), ("patched", PATCHED), ("policy.json", NOTHING_ALLOWED)):
        (tmp_path / name).write_text(text)
    return tmp_path


def gate(*words: str) -> Result:
    return CliRunner().invoke(app, ["diff", *words], catch_exceptions=False)


def test_equal_traces_end_in_0():
    result = gate("golden", "golden", "policy.json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "4 of 4" in result.stdout


def test_a_flagged_delta_ends_in_1():
    result = gate("golden", "patched", "policy.json")
    assert (result.exit_code, result.stderr) == (1, "")
    assert "flagged" in result.stdout


def test_an_allowed_delta_ends_in_0(folder):
    (folder / "policy.json").write_text(allowed("A"))
    assert gate("golden", "patched", "policy.json").exit_code == 0


def test_an_entry_for_one_case_says_nothing_of_a_case_whose_id_begins_like_it_fault_75(folder):
    (folder / "policy.json").write_text(allowed("seq-1"))
    for name in ("golden", "patched"):
        (folder / name).write_text((folder / name).read_text().replace("A|", "seq-10|"))
    assert gate("golden", "patched", "policy.json").exit_code == 1
    (folder / "policy.json").write_text(allowed("seq-10"))
    assert gate("golden", "patched", "policy.json").exit_code == 0


def test_a_baseline_that_wavers_ends_in_3():
    result = gate("golden", "golden", "policy.json", "--repeat", "patched")
    assert result.exit_code == 3


def test_a_line_that_is_no_record_ends_in_2_fault_73(folder):
    (folder / "patched").write_text(PATCHED + "that is all\n")
    result = gate("golden", "patched", "policy.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "error: patched:3: expected four columns `case|step|command|key=value|key=value`, got 'that is all'\n"
        "A record is one line `case|step|command|key=value|key=value`; a '|' or a newline inside a value needs the JSON "
        "Lines format (docs/trace.md).\n"
    )


@pytest.mark.parametrize("missing", ["golden", "patched", "policy.json"])
def test_a_missing_file_ends_in_2_and_is_named(folder, missing):
    (folder / missing).unlink()
    result = gate("golden", "patched", "policy.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {missing}: expected a ")


def test_two_recordings_of_nothing_end_in_2(folder):
    for name in ("golden", "patched"):
        (folder / name).write_text('{"trace":1}\n')
    result = gate("golden", "patched", "policy.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "error: expected records in golden or patched, got none\nRecord both traces again: nothing was compared.\n"
    )


def test_a_missing_argument_ends_in_2():
    assert gate("golden", "patched").exit_code == 2


def test_the_scorecard_is_printed_for_machines_and_written_the_same(folder):
    result = gate("golden", "patched", "policy.json", "--format", "json", "--scorecard", "card.json")
    assert result.exit_code == 1
    assert result.stdout == (folder / "card.json").read_text()
    card = json.loads(result.stdout)
    assert (card["mode"], card["exit_code"], card["runs"]["repeats"]) == ("trace files", 1, 1)
    counts = {name: card["counts"][name] for name in ("cases", "checks", "verified", "flagged", "allowed", "unstable")}
    assert counts == {"cases": 1, "checks": 4, "verified": 3, "flagged": 1, "allowed": 0, "unstable": 0}
    assert gate("golden", "patched", "policy.json", "--format", "json").stdout == result.stdout


def test_noise_rules_come_from_a_named_config_and_need_a_repeat_to_erase(folder):
    (folder / "gate.toml").write_text(
        'version = 1\n[program]\nargv = ["x"]\n[[noise]]\nname = "ticket"\npattern = "T-[0-9]+"\n'
    )
    for name, ticket in (("golden", 1), ("patched", 2), ("again", 3)):
        (folder / name).write_text(f"A|1|put|out=T-{ticket} done\n")
    assert gate("golden", "patched", "policy.json", "--config", "gate.toml").exit_code == 1
    assert gate("golden", "patched", "policy.json", "--repeat", "again").exit_code == 3
    assert gate("golden", "patched", "policy.json", "--config", "gate.toml", "--repeat", "again").exit_code == 0


def test_a_config_that_cannot_be_read_ends_in_2():
    result = gate("golden", "patched", "policy.json", "--config", "none.toml")
    assert result.exit_code == 2
    assert result.stderr == (
        "error: none.toml: expected a gate.toml in UTF-8, got: No such file or directory\n"
        "Name a gate.toml that can be read with --config, or leave the option out.\n"
    )
