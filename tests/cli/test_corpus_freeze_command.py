"""`gate corpus freeze`, and what the other commands of the group say of cases that are set aside."""

import pytest
import typer
from typer.testing import CliRunner

from gate.cli.corpus import register
from gate.corpus.format import read_corpus
from gate.domain import CaseId
from gate.replay.environment import hash_seed

PROJECT = """version = 1
[program]
argv = ["{build}/kv"]
[corpus]
cases = 4
max_steps = 1
unknown_commands = false
[[command]]
name = "get"
args = [{ kind = "choice", values = ["a", "b", "c", "d"] }]
"""
FLIPS = "#!/bin/sh\necho got $2\n[ $2 = b ] && echo seed $PYTHONHASHSEED\nexit 0\n"


@pytest.fixture
def gate(tmp_path, monkeypatch):
    """The group in a project: exit code, standard output, standard error."""
    (tmp_path / "gate.toml").write_text(PROJECT)
    monkeypatch.chdir(tmp_path)
    app = typer.Typer()
    register(app)
    app.callback()(lambda: None)

    def run(*words):
        result = CliRunner().invoke(app, ["corpus", *words])
        return result.exit_code, result.stdout, result.stderr

    return run


@pytest.fixture
def frozen(gate, tmp_path):
    """The same after a draw of four cases, one of which wavers and was set aside."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "kv").write_text(FLIPS)
    (tmp_path / "old" / "kv").chmod(0o755)
    gate("draw")
    (tmp_path / "gate" / "pins.json").write_text("{}")
    code, out, err = gate("freeze", "--baseline", "old", "--runs", "2", "--sandbox", "off", "--workers", "1")
    gate.first = code, out, err
    return gate


def ids(root):
    return {case.id for case in read_corpus(root / "gate" / "corpus.jsonl").cases}


def test_a_case_that_wavers_is_told_with_its_cure_and_the_pins_are_to_be_renewed(frozen, tmp_path):
    code, out, err = frozen.first
    name = out.split()[2]
    assert code == 0
    assert out == (
        f"set aside {name}\n"
        "  step 1 (get), stdout:\n"
        f'    "got b\\nseed {hash_seed(CaseId(name), 0)}\\n" in 1 of 2 runs\n'
        f'    "got b\\nseed {hash_seed(CaseId(name), 1)}\\n" in 1 of 2 runs\n'
        "    cure: a noise rule would cover what varies, and hide a change there while the baseline wavers: "
        "seed = '^seed (?P<noise>[0-9]{10})$'\n"
        "      [[noise]]\n"
        '      name = "seed"\n'
        "      pattern = '^seed (?P<noise>[0-9]{10})$'\n"
        '      fields = ["stdout"]\n'
        '      commands = ["get"]\n'
        "1 case set aside after 2 runs of the baseline; 3 cases left in the corpus\n"
    )
    assert err.endswith(
        "wrote gate/aside.jsonl and gate/corpus.jsonl\n"
        "The pins no longer hold: renew them in a commit of its own: gate pin\n"
    )
    assert name not in ids(tmp_path)


def test_on_a_steady_remainder_nothing_is_written(frozen):
    code, out, err = frozen("freeze", "--baseline", "old", "--sandbox", "off", "--workers", "1")
    assert (code, out) == (0, "0 cases set aside after 5 runs of the baseline; 3 cases left in the corpus\n")
    assert err.endswith("nothing was written\n")


def test_a_redraw_leaves_out_what_is_set_aside_and_says_so(frozen, tmp_path):
    before = ids(tmp_path)
    code, out, err = frozen("draw")
    assert (code, ids(tmp_path), err) == (0, before, "gate/corpus.jsonl stays as it was\n")
    assert "left out: 1 that is set aside\n" in out
    assert out.endswith("set aside: 1 case, not compared (aside.jsonl, beside the corpus)\n")


def test_coverage_and_the_list_mention_how_many_are_set_aside(frozen):
    told = "set aside: 1 case, not compared (aside.jsonl, beside the corpus)\n"
    assert frozen("coverage")[1].endswith(told)
    assert frozen("show")[2] == told


def test_steps_that_are_set_aside_are_not_added_by_hand(frozen):
    code, _, err = frozen("add", "mine", "--step", "get b")
    assert code == 2
    assert err.startswith(
        "error: case 'mine': expected steps that are steady, got those of a case that was set aside\n"
    )


def test_a_damaged_file_of_cases_set_aside_stops_every_change(frozen, tmp_path):
    (tmp_path / "gate" / "aside.jsonl").write_text("{}\n")
    for words in (("draw",), ("add", "mine", "--step", "get c c"), ("coverage",)):
        code, _, err = frozen(*words)
        assert (code, "aside.jsonl:1: expected the head" in err) == (2, True)


@pytest.mark.parametrize("words", [(), ("--baseline", "old", "--base", "main")])
def test_one_baseline_has_to_be_named(gate, words):
    code, _, err = gate("freeze", *words)
    assert code == 2
    assert err.startswith("error: expected one baseline, got ")
