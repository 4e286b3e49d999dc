from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from gate.domain import Case, Record, Step
from gate.errors import ReplayError, TraceError
from gate.replay import staff
from gate.replay.engine import LocalEngine
from gate.replay.interface import Recipe
from gate.replay.slot import Slot, claim_slot

Cases = Callable[..., Case]
Recipes = Callable[..., Recipe]


def nothing() -> None:
    pass


@pytest.fixture
def cases(case: Cases) -> list[Case]:
    return [
        case(
            f"sleep 0.0{(7 * n) % 5}; pwd; echo {n} | tee out; cat kept.txt",
            Step(argv=(b"cat",), stdin=bytes([n, 255])),
            "echo $HOME $TMPDIR >&2; ls ..; exit 3",
            name=f"case {n}",
        )
        for n in range(24)
    ]


@pytest.mark.slow
def test_the_records_do_not_depend_on_the_workers(recipe: Recipes, slot: Slot, cases: list[Case]) -> None:
    slot.template.mkdir()
    (slot.template / "kept.txt").write_text("kept\n")
    runs = [LocalEngine(workers=workers).replay(recipe(), cases, on_case=nothing) for workers in (1, 4, 24)]
    assert runs[0] == runs[1] == runs[2]
    assert [records[0].case for records in runs[0]] == [case.id for case in cases]
    backwards = LocalEngine(workers=3).replay(recipe(), cases[::-1], on_case=nothing)
    assert backwards[::-1] == runs[0]


def test_the_records_do_not_depend_on_the_slot(recipe: Recipes, slot: Slot, cases: list[Case]) -> None:
    (first, *_) = LocalEngine().replay(recipe(), cases[:1], on_case=nothing)
    with claim_slot(slot.root.parents[2], temp=slot.root.parents[2]) as other:
        assert other.root.name == "s1" or other.root != slot.root
        (second, *_) = LocalEngine().replay(recipe(slot=str(other.root)), cases[:1], on_case=nothing)
    assert first == second


def test_large_inputs_and_outputs_do_not_block_engine_and_workers(recipe: Recipes, case: Cases) -> None:
    cases = [case(Step(argv=(b"cat",), stdin=bytes([n]) * 400_000), name=f"{n}") for n in range(12)]
    runs = LocalEngine(workers=2).replay(recipe(), cases, on_case=nothing)
    assert [records[0].fields["stdout"].data for records in runs] == [one.steps[0].stdin for one in cases]


def test_each_case_that_is_done_is_told_once(recipe: Recipes, cases: list[Case]) -> None:
    told: list[None] = []
    LocalEngine(workers=2).replay(recipe(), cases[:5], on_case=lambda: told.append(None))
    assert len(told) == 5


def test_no_cases_give_no_records(recipe: Recipes) -> None:
    assert LocalEngine().replay(recipe(), [], on_case=nothing) == ()


def test_a_case_without_steps_has_no_records(recipe: Recipes, case: Cases) -> None:
    assert LocalEngine().replay(recipe(), [case()], on_case=nothing) == ((),)


def test_two_cases_of_one_id_are_refused(recipe: Recipes, case: Cases) -> None:
    with pytest.raises(ReplayError, match="case 'twin' stands in the corpus twice"):
        LocalEngine().replay(recipe(), [case("true", name="twin"), case(name="twin")], on_case=nothing)


def test_a_worker_that_is_killed_is_no_finding(recipe: Recipes, case: Cases, slot: Slot) -> None:
    """And what its step had started is gone all the same."""
    cases = [case("sleep 60 & kill -9 $PPID; sleep 60", name="killer"), case("sleep 0.2", name="other")]
    with pytest.raises(ReplayError, match=r"worker ended by itself with -9 \(cases at work: killer\)"):
        LocalEngine(workers=2).replay(recipe(), cases, on_case=nothing)
    if sys.platform.startswith("linux"):
        assert staff.kill_strays(str(slot.root)) == ()


