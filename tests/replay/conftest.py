"""Replaying in tests: real workers, a slot of its own below the test's temporary folder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from whole_gates import Gates

from gate.domain import Case, CaseId, Record, Step
from gate.replay.engine import LocalEngine
from gate.replay.interface import Recipe
from gate.replay.sandbox import SYSTEM_FOLDERS, Sandbox, find_sandbox
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


@pytest.fixture(scope="session", params=["bubblewrap", "unshare"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Each kind that this machine has; `AUDITOR_BWRAP` names a folder with a bubblewrap that is not installed."""
    named = os.environ.get("AUDITOR_BWRAP")
    folders = {"bubblewrap": (*SYSTEM_FOLDERS, *([named] if named else [])), "unshare": ()}
    found = find_sandbox("auto", folders=folders[request.param])
    if found.kind != request.param:
        pytest.skip(f"no {request.param} on this machine: {found.why or 'not installed'}")
    return found


@pytest.fixture
def gone() -> Callable[[str], bool]:
    """Whether no process has the word on its command line, now or soon. Looks only: it ends nothing."""

    def look(word: str) -> bool:
        until = time.monotonic() + 20
        while _with_word(word.encode()):
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
        return True

    return look


def _with_word(word: bytes) -> list[Path]:
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if word in place.read_bytes().split(b"\0"):
                found.append(place)
    return found


def a_case(*steps: str | Step, name: str = "case") -> Case:
    return Case(id=CaseId(name), steps=tuple(step if isinstance(step, Step) else shell(step) for step in steps))


def shell(line: str) -> Step:
    return Step(argv=(b"sh", b"-c", line.encode()))


def fields_of(record: Record) -> dict[str, bytes]:
    return {name: value.data for name, value in record.fields.items()}


@pytest.fixture
def case() -> Callable[..., Case]:
    return a_case


@pytest.fixture
def gates(tmp_path: Path) -> Gates:
    """A project and whole gates at work on it, with a temporary folder of their own."""
    (tmp_path / "project").mkdir()
    return Gates(tmp_path / "project", tmp_path / "temp")
