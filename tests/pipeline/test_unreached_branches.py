"""Branches of the baseline's own Python files that no case reaches."""

import importlib.util

import pytest

from gate.config.load import load_project
from gate.domain import CaseId, Record, value
from gate.errors import ReplayError
from gate.pipeline.behaviour import observed
from gate.pipeline.branch_report import Branch, FileBranches, branches_of
from gate.pipeline.branch_text import branch_lines
from gate.pipeline.branches import Branches, Told, told_in
from gate.pipeline.events import silence

SOURCE = b"""\
import sys
def main(word):
    if word == "one":
        print("1")
    elif word == "none":
        sys.exit(5)
main(sys.argv[1])
"""
NEEDS = pytest.mark.skipif(importlib.util.find_spec("coverage") is None, reason="the library coverage is not installed")
TOML = 'version = 1\n[program]\nargv = ["{python}", "{build}/%s"]\n'


def seen(bench):
    return observed(
        load_project(bench.root), bench.root / "old", branches=True, workers=1, sandbox="off", listen=silence
    )


def test_without_the_library_one_error_tells_what_to_install(bench, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ReplayError, match="expected the library coverage beside the gate, found none") as caught:
        seen(bench)
    assert caught.value.next_step == "Install it in the environment of the gate: pip install coverage"


@NEEDS
@pytest.mark.slow
def test_each_branch_is_told_by_line_of_the_tree_where_the_build_has_the_file_installed(bench):
    place = "env/lib/site-packages/kv.py"
    for name in ("src/kv.py", place):
        file = bench.root / "old" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(SOURCE)
    (bench.root / "old" / "src" / "idle.py").write_text("x = 1\n")
    mine = bench.root / "mine"
    mine.mkdir()
    (bench.root / "old" / ".gate-branches").symlink_to(mine)  # no name of a tree leads out of it
    (bench.root / "gate.toml").write_text(TOML % place)
    bench.corpus(A=["one", "two"], B=["one"])
    found = seen(bench)
    assert found.branches == Branches(
        files=(
            FileBranches(file="src/idle.py", loaded=False),
            FileBranches(file="src/kv.py", loaded=True, branches=4, unreached=(Branch(line=5, to=6),)),
        ),
        processes=3,
    )
    assert [*branch_lines(found.branches)] == [
        "branches: 3 of 4 reached in 1 of 2 Python files of the program itself",
        "  src/idle.py: never loaded",
        "  src/kv.py: 3 of 4 reached; not: 5->6",
    ]
    assert [(each.code, each.file, each.line) for each in found.behaviour.named] == [(5, "src/kv.py", 6)]
    assert [*mine.iterdir()] == []
    assert [each.name for each in (bench.root / "old").glob(".gate-*")] == [".gate-branches"]


@pytest.mark.parametrize(
    "data",
    [b'{"arcs":{"\xc2\xb2":[[1,2]]}}', b'{"arcs":{"0":[[1,"2"]]}}', b'{"arcs":', b'{"x":' + b"[" * 100_000, b"\xff"],
)
def test_a_report_that_is_none_is_a_fault_and_no_end(data):
    assert [*told_in(_run(**{"files:$TMPDIR/gate-branches-0a-1-1.json": data}), "0a")] == [
        Told(fault="a process wrote no whole report")
    ]


def test_a_report_without_the_nonce_of_the_run_is_none():
    report = b'{"arcs":{"0":[[1,2]]}}'
    names = ("gate-branches-1-1.json", "gate-branches-0b-1-1.json", "gate-branches-0a-1-1.json")
    run = _run(**{f"files:$TMPDIR/{name}": report for name in names})
    assert [*told_in(run, "0a")] == [Told(arcs={0: ((1, 2),)})]


def _run(**fields):
    held = {name: value(data) for name, data in fields.items()}
    return ((Record(case=CaseId("A"), step=1, command="kv", fields=held),),)


@NEEDS
def test_a_source_that_cannot_be_read_is_told_and_is_no_end():
    assert branches_of("a.py", b"print 'two'\n", [(-1, 1), (1, -1)]) == FileBranches(
        file="a.py", loaded=True, fault="NotPython"
    )


def test_a_report_of_nothing_says_so():
    assert [*branch_lines(Branches(files=(), processes=0, fault="ImportError: x\x1b"))] == [
        "branches: 0 of 0 reached in 0 of 0 Python files of the program itself",
        "  the tree has no Python file of its own: tests, libraries and hidden folders do not count",
        "  no process was measured: ImportError: x\\x1b",
    ]
