"""What one run of the example tests gave: an outcome for each test id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NewType

from gate.errors import SuiteError

TestId = NewType("TestId", str)
"""`classname::name` as the report says them, with characters that do not print escaped (`\\u{9}`)."""

Outcome = Literal["error", "failed", "skipped", "passed"]

FAILURES: tuple[Outcome, ...] = ("error", "failed")
"""An error counts as a failure."""

_WORST_FIRST: tuple[Outcome, ...] = ("error", "failed", "skipped", "passed")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRun:
    """One run of the suite."""

    name: str
    """The report that it was read from, for messages."""
    outcomes: Mapping[TestId, Outcome]
    repeated: tuple[TestId, ...] = ()
    """Ids that the report holds more than once, sorted; the worst outcome counts (reported fault 119: no pass on a retry)."""

    def count(self, *outcomes: Outcome) -> int:
        """How many tests ended in one of the outcomes."""
        return sum(found in outcomes for found in self.outcomes.values())


def as_id(classname: str, name: str) -> TestId:
    """The id of a test. What does not print is escaped, so that an id is one line and one column everywhere.

    Two ids that read alike after that are one test: its worst outcome counts.
    """
    return TestId("".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in f"{classname}::{name}"))


def suite_run(name: str, results: Sequence[tuple[TestId, Outcome]]) -> SuiteRun:
    """The run that the results of a report make. Raises SuiteError when no test was executed."""
    outcomes: dict[TestId, Outcome] = {}
    repeated: set[TestId] = set()
    for test, outcome in results:
        if test in outcomes:
            repeated.add(test)
        outcomes[test] = min(outcome, outcomes.get(test, outcome), key=_WORST_FIRST.index)
    run = SuiteRun(name=name, outcomes=outcomes, repeated=tuple(sorted(repeated)))
    require_executed(run)
    return run


def require_executed(run: SuiteRun) -> None:
    """Raise SuiteError for a run in which nothing was executed: silence is not agreement (reported faults 114, 115)."""
    if not run.outcomes:
        raise SuiteError(
            f"{run.name}: expected the results of tests, found none: no data is not clean",
            next_step="Mend the command of [suite] so that it finds the tests.",
        )
    if run.count("skipped") == len(run.outcomes):
        raise SuiteError(
            f"{run.name}: expected tests that ran, but all {len(run.outcomes)} were skipped: no data is not clean",
            next_step="Install what the tests need, or mend the command of [suite].",
        )
