"""`gate noise audit` and `gate noise suggest` at the command line."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from gate.cli.app import app

RULE = "[[noise]]\nname = \"number\"\npattern = '\\d+'\n"
PLAIN = 'version = 1\n[program]\nargv = ["x"]\n'
LINES = ("A|1|copy|status=0|out=3 files copied as job 17\n", "A|1|copy|status=0|out=3 files copied as job 99\n")
AUDIT = """\
noise rules on 2 runs of the baseline: cases: 1, steps: 1

number: takes out 4 spans; licensed at 2 of them, where the baseline's runs differ
  in: copy out 4
  e.g. «3» files copied as job 17
  e.g. 3 files copied as job «17»
  e.g. «3» files copied as job 99
  9 changes tried; not seen:
    doubled: "3 files copied as job 17" → "3 files copied as job 1717" (A/1 out)
    shortened: "3 files copied as job 17" → "3 files copied as job 1" (A/1 out)
    scaled: "3 files copied as job 17" → "3 files copied as job 170" (A/1 out)
built-in rules that match nothing: timestamp, uuid, address, tmp-path, tmp-name, pid, duration

finding: number: touches an exit code: it would take an exit code out of `exit_code=1`, `exited with status 1`, though no recorded run \
prints one. Name what stands beside the noise in the pattern, as in `took=(?P<noise>[0-9]+)`, and restrict it with `fields` and \
`commands`.
finding: number: touches a count: 2 of its matches tell a count, none of them varied between the baseline's runs: \
`«3» files copied as job 17`, `«3» files copied as job 99`. \
Name what stands beside the noise in the pattern, as in `took=(?P<noise>[0-9]+)`, and restrict it with `fields` and `commands`.
exit 1: findings: 2, in 1 of 8 rules: a person must mend these rules
"""
SUGGESTED = """\
# 2 runs of the baseline disagree on 1 check; with the rules below on 0.

# would mask A/1 out: 3 files copied as job «17», 3 files copied as job «99»
[[noise]]
name = "job"
pattern = '\\bjob (?P<noise>[0-9]+)$'
fields = ["out"]
commands = ["copy"]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gate.toml").write_text(PLAIN + RULE)
    for name, text in zip(("one", "two"), LINES, strict=True):
        (tmp_path / name).write_text(text)
    return tmp_path


def gate(*words: str) -> Result:
    return CliRunner().invoke(app, ["noise", *words], catch_exceptions=False)


def test_a_rule_for_every_number_is_caught_and_ends_in_1():
    result = gate("audit", "one", "two")
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout == AUDIT


def test_without_a_finding_it_ends_in_0(folder):
    (folder / "gate.toml").write_text(PLAIN + RULE.replace("\\d+", "job (?P<noise>\\d+)"))
    result = gate("audit", "one", "two")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "exit 0: clean: no rule is at fault on these runs")


def test_one_run_alone_cannot_acquit_a_rule_and_ends_in_3(folder):
    (folder / "gate.toml").write_text(PLAIN)
    result = gate("audit", "one")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (
        3,
        "exit 3: one run alone was recorded: name a further run of the baseline, or ask for a kept golden with --baseline DIR",
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("none",), "error: none: expected a trace file, got no such file\n"),
        (("one", "--run", "."), "error: expected traces, --run or --baseline, got more than one of them\n"),
        (("--run", "."), "error: golden.jsonl: expected the golden trace of a run, found none\n"),
        (("empty",), "error: expected records in empty, got none\n"),
        (("other",), "error: other:1: expected canonical form 1, got 2\n"),
        (("bad",), "error: bad:1: expected four columns `case|step|command|key=value|key=value`, got 'x'\n"),
    ],
)
def test_what_cannot_be_read_ends_in_2(folder, words, told):
    (folder / "empty").write_text('{"trace":1}\n')
    (folder / "other").write_text('{"trace":1,"canonical":2}\n')
    (folder / "bad").write_text("x\n")
    result = gate("audit", *words)
    assert (result.exit_code, result.stdout, result.stderr.startswith(told)) == (2, "", True), result.stderr


def test_without_a_run_the_first_step_is_named():
    result = gate("audit")
    assert result.exit_code == 2
    assert result.stderr.endswith(
        "There is no run yet: `gate run` first, or name a captured build with --baseline, or trace files.\n"
    )


def test_a_broken_rule_ends_in_2(folder):
    (folder / "gate.toml").write_text(PLAIN + RULE.replace("\\d+", "\\d*"))
    assert gate("audit", "one", "two").exit_code == 2


def test_json_is_stable_and_says_the_same():
    result = gate("audit", "one", "two", "--format", "json")
    assert result.exit_code == 1
    assert gate("audit", "one", "two", "--format", "json").stdout == result.stdout
    told = json.loads(result.stdout)
    own = told["rules"][-1]
    assert list(told) == ["version", "canonical", "noise", "runs", "cases", "steps", "rules", "findings", "exit_code"]
    assert (told["version"], told["runs"], told["exit_code"], len(told["findings"])) == (1, 2, 1, 2)
    assert (own["name"], own["built_in"], own["spans"], own["erased"], own["tried"]) == ("number", False, 4, 2, 9)
    assert own["where"] == [{"command": "copy", "field": "out", "spans": 4, "erased": 2}]
    assert [row["mutation"] for row in own["unseen"]] == ["doubled", "shortened", "scaled"]


def test_program_output_reaches_the_terminal_escaped(folder):
    for name, text in zip(("one", "two"), LINES, strict=True):
        (folder / name).write_text(text.replace("files", "\x1b[2J\u202efiles"))
    for words in (("audit", "one", "two"), ("suggest", "one", "two")):
        assert gate(*words).stdout.replace("\n", "").isprintable()


def test_suggestions_are_blocks_to_paste_and_nothing_is_written(folder):
    (folder / "gate.toml").write_text(PLAIN)
    before = sorted(path.name for path in folder.iterdir())
    result = gate("suggest", "one", "two")
    assert (result.exit_code, result.stdout, result.stderr) == (0, SUGGESTED, "")
    assert sorted(path.name for path in folder.iterdir()) == before
    (folder / "gate.toml").write_text(PLAIN + result.stdout)
    assert gate("audit", "one", "two").exit_code == 0
    assert gate("suggest", "one", "two").stdout == (
        "# 2 runs of the baseline disagree on 0 checks; with the rules below on 0.\n"
    )


def test_a_rule_that_would_be_at_fault_is_told_and_not_proposed(folder):
    (folder / "gate.toml").write_text(PLAIN)
    for name, number in (("one", 3), ("two", 4)):
        (folder / name).write_text(f"A|1|copy|out={number} files\n")
    assert gate("suggest", "one", "two").stdout == (
        "# 2 runs of the baseline disagree on 1 check; with the rules below on 1.\n\n"
        "# no rule for A/1 copy out: a rule for it would be at fault, so none is proposed: mend the program, or drop the case"
        " (gate corpus remove A)\n"
        "#   touches a count: 2 of its matches tell a count, 2 of them varied between the baseline's runs: `«3» files`, `«4» files`\n"
        '#   seen: "3 files", "4 files"\n'
    )


def test_one_run_is_no_disagreement_and_more_are_asked_for():
    result = gate("suggest", "one")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "error: expected at least two runs of the baseline, got one: one\n"
        "Record more: gate run --baseline DIR --against-itself, or gate capture --baseline DIR; then ask again.\n"
    )