def test_a_worker_that_cannot_start_says_why(recipe: Recipes, case: Cases, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staff, "_START", "raise SystemExit('no such luck')")
    with pytest.raises(ReplayError, match=r"worker ended by itself with 1 \(cases at work: case\): no such luck"):
        LocalEngine(workers=1).replay(recipe(), [case("true")], on_case=nothing)


def test_an_error_of_the_caller_ends_the_workers(recipe: Recipes, cases: list[Case], slot: Slot) -> None:
    class CallerError(Exception):
        pass

    def interrupt() -> None:
        raise CallerError

    with pytest.raises(CallerError):
        LocalEngine(workers=2).replay(recipe(), cases, on_case=interrupt)
    if sys.platform.startswith("linux"):
        assert staff.kill_strays(str(slot.root)) == ()


def workers_of(runs: tuple[tuple[Record, ...], ...]) -> set[int]:
    """The workers that ran cases whose first step is `echo $PPID`."""
    return {int(records[0].fields["stdout"].data) for records in runs}


def alive(pids: set[int]) -> set[int]:
    found = set()
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, 0)
            found.add(pid)
    return found


def test_workers_stay_for_the_next_replay_and_are_gone_after_the_block(recipe: Recipes, case: Cases) -> None:
    cases = [case("echo $PPID; sleep 0.1", name=f"{n}") for n in range(4)]
    with LocalEngine(workers=2) as engine:
        first = workers_of(engine.replay(recipe(), cases, on_case=nothing))
        (one,) = workers_of(engine.replay(recipe(run=1), cases[:1], on_case=nothing))
        again = workers_of(engine.replay(recipe(), cases, on_case=nothing))
        assert alive(first) == first
    assert (len(first), again, one in first) == (2, first, True)
    assert alive(first) == set()


def test_a_replay_leaves_nothing_of_its_recipe_for_the_next(recipe: Recipes, case: Cases, slot: Slot) -> None:
    """The fixtures, the build's path, every setting: what a worker did before changes no record."""
    step = "echo $PYTHONHASHSEED $A $PATH; cat kept.txt; echo more >> kept.txt; echo 1 > x; ulimit -f; seq 99"
    cases = [case(step, "true", name=f"{n}") for n in range(3)]
    recipes = [
        recipe(),
        recipe(run=7, env={"A": "1"}, path=("/opt",), ignore=("x",), keep_bytes=9),
        recipe(limit_bytes=51_200, ignore_content=("x",)),
        recipe(timeout=0.3, argv=("sh", "-c", "sleep 60")),
        recipe(runner="trace", argv=("sh", "-c", 'echo "$0|1|x|a=1"', "0"), env={"A": "2"}),
        recipe(),
    ]
    slot.template.mkdir()
    with LocalEngine(workers=1) as engine:
        for number, one in enumerate(recipes):
            (slot.template / "kept.txt").write_text(f"kept {number}\n")
            some = cases[:1] if number >= 3 else cases
            apart = LocalEngine(workers=1).replay(one, some, on_case=nothing)
            assert engine.replay(one, some, on_case=nothing) == apart, number


def test_after_a_replay_that_failed_others_do_the_next(recipe: Recipes, case: Cases) -> None:
    fine, broken = case("echo $PPID"), case(Step(argv=(b"a\0b",)), name="broken")
    with LocalEngine(workers=2) as engine:
        first = workers_of(engine.replay(recipe(), [fine], on_case=nothing))
        with pytest.raises(ReplayError, match="case broken, step 1"):
            engine.replay(recipe(), [broken, fine], on_case=nothing)
        assert alive(first) == set()
        second = workers_of(engine.replay(recipe(), [fine], on_case=nothing))
        assert alive(second) == second
    assert alive(second) == set()


def test_a_worker_that_died_between_two_replays_is_no_finding(recipe: Recipes, case: Cases) -> None:
    with LocalEngine(workers=1) as engine:
        (worker,) = workers_of(engine.replay(recipe(), [case("echo $PPID")], on_case=nothing))
        os.kill(worker, signal.SIGKILL)
        with pytest.raises(ReplayError, match=r"worker ended by itself with -9 \(cases at work: case\)"):
            engine.replay(recipe(), [case("true")], on_case=nothing)
        assert engine.replay(recipe(), [case()], on_case=nothing) == ((),)


