"""The mutation bench judges as the gate does, and counts what it says it counts; on a program of a few lines, without an index."""

import json
import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

BENCHES = Path(__file__).parents[2] / "benches"
sys.path.append(str(BENCHES))

from edits import edits_of, words_of  # noqa: E402
from mutant_corpora import Corner  # noqa: E402
from mutant_judge import Bench, Mutant  # noqa: E402
from mutant_lines import below_package, functions_entered, whole_statements  # noqa: E402
from mutant_making import code_of  # noqa: E402
from mutant_programs import PROGRAMS, Workshop  # noqa: E402

from gate.config.load import load_project  # noqa: E402
from gate.corpus.format import with_case, write_corpus  # noqa: E402
from gate.diff.findings import Canonical, Change, Delta  # noqa: E402
from gate.domain import Case, CaseId, Step  # noqa: E402
from gate.hashing.judge import pin_project  # noqa: E402
from gate.pipeline.audit import Trees, audit  # noqa: E402
from gate.pipeline.events import silence  # noqa: E402

SOURCE = """import sys


def main():
    word = sys.argv[1]
    count = 0
    while count < 3:
        count += 1
    if word == "shout":
        print(word.upper())
    else:
        print(word, count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
"""
FILE = "tiny/__main__.py"


def mutant(old, new):
    line = next(number for number, text in enumerate(SOURCE.splitlines(), 1) if old in text)
    return Mutant(id=old, file=FILE, line=line, operator="by hand", source=SOURCE.replace(old, new))


@pytest.fixture(scope="module")
def corner(tmp_path_factory):
    """A project with two cases: `plain` says a word, `other` another; nobody shouts."""
    root = tmp_path_factory.mktemp("bench")
    program = replace(PROGRAMS[0], name="tiny", package="tiny", entry="tiny", root=".")
    corner = Corner(workshop=Workshop(root=root), program=program, corpus="hand")
    tree = root / "of-tiny" / "tree"
    for folder in (tree / "tiny", corner.project):
        folder.mkdir(parents=True)
    (tree / "tiny" / "__init__.py").touch()
    (tree / FILE).write_text(SOURCE)
    text = 'version = 1\n[program]\nargv = ["{python}", "-m", "tiny"]\nenv = { PYTHONPATH = "{build}" }\n'
    (corner.project / "gate.toml").write_text(text)
    held = None
    for word in ("plain", "other"):
        held = with_case(held, Case(id=CaseId(word), steps=(Step(argv=(word.encode(),)),)))
    write_corpus(load_project(corner.project).corpus_file, held)
    pin_project(load_project(corner.project))
    return corner


MUTANTS = {
    "a changed word": mutant("print(word, count)", "print(word, -count)"),
    "an exception": mutant("word = sys.argv[1]", "word = sys.argv[7]"),
    "the same in other words": mutant("count < 3", "not count >= 3"),
    "a branch that no case takes": mutant("word.upper()", "word.lower()"),
}


@pytest.fixture(scope="module")
def bench(corner):
    with Bench(corner, sandbox="off") as bench:
        yield bench


