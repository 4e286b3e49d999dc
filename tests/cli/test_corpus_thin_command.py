"""`gate corpus thin` and `gate corpus coverage --baseline`, and what the other commands of the group say of thinned cases."""

import json

import pytest
import typer
from typer.testing import CliRunner

from gate.cli.corpus import register
from gate.corpus.aside import read_aside
from gate.corpus.format import read_corpus

PROJECT = """version = 1
[program]
argv = ["{build}/kv"]
[corpus]
cases = 4
max_steps = 1
unknown_commands = false
[pools]
key = ["a", "b", "c", "dd"]
[[command]]
name = "get"
args = [{ kind = "pool", pool = "key" }]
"""
KV = "#!/bin/sh\ncase $2 in a|dd) echo A; exit 0;; b) echo B; exit 3;; *) echo $2;; esac\n"
OLD = ("--baseline", "old", "--sandbox", "off", "--workers", "1")


@pytest.fixture
def gate(tmp_path, monkeypatch):
    """The group in a project with four drawn cases, two of which do the same: exit code, standard output, standard error."""
    (tmp_path / "gate.toml").write_text(PROJECT)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "kv").write_text(KV)
    (tmp_path / "old" / "kv").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    app = typer.Typer()
    register(app)
    app.callback()(lambda: None)

    def run(*words):
        result = CliRunner().invoke(app, ["corpus", *words])
        return result.exit_code, result.stdout, result.stderr

    run("draw")
    return run


def by_word(root):
    corpus = read_corpus(root / "gate" / "corpus.jsonl")
    return {case.steps[0].argv[1].decode(): case.id for case in corpus.cases}


def test_what_goes_is_told_and_the_pins_are_to_be_renewed(gate, tmp_path):
    (tmp_path / "gate" / "pins.json").write_text("{}")
    known = by_word(tmp_path)
    dry = gate("thin", *OLD, "--dry-run")
    assert dry == (
        0,
        f"would drop {known['dd']}: it behaves like {known['a']}\n"
        "2 cases do what another one does, in 2 runs of the baseline: 1 would go, 1 stay\n"
        "3 cases would be left in the corpus\n",
        "nothing was written\n",
    )
    code, out, err = gate("thin", *OLD)
    assert (code, out) == (
        0,
        f"dropped {known['dd']}: it behaves like {known['a']}\n"
        "2 cases do what another one does, in 2 runs of the baseline: 1 went, 1 stay\n"
        "3 cases left in the corpus\n",
    )
    assert err.endswith(
        "wrote the corpus and what is set aside of it, in gate/\n"
        "The pins no longer hold: renew them in a commit of its own: gate pin\n"
    )


def test_every_other_command_knows_of_what_was_thinned(gate, tmp_path):
    known, before = by_word(tmp_path), (tmp_path / "gate" / "corpus.jsonl").read_bytes()
    (tmp_path / "before.jsonl").write_bytes(before)
    gate("thin", *OLD)
    told = "thinned: 1 case that behaved like another one, not compared (aside.jsonl, beside the corpus)\n"
    reason = f"it behaves like {known['a']} in every field of every step"
    code, out, _ = gate("draw")
    assert (code, known["dd"] in by_word(tmp_path).values(), out.endswith(told)) == (0, False, True)
    assert gate("show")[2] == told
    assert gate("show", known["dd"])[2].startswith(
        f"error: case '{known['dd']}': expected a case of the corpus, got one that is set aside: {reason}\n"
    )
    assert gate("diff", "before.jsonl", "gate/corpus.jsonl")[1].startswith(
        f"vanished {known['dd']}: set aside: {reason}\n"
    )
    assert gate("add", "mine", "--step", "get dd")[0] == 0
    gate("draw")
    assert by_word(tmp_path)["dd"] == "mine"
    assert [row.case.id for row in read_aside(tmp_path / "gate" / "aside.jsonl")] == [known["dd"]]


def test_a_draw_brings_a_thinned_case_back_when_the_other_one_is_gone(gate, tmp_path):
    known = by_word(tmp_path)
    gate("thin", *OLD)
    assert "dd" not in by_word(tmp_path)
    toml = (tmp_path / "gate.toml").read_text()
    (tmp_path / "gate.toml").write_text(toml.replace('"a", ', ""))
    gate("draw")
    assert known["dd"] in by_word(tmp_path).values()


def test_coverage_tells_what_the_cases_show_of_the_baseline(gate, tmp_path):
    code, out, _ = gate("coverage", *OLD)
    assert code == 0
    assert out == gate("coverage")[1] + (
        "behaviour: 4 steps in 4 cases on the baseline\n"
        "exit statuses: 0 (3), 3 (1)\n"
        "  never seen: 1\n"
        "  never seen: 2\n"
        "commands that ran: 1 of 1\n"
        "  never touched a file: get\n"
    )
    told = json.loads(gate("coverage", *OLD, "--format", "json")[1])
    assert (told["version"], told["aside"], told["branches"], told["behaviour"]["statuses"]) == (
        1,
        [],
        None,
        [{"status": "0", "steps": 3}, {"status": "3", "steps": 1}],
    )
    assert json.loads(gate("coverage", "--format", "json")[1])["behaviour"] is None


def test_a_choice_that_one_case_alone_shows_stays(gate, tmp_path):
    toml = (tmp_path / "gate.toml").read_text()
    choice = 'kind = "choice", values = ["a", "b", "c", "dd"]'
    (tmp_path / "gate.toml").write_text(toml.replace('kind = "pool", pool = "key"', choice))
    gate("draw")
    assert gate("thin", *OLD)[1] == (
        "2 cases do what another one does, in 2 runs of the baseline: 0 went, 2 stay\n4 cases left in the corpus\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("thin",),
        ("thin", "--baseline", "old", "--base", "main"),
        ("coverage", "--branches"),
        ("coverage", "--baseline", "old", "--base", "main"),
    ],
)
def test_one_baseline_has_to_be_named(gate, words):
    code, _, err = gate(*words)
    assert code == 2
    assert err.startswith("error: expected one baseline, got ")
