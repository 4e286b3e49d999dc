"""Votes in tests: real runs through the local engine, on a scratch build with scratch properties."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gate.config.model import Config
from gate.domain import Record
from gate.hashing.properties import read_properties
from gate.replay.engine import LocalEngine
from gate.replay.slot import Slot, claim_slot
from gate.voting.ballots import Ballot, Run
from gate.voting.cast import Electorate
from gate.voting.lay import laid_digest, lay_properties, lay_voter

KV = """
import json, sys
print(json.dumps({"args": sys.argv[1:], "stdin": sys.stdin.read()}))
"""


@dataclass
class Polls:
    """A scratch project; `vote` holds one vote on it."""

    root: Path
    slot: Slot
    engine: LocalEngine
    settings: dict[str, Any] = field(default_factory=dict)
    program: dict[str, Any] = field(default_factory=lambda: {"argv": ["{python}", "{build}/app.py"]})
    replay: dict[str, Any] = field(default_factory=lambda: {"timeout": 20})
    records: list[Record] = field(default_factory=list)

    def build(self, **files: str) -> None:
        """Files of the build by path; one without a suffix is a Python file."""
        _write(self.slot.build, files)

    def properties(self, **files: str) -> None:
        _write(self.root / "properties", files)

    def fixtures(self, **files: str) -> None:
        _write(self.slot.template, files)

    def electorate(self, **called: Any) -> Electorate:
        config = msgspec.convert(
            {"version": 1, "program": self.program, "voting": {"timeout": 60, **self.settings}, "replay": self.replay},
            Config,
        )
        lay_properties(self.root / "properties", self.slot.root)
        lay_voter(self.slot.root)
        return Electorate.called(read_properties(self.root / "properties"), config, self.slot, **called)

    def cast(self, electorate: Electorate) -> list[Record]:
        before = laid_digest(self.slot.root)
        self.records = [
            record
            for round_ in electorate.rounds()
            for records in self.engine.replay(round_.recipe, round_.cases, on_case=lambda: None)
            for record in records
        ]
        assert laid_digest(self.slot.root) == before
        return self.records

    def vote(self, **called: Any) -> dict[str, Ballot]:
        electorate = self.electorate(**called)
        return {ballot.property: ballot for ballot in electorate.ballots(self.cast(electorate))}

    def the(self, **called: Any) -> Ballot:
        """The ballot of the only property."""
        (ballot,) = self.vote(**called).values()
        return ballot

    def run(self, **called: Any) -> Run:
        """The first run of the only property."""
        electorate = self.electorate(**called)
        (runs,) = electorate.runs(self.cast(electorate)).values()
        return runs[0]


def _write(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = folder / (name if "." in name else f"{name}.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"))


@pytest.fixture(scope="session")
def lasting() -> Iterator[LocalEngine]:
    """Its workers stay from vote to vote: starting them costs a quarter of a run."""
    with LocalEngine(workers=2) as engine:
        yield engine


@pytest.fixture
def polls(tmp_path: Path, lasting: LocalEngine, request: pytest.FixtureRequest) -> Iterator[Polls]:
    """A test that changes what workers inherit starts its own."""
    engine = LocalEngine(workers=2) if "monkeypatch" in request.fixturenames else lasting
    with claim_slot(tmp_path / "project", temp=tmp_path) as slot:
        made = Polls(tmp_path / "project", slot, engine)
        made.build(app=KV)
        yield made


TEST = "def test_p():\n    assert code.answer() == 42\n"


@pytest.fixture
def in_process(polls: Polls) -> Callable[..., Ballot]:
    """Vote on a property that imports `code` from the build in its own process, and holds when its answer is 42."""

    def vote(code: str, *, test: str = TEST) -> Ballot:
        _import(polls, code, test)
        return polls.the()

    return vote


@pytest.fixture
def run_in_process(polls: Polls) -> Callable[..., Run]:
    """The same, run once."""

    def run(code: str) -> Run:
        _import(polls, code, TEST)
        return polls.run(repeats=1)

    return run


def _import(polls: Polls, code: str, test: str) -> None:
    polls.settings.setdefault("imports", ["."])
    polls.build(code_under_test=code)
    polls.properties(test_p=f"import code_under_test as code\n\n\n{test}")
