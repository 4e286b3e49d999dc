from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from gate.domain import Case, Record, Step
from gate.errors import ReplayError, TraceError
from gate.replay import engine as engines
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
        assert engines.kill_strays(str(slot.root)) == ()


def test_a_worker_that_cannot_start_says_why(recipe: Recipes, case: Cases, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_START", "raise SystemExit('no such luck')")
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
        assert engines.kill_strays(str(slot.root)) == ()


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
    ],
    ids=lambda one: str(next(iter(one))),
)
def test_a_recipe_that_can_never_run_is_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="absolute|limits|command line"):
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
