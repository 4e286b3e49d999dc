"""What a vote is made of, as values: runs, failures, ballots."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Literal

BallotKind = Literal["pass", "fail", "freeze", "frozen", "void"]
"""`freeze`: newly mixed. `frozen`: abstains, it is in the freeze set. `void`: could not vote."""

_MOST_WAYS = 3

LONGEST_ID = 200
"""Characters of a test's id in what people read."""

RunOutcome = Literal["pass", "fail", "mixed", "void"]
"""`mixed`: within one run Hypothesis saw a test change its mind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One way in which one test failed in one run."""

    test: str
    """The id below the file: `test_a[x]`, `TestC::test_m`. A long one as `shown` gives it."""
    phase: str
    """`setup`, `call` or `teardown`."""
    exception: str
    """The type with its module; of a group also its members', after `+`."""
    message: str
    example: str
    """What Hypothesis says of the falsifying example; empty for other tests."""
    trace: str
    """For people; no part of a verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """A test that a run collected."""

    id: str
    settings: tuple[tuple[str, str], ...]
    """The effective settings of Hypothesis, sorted by name; empty for other tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Under what a run voted: recorded beside the ballot, and the same for all runs of it."""

    python: str
    pytest: str
    hypothesis: str
    plugins: tuple[str, ...]
    seed: int
    tests: tuple[Collected, ...]
    """Sorted by id."""


Signature = tuple[tuple[str, ...], ...]
"""Of a failing run: (test, phase, exception, place, digests of canonical message and example) of each failure, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of one property. Void runs carry the reason and nothing else that counts."""

    outcome: RunOutcome
    reason: str = ""
    """Why it is void or mixed, in one line; empty otherwise."""
    detail: str = ""
    """Of a void run: the traceback, where there is one. For people."""
    failures: tuple[Failure, ...] = ()
    signature: Signature = ()
    """Empty unless `fail`."""
    places: Signature = ()
    """Empty unless `fail`. Runs that differ in `signature` alone failed at the same place, with other values."""
    facts: Facts | None = None
    """None where the run did not come so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """What a property says in the end."""

    property: str
    kind: BallotKind
    reason: str
    """One line, without the property's name. It may quote the code under test."""
    runs: tuple[Run, ...] = ()
    """Empty for `frozen`."""

    @builtins.property
    def failures(self) -> tuple[Failure, ...]:
        """Those of the first run that has some; of a wavering property those of each way in which it failed, at most three."""
        ways: dict[Signature, tuple[Failure, ...]] = {}
        for run in self.runs:
            if run.failures:
                ways.setdefault(run.signature, run.failures)
        most = _MOST_WAYS if self.kind == "freeze" else 1
        return tuple(failure for failures in list(ways.values())[:most] for failure in failures)

    @builtins.property
    def facts(self) -> Facts | None:
        """Those of the first run that came so far."""
        return next((run.facts for run in self.runs if run.facts is not None), None)


def shown(name: str) -> str:
    """A test's id for people: a long one is its head, and how long it is."""
    return name if len(name) <= LONGEST_ID else f"{name[:LONGEST_ID]}… ({len(name)} characters)"
