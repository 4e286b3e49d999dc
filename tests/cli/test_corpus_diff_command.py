"""`gate corpus diff` of corpora that were drawn from two grammars, as typed."""

import json
from dataclasses import replace

import pytest
import typer
from typer.testing import CliRunner

from gate.cli.corpus import register
from gate.config.load import load_project
from gate.corpus.contents import Corpus, Generator, drawn_id
from gate.corpus.format import read_corpus, write_corpus
from gate.corpus.grammar import grammar_digest
from gate.domain import Case, CaseId, Step

TOML = """version = 1
[program]
argv = ["kv"]
[pools]
key = {key}
[[command]]
name = "get"
args = [{{ kind = "pool", pool = "key" }}, {{ kind = "int", max = {most} }}]
"""
NOTE = "note: the grammars differ, too; they are compared where each corpus stands below the gate.toml that it was drawn from\n"


def lay(root, *lines, key, most):
    (root / "gate").mkdir(parents=True)
    (root / "gate.toml").write_text(TOML.format(key=key, most=most))
    cases = []
    for line in lines:
        steps = (Step(argv=tuple(line.encode().split())),)
        cases.append(Case(id=drawn_id(steps), steps=steps, origin="drawn"))
    made = Generator(
        version=2, hypothesis="6.1", grammar=grammar_digest(load_project(root).config.grammar), seed=1, asked=9
    )
    covers = dict.fromkeys((case.id for case in cases), ("command get",))
    write_corpus(root / "gate" / "corpus.jsonl", Corpus(cases=tuple(cases), covers=covers, generator=made))
    return str(root / "gate" / "corpus.jsonl")


@pytest.fixture
def files(tmp_path):
    old = lay(tmp_path / "old", "get a 1", "get b 70", "get c 100", key='["a", "b", "c"]', most=100)
    return old, lay(tmp_path / "new", "get a 1", key='["a"]', most=1)


def diff(*words):
    app = typer.Typer()
    register(app)
    result = CliRunner().invoke(app, ["corpus", "diff", *words])
    return result.exit_code, result.stdout.splitlines(), result.stderr


def named(out):
    return [line for line in out if line.startswith("no longer")]


SHOWN = [
    "no longer exercised: get argument 1: 2 of 3 words (now 1): b, c",
    "no longer exercised: get argument 2: 2 of 3 words (now 1): 70, 100",
]


def test_a_shrunk_pool_and_bound_are_named_by_the_cases_and_by_the_grammars(files):
    code, out, err = diff(*files)
    assert (code, err) == (1, "")
    assert named(out) == [
        *SHOWN,
        "no longer drawn: pool key: 3 words -> 1: without b, c",
        "no longer drawn: command get: args[1]: 0 to 100 -> 0 to 1",
    ]


def test_without_the_grammar_that_drew_a_corpus_its_cases_tell_alone(files, tmp_path):
    alone = tmp_path / "old.jsonl"
    alone.write_bytes((tmp_path / "old" / "gate" / "corpus.jsonl").read_bytes())
    code, out, err = diff(str(alone), files[1])
    assert (code, named(out), err) == (1, SHOWN, NOTE)


def test_a_gate_toml_of_another_grammar_is_not_taken_for_it(files, tmp_path):
    (tmp_path / "old" / "gate.toml").write_text(TOML.format(key='["z"]', most=5))
    assert diff(*files)[2] == NOTE
    (tmp_path / "old" / "gate.toml").write_text("no toml")
    assert diff(*files)[2] == NOTE


def test_the_json_form_has_it_all(files):
    told = json.loads(diff(*files, "--format", "json")[1][0])
    assert told["narrowed"][0] == {"command": "get", "place": "argument 1", "lost": ["b", "c"], "old": 3, "new": 1}
    assert told["shrunk"] == ["pool key: 3 words -> 1: without b, c", "command get: args[1]: 0 to 100 -> 0 to 1"]


def test_hand_written_corpora_have_no_grammar_to_compare(files, tmp_path):
    (case,) = read_corpus(tmp_path / "new" / "gate" / "corpus.jsonl").cases
    by_hand = (replace(case, id=CaseId("mine"), origin="hand"),)
    write_corpus(tmp_path / "hand.jsonl", Corpus(cases=by_hand))
    assert diff(str(tmp_path / "hand.jsonl"), str(tmp_path / "hand.jsonl")) == (
        0,
        ["cases: 0 vanished, 0 changed, 0 renamed, 0 came"],
        "",
    )
