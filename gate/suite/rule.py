"""The quarantine rule: what 10 consecutive runs of one build say about each test.

A test that failed at least twice and passed at least once may get a lease. Whatever else failed goes on blocking. The rule is
applied to the baseline alone, so that a patch cannot quarantine its victims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Literal

from gate.errors import SuiteError
from gate.suite.results import FAILURES, SuiteRun, TestId, require_executed

RUNS = 10
"""Consecutive runs that are counted; no other number decides anything."""

LEAST_FAILURES = 2
"""Failures among them that make a lease, beside at least one pass."""

FLAKE = 0.05
"""The failure rate of the flake that the report speaks of."""

CONFIDENCE = 0.95
"""Of the intervals."""

Decision = Literal["clean", "not run", "quarantine", "stable failure", "never passed", "failed once"]

SENTENCES: dict[Decision, str] = {
    "clean": "no failure",
    "not run": "skipped or absent in every run: nothing is known of it",
    "quarantine": "fails and passes on one build",
    "stable failure": f"failed {RUNS} of {RUNS}: it is broken, not flaky, and blocks",
    "never passed": "failed whenever it ran: it blocks",
    "failed once": "not enough for a lease, so that it goes on blocking",
}
"""What each decision means."""

_BLOCKING: tuple[Decision, ...] = ("stable failure", "never passed", "failed once")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What the runs say about one test."""

    test: TestId
    failures: int
    passes: int
    skips: int = 0
    """Of `RUNS`; in the rest of them the test is absent."""

    @property
    def missing(self) -> int:
        """Runs whose report does not have the test."""
        return RUNS - self.failures - self.passes - self.skips

    @property
    def executed(self) -> int:
        """Runs in which it failed or passed."""
        return self.failures + self.passes

    @property
    def decision(self) -> Decision:
        """What the rule says."""
        if not self.failures:
            return "clean" if self.passes else "not run"
        if self.failures == RUNS:
            return "stable failure"
        if self.failures >= LEAST_FAILURES:
            return "quarantine" if self.passes else "never passed"
        return "failed once"

    @property
    def blocks(self) -> bool:
        """Whether it failed and gets no lease."""
        return self.decision in _BLOCKING


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What `RUNS` runs of one build gave."""

    rows: tuple[Row, ...]
    """One a test, sorted by id; the ids of all runs together."""
    repeated: tuple[TestId, ...] = ()
    """Ids that some report holds more than once."""

    @property
    def incomplete(self) -> tuple[Row, ...]:
        """Tests that some run does not have."""
        return tuple(row for row in self.rows if row.missing)

    @property
    def blocks(self) -> bool:
        """Whether a test failed that gets no lease."""
        return any(row.blocks for row in self.rows)


def tally(runs: Sequence[SuiteRun]) -> Measurement:
    """Count the outcomes of exactly `RUNS` runs. The order changes nothing.

    Raises SuiteError for another number, and for a run in which no test was executed: no data is no decision.
    """
    if len(runs) != RUNS:
        raise SuiteError(
            f"the quarantine rule needs {RUNS} consecutive runs, got {len(runs)}: there is no decision",
            next_step=f"Run the suite {RUNS} times on the baseline: gate suite --baseline DIR",
        )
    for run in runs:
        require_executed(run)
    ids = sorted({test for run in runs for test in run.outcomes})
    repeated = sorted({test for run in runs for test in run.repeated})
    return Measurement(rows=tuple(_row(test, runs) for test in ids), repeated=tuple(repeated))


def _row(test: TestId, runs: Sequence[SuiteRun]) -> Row:
    found = [run.outcomes.get(test) for run in runs]
    return Row(
        test=test,
        failures=sum(outcome in FAILURES for outcome in found),
        passes=found.count("passed"),
        skips=found.count("skipped"),
    )


def interval(failures: int, runs: int) -> tuple[float, float]:
    """The 95 % interval of the failure rate by Wilson's score method (Wilson 1927; recommended for few runs by Brown, Cai and
    DasGupta, Statistical Science 16, 2001). Without runs anything is possible: (0, 1).
    """
    if runs == 0:
        return (0.0, 1.0)
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    rate, spread = failures / runs, z * z / runs
    centre = rate + spread / 2
    half = z * sqrt(rate * (1 - rate) / runs + spread / (4 * runs))
    low = 0.0 if failures == 0 else max(0.0, (centre - half) / (1 + spread))
    high = 1.0 if failures == runs else min(1.0, (centre + half) / (1 + spread))
    return (low, high)


def missed(rate: float, runs: int) -> float:
    """The probability that independent runs never show a failure of this rate."""
    return float((1 - rate) ** runs)


def power_sentence() -> str:
    """What 10 runs cannot see (reported fault 121)."""
    bound = 1 - (1 - CONFIDENCE) ** (1 / RUNS)
    return (
        f"{RUNS} runs miss a test that fails in {percent(FLAKE)} of its runs with probability {missed(FLAKE, RUNS):.2f}"
        f" ({1 - FLAKE:g}^{RUNS}); a test that passed all {RUNS} may still fail in up to {percent(bound)} of them (one-sided 95 % bound)."
    )


def percent(share: float) -> str:
    """A share between 0 and 1 in whole per cent."""
    return f"{100 * share:.0f} %"