@pytest.mark.slow
def test_a_mutant_is_caught_by_what_it_says_and_leaves_the_build_as_it_was(bench):
    told = {name: bench.judge(held, {}) for name, held in MUTANTS.items()}
    assert {name: (row["caught"], row.get("field")) for name, row in told.items()} == {
        "a changed word": (True, "stdout"),
        "an exception": (True, "status"),
        "the same in other words": (False, None),
        "a branch that no case takes": (False, None),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a changed word", "the same in other words"])
def test_a_whole_run_says_what_the_short_way_says(corner, bench, tmp_path, name):
    held = MUTANTS[name]
    tree = tmp_path / "tree"
    (tree / "tiny").mkdir(parents=True)
    (tree / "tiny" / "__init__.py").touch()
    (tree / FILE).write_text(held.source)
    trees = Trees(baseline=corner.tree, candidate=tree)
    done = audit(load_project(corner.project), trees, workers=2, today=date(2026, 1, 1), listen=silence)
    assert done.scorecard.exit_code == int(bench.judge(held, {})["caught"])


@pytest.mark.slow
def test_only_cases_that_run_the_statement_are_replayed_and_an_unmeasured_case_runs_everything(bench):
    held = MUTANTS["a changed word"]
    none = bench.judge(held, {"plain": {FILE: frozenset({1})}, "other": {}})
    one = bench.judge(held, {"plain": {FILE: frozenset({1})}})
    assert {key: none[key] for key in ("caught", "reaching", "run")} == {"caught": False, "reaching": 0, "run": 0}
    assert {key: one[key] for key in ("caught", "reaching", "by")} == {"caught": True, "reaching": 1, "by": "other"}


def test_a_statement_runs_as_a_whole_and_a_compound_one_as_its_head():
    source = "x = [\n    1,\n]\nif (\n    x\n):\n    y = (\n        2\n    )\n"
    assert whole_statements(source, {2}) == {1, 2, 3}
    assert whole_statements(source, {5}) == {4, 5, 6}
    assert whole_statements(source, {8}) == {7, 8, 9}


def test_a_function_is_entered_when_one_of_its_lines_runs_and_the_module_always_is():
    source = "a = 1\ndef f():\n    if a:\n        return 2\n    return 3\ndef g():\n    return 4\n"
    assert functions_entered(source, {1, 2, 6}) >= {1, 2, 6}
    assert functions_entered(source, {5}) & {3, 4, 5, 7} == {3, 4, 5}


def test_a_file_is_named_from_its_package_on():
    assert below_package("/a/tool/tree/src/tool/rules/x.py", "tool") == "tool/rules/x.py"
    assert below_package("/a/other/x.py", "tool") is None


def test_a_mutant_in_an_annotation_is_none_and_one_that_does_not_compile_has_no_code():
    source = "def f(a: int | None = 1) -> int:\n    b: int = a + 1\n    return b\n"
    assert code_of(source.replace("|", "+")) == code_of(source)
    assert code_of(source.replace("a + 1", "a - 1")) != code_of(source)
    assert code_of(source.replace("= 1", "= ")) is None


def delta(**fields):
    changes = tuple(
        Change(field=name, old=Canonical(tokens=(old,)), new=Canonical(tokens=(new,)), kind="value")
        for name, (old, new) in fields.items()
    )
    return Delta(case=CaseId("a"), step=1, command="x", changes=changes)


def test_one_edit_on_two_inputs_is_the_same_edit():
    inputs = words_of([b"apple.txt", b"pear.txt"])
    one = edits_of(delta(stderr=(b"Error: apple.txt, line 3: bad", b"Error: apple.txt, line 3: unknown")), inputs)
    other = edits_of(delta(stderr=(b"Error: pear.txt, line 12: bad", b"Error: pear.txt, line 12: unknown")), inputs)
    assert one == other == {("stderr", ("bad",), ("unknown",))}


def test_a_line_that_came_is_one_edit_whatever_the_file_is_called_and_whatever_stands_beside_it():
    inputs = words_of([b"kw.py", b"tour-5.py"])
    one = edits_of(delta(stdout=(b"", b"kw.py:1:3: E275 space after keyword\n")), inputs)
    before = b"tour-5.py:1:3: E1 indent\ntour-5.py:9:3: E5 long\n"
    after = before + b"tour-5.py:12:13: E275 space after keyword\ntour-5.py:13:3: E275 space after keyword\n"
    assert one == edits_of(delta(stdout=(before, after)), inputs)
    assert len(one) == 1


def test_a_message_is_the_same_whatever_of_the_input_it_quotes():
    inputs = words_of([b"one.py print x", b"two.py call y d"])
    one = edits_of(delta(stderr=(b"error: cannot format one.py: 2:12: print(x)\n", b"")), inputs)
    other = edits_of(delta(stderr=(b"error: cannot format two.py: 1:3: call[y.d{}]\n", b"")), inputs)
    assert one == other == {("stderr", ("error", "cannot", "format"), ())}


def test_what_only_inputs_numbers_and_space_tell_is_no_edit():
    inputs = words_of([b"apple pear"])
    assert edits_of(delta(stdout=(b"apple 1\n", b"pear  22 1\n")), inputs) == frozenset()


def test_an_exit_code_counts_only_where_nothing_else_differs():
    assert edits_of(delta(status=(b"0", b"1")), frozenset()) == {("status", ("0",), ("1",))}
    both = delta(status=(b"0", b"1"), stderr=(b"", b"oh no"))
    assert edits_of(both, frozenset()) == {("stderr", (), ("oh", " ", "no"))}


CRASH = b"""Traceback (most recent call last):
  File "/build/tool/cli.py", line %d, in main
    run(arguments)
  File "/build/tool/core.py", line 7, in run
    ~~~^^^
%s

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/build/tool/cli.py", line 12, in main
ToolError: gave up
"""


def test_two_crashes_are_the_same_edit_only_where_they_end_alike():
    def crash(at, last):
        return edits_of(delta(stderr=(b"", CRASH % (at, last))), frozenset())

    assert crash(3, b"KeyError: 'apple'") == crash(4, b"KeyError: 'apple'")
    assert crash(3, b"KeyError: 'apple'") & crash(3, b"UnicodeDecodeError: bad byte") == {
        ("stderr", (), ("ToolError", "gave", "up"))
    }


def test_the_tables_say_who_caught_what_and_what_had_no_verdict(tmp_path):
    rows = [
        *(judged("init", name, caught=name == "m1") for name in ("m1", "m2", "m3", "elsewhere")),
        *(judged("suite", name, caught=name < "m3", suite=True) for name in ("m1", "m2", "m3", "elsewhere")),
        {"what": "same", "program": "p", "corpus": "init", "turn": 0, "exit": 0},
        {"what": "same", "program": "p", "corpus": "init", "turn": 1, "exit": 3},
        {"what": "agrees", "program": "p", "corpus": "init", "mutant": "m1", "exit": 1, "short": True, "whole": True, "same": True},
        {"what": "made", "program": "p", "corpus": "init", "steps": [["init", 1.5, 0], ["run", 3.0, 1]], "cases": {"drawn": 9},
         "edits": ["a dependency"], "exit": 1, "seconds": 4.5},
    ]  # fmt: skip
    out = tmp_path / "rows.jsonl"
    out.write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = subprocess.run(
        [sys.executable, BENCHES / "mutants.py", "--out", out, "--table"], capture_output=True, text=True, check=True
    )
    assert [" ".join(line.split()) for line in told.stdout.splitlines()] == [
        "caught of all mutants; of those in functions that a command line of a corpus enters; of these, of those that anybody catches",
        "program init suite",
        "p 1/4 1/3 1/2 3/4 2/3 2/2",
        "all 1/4 1/3 1/2 3/4 2/3 2/2",
        "init: 0 that the suite passes; 2 that the suite alone catches",
        "init: of 3 survivors no case runs the statement of 3",
        "",
        "against itself corpus runs 0 1 2 3",
        "p init 2 1 0 0 1",
        "",
        "whole runs on mutated trees: 1 of 1 say what the short way says",
        "",
        "first verdict corpus cases exit edits seconds",
        "p init 9 1 1 4.5 init 1.5, run 3 (exit 1)",
        "by hand: a dependency",
        "",
    ]


def judged(judge, name, *, caught, suite=False):
    row = {
        "what": "mutant",
        "program": "p",
        "judge": judge,
        "mutant": name,
        "caught": caught,
        "entered": name != "elsewhere",
    }
    return row if suite else {**row, "reaching": int(caught), "run": 1}
