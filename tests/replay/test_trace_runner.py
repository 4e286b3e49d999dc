from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

from gate.domain import Case, CaseId, Record, Step
from gate.errors import TraceError
from gate.replay.engine import LocalEngine
from gate.replay.interface import Recipe
from gate.replay.trace_runner import instructions

PROGRAM = """
import json, sys
for line in sys.stdin:
    step = json.loads(line)
    if step["argv"][0] == "crash":
        sys.stdout.flush()
        print("boom", file=sys.stderr, flush=True)
        sys.stdout.write(f"{step['case']}|{step['step']}|cra")
        sys.stdout.flush()
        import os; os.abort()
    print(step["case"], step["step"], step["argv"][0], "out=" + " ".join(step["argv"][1:]), sep="|")
"""


@pytest.fixture
def trace(recipe: Callable[..., Recipe]) -> Callable[..., list[tuple[int, str, dict[str, bytes]]]]:
    def run(*argvs: str, program: str = PROGRAM, **settings: Any) -> list[tuple[int, str, dict[str, bytes]]]:
        steps = tuple(Step(argv=tuple(map(os.fsencode, argv.split()))) for argv in argvs)
        made = recipe(runner="trace", argv=(sys.executable, "-S", "-c", program), **settings)
        (records,) = LocalEngine(workers=1).replay(made, [Case(id=CaseId("c1"), steps=steps)], on_case=lambda: None)
        return [(record.step, record.command, fields_of(record)) for record in records]

    return run


def fields_of(record: Record) -> dict[str, bytes]:
    return {name: value.data for name, value in record.fields.items()}


Trace = Callable[..., list[tuple[int, str, dict[str, bytes]]]]


def test_the_program_tells_its_own_steps_and_the_process_comes_first(trace: Trace) -> None:
    assert trace("add 1 2", "list") == [
        (0, "(process)", {"status": b"0", "stderr": b"", "files": b""}),
        (1, "add", {"out": b"1 2"}),
        (2, "list", {"out": b""}),
    ]


def test_a_crash_is_a_record_and_the_line_it_cut_is_kept(trace: Trace) -> None:
    assert trace("add 1", "crash", "list") == [
        (0, "(process)", {"status": b"signal SIGABRT", "stderr": b"boom\n", "files": b"", "unfinished": b"c1|2|cra"}),
        (1, "add", {"out": b"1"}),
    ]


def test_a_program_over_its_time_is_a_record(trace: Trace) -> None:
    program = "import time; open('f', 'w').close(); print('c1|1|x|a=1', flush=True); time.sleep(60)"
    assert trace("x", program=program, timeout=0.5) == [
        (0, "(process)", {"status": b"timeout", "stderr": b"", "files": b"created file 644 f\n", "files:f": b""}),
        (1, "x", {"a": b"1"}),
    ]


def test_paths_are_taken_out_of_values_names_and_stderr(trace: Trace) -> None:
    program = "import os, sys; w = os.getcwd(); print(f'c1|1|{w}|at={w}/f|{w}=1'); print(w, file=sys.stderr)"
    assert trace("x", program=program) == [
        (0, "(process)", {"status": b"0", "stderr": b"<WORK>\n", "files": b""}),
        (1, "<WORK>", {"at": b"<WORK>/f", "<WORK>": b"1"}),
    ]


def test_values_are_bytes(trace: Trace) -> None:
    program = r"import sys; sys.stdout.buffer.write(b'c1|1|x|raw=\xff\xfe\n')"
    assert trace("x", program=program)[1] == (1, "x", {"raw": b"\xff\xfe"})


@pytest.mark.parametrize(
    ("output", "fault"),
    [
        ("c1|1|x|a=1\nhello\n", "case c1, line 2 of the program's output: expected four columns"),
        ("c1|1|x|a=1\n\n", "case c1, line 2 of the program's output: expected four columns"),
        (
            "c2|1|x|a=1\n",
            "case c1, line 1 of the program's output: expected a record of this case, got one of case 'c2'",
        ),
        ("c1|0|x|a=1\n", "case c1, line 1 of the program's output: expected each step once, from 1 on; got step 0"),
        (
            "c1|1|x|\nc1|1|x|\n",
            "case c1, line 2 of the program's output: expected each step once, from 1 on; got step 1 again",
        ),
    ],
)
def test_what_is_no_record_of_this_case_is_refused(trace: Trace, output: str, fault: str) -> None:
    with pytest.raises(TraceError) as refusal:
        trace("x", program=f"print({output!r}, end='')")
    assert refusal.value.what.startswith(fault)


def test_a_trace_over_the_limit_is_refused(trace: Trace) -> None:
    with pytest.raises(TraceError, match="case c1: expected a trace of at most 100 bytes"):
        trace("x", program="print('c1|1|x|a=' + 'x' * 100)", limit_bytes=100)


def test_the_steps_are_handed_over_exactly() -> None:
    steps = (
        Step(argv=(b"add", b"\xff|\n"), stdin=b"\0in", env={"A": "é"}),
        Step(argv=(b"list",)),
    )
    lines = instructions(Case(id=CaseId("c|1"), steps=steps)).splitlines()
    assert [json.loads(line) for line in lines] == [
        {"case": "c|1", "step": 1, "argv": ["add", {"b64": "/3wK"}], "stdin": "\0in", "env": {"A": "é"}},
        {"case": "c|1", "step": 2, "argv": ["list"], "stdin": None, "env": {}},
    ]