def test_a_replay_within_a_replay_has_workers_of_its_own(recipe: Recipes, case: Cases) -> None:
    inner: list[set[int]] = []
    with LocalEngine(workers=1) as engine:

        def once_more() -> None:
            inner.append(workers_of(engine.replay(recipe(), [case("echo $PPID", name="inner")], on_case=nothing)))

        outer = workers_of(engine.replay(recipe(), [case("echo $PPID", name="outer")], on_case=once_more))
    assert (len(inner), outer & inner[0], alive(outer | inner[0])) == (1, set(), set())


@pytest.mark.slow
def test_of_several_failures_that_of_the_first_case_is_told(recipe: Recipes, case: Cases) -> None:
    cases = [case(Step(argv=(b"sleep 0.3",)), name="slow"), *(case("x", name=f"{n}") for n in range(9))]
    shell = ("sh", "-c", 'read -r line; case "$line" in *sleep*) sleep 0.3;; esac; echo "no trace of $line"')
    for _ in range(3):
        with pytest.raises(TraceError, match="^case slow, line 1 of the program's output: "):
            LocalEngine(workers=4).replay(recipe(runner="trace", argv=shell), cases, on_case=nothing)


def test_a_word_with_a_nul_is_refused(recipe: Recipes, case: Cases) -> None:
    with pytest.raises(ReplayError, match="case case, step 1: expected words without NUL bytes"):
        LocalEngine().replay(recipe(), [case(Step(argv=(b"a\0b",)))], on_case=nothing)


def test_the_prefix_comes_before_the_words_of_a_step(recipe: Recipes, case: Cases) -> None:
    ((record,),) = LocalEngine().replay(
        recipe(argv=("printf", "%s|")), [case(Step(argv=(b"list", b"\xff")))], on_case=nothing
    )
    assert (record.command, record.fields["stdout"].data) == ("list", b"list|\xff|")


def test_a_program_of_the_build_comes_first(recipe: Recipes, case: Cases, slot: Slot) -> None:
    tool = slot.build / "bin" / "ls"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\necho ours at $0\n")
    tool.chmod(0o755)
    ((record,),) = LocalEngine().replay(recipe(path=(str(tool.parent),)), [case(Step(argv=(b"ls",)))], on_case=nothing)
    assert record.fields["stdout"].data == b"ours at <BUILD>/bin/ls\n"


@pytest.mark.parametrize(
    "settings",
    [
        {"slot": "relative"},
        {"path": ("bin",)},
        {"timeout": 0.0},
        {"keep_bytes": -1},
        {"limit_bytes": 0},
        {"runner": "trace"},
        {"run": -1},
    ],
    ids=lambda one: str(next(iter(one))),
)
def test_a_recipe_that_can_never_run_is_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="absolute|limits|command line|numbered"):
        replace(Recipe(slot="/gate/project/s0"), **settings)  # type: ignore[arg-type]


def test_records_and_cases_survive_the_pipe(case: Cases) -> None:
    from gate.domain import CaseId, Value, value
    from gate.replay.frames import (
        as_case,
        as_recipe,
        as_records,
        case_message,
        done_message,
        framed,
        recipe_message,
        unframed,
    )

    sent = case(Step(argv=(b"\xff",), stdin=b"\0", env={"A": "é"}), Step(argv=(b"x",)))
    record = Record(
        case=CaseId("é"),
        step=1,
        command="x",
        fields={"b": value(b"\xff"), "a": Value(data=b"x", size=9, sha256="0" * 64, overflow=True)},
    )
    recipe = Recipe(slot="/gate/project/s0", env={"A": "1"}, ignore=("x",))
    stream = bytearray(
        b"".join(map(framed, (case_message(3, sent), done_message(3, (record,)), recipe_message(recipe))))
    )
    half = bytearray(stream[:-1])
    assert len(list(unframed(half))) == 2
    first, second, third = unframed(stream)
    assert (as_case(first), as_records(second), as_recipe(third)) == (sent, (record,), recipe)
    assert list(as_records(second)[0].fields) == ["b", "a"]
