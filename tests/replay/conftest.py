"""Replaying in tests: real workers, a slot of its own below the test's temporary folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.domain import Case, CaseId, Record, Step
from gate.replay.engine import LocalEngine
from gate.replay.interface import Recipe
from gate.replay.slot import Slot, claim_slot


@pytest.fixture
def slot(tmp_path: Path) -> Iterator[Slot]:
    with claim_slot(tmp_path, temp=tmp_path) as claimed:
        yield claimed


@pytest.fixture
def recipe(slot: Slot) -> Callable[..., Recipe]:
    def make(**settings: Any) -> Recipe:
        return Recipe(**{"slot": str(slot.root), "aliases": slot.aliases, "timeout": 20.0, **settings})

    return make


@pytest.fixture
def replay(recipe: Callable[..., Recipe]) -> Callable[..., list[dict[str, bytes]]]:
    """Replay steps, each a shell line or a `Step`, as one case; each step's fields as bytes."""

    def run(*steps: str | Step, **settings: Any) -> list[dict[str, bytes]]:
        (records,) = LocalEngine(workers=1).replay(recipe(**settings), [a_case(*steps)], on_case=lambda: None)
        return [fields_of(record) for record in records]

    return run


def a_case(*steps: str | Step, name: str = "case") -> Case:
    return Case(id=CaseId(name), steps=tuple(step if isinstance(step, Step) else shell(step) for step in steps))


def shell(line: str) -> Step:
    return Step(argv=(b"sh", b"-c", line.encode()))


def fields_of(record: Record) -> dict[str, bytes]:
    return {name: value.data for name, value in record.fields.items()}


@pytest.fixture
def case() -> Callable[..., Case]:
    return a_case
