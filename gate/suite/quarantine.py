"""`quarantine.txt`: leases of flaky example tests. A lease ends by its date; it is no freeze, which ends by a repair."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from gate.errors import SuiteError
from gate.suite.results import TestId
from gate.suite.rule import LEAST_FAILURES, RUNS, Measurement, Row

LEASE_DAYS = 7
"""Days from `since` to `until`."""

MAX_LEASES = 20
"""More than these are refused: such a list hides the state of a suite (reported fault 123)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """One test that does not block until its date. Raises ValueError for dates or counts that the rule cannot give."""

    test: TestId
    since: date
    """The UTC day of the measurement."""
    until: date
    """The last day on which it protects, to its end in UTC."""
    failures: int
    """Of `RUNS` runs of the baseline."""

    def __post_init__(self) -> None:
        if self.until < self.since:
            raise ValueError(f"until {self.until} is before since {self.since}")
        if self.until - self.since > timedelta(days=LEASE_DAYS):
            days = (self.until - self.since).days
            raise ValueError(f"a lease lasts {LEASE_DAYS} days, this one {days} ({self.since} to {self.until})")
        if not LEAST_FAILURES <= self.failures < RUNS:
            raise ValueError(
                f"a lease needs {LEAST_FAILURES} to {RUNS - 1} failures in {RUNS} runs, this one has {self.failures}/{RUNS}"
            )

    def expired(self, today: date) -> bool:
        """Whether its last day is over; there is no grace (reported faults 122, 124)."""
        return today > self.until


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantine:
    """All leases, sorted by id. Raises SuiteError above `MAX_LEASES`, ValueError for ids that repeat or are out of order."""

    leases: tuple[Lease, ...] = ()

    def __post_init__(self) -> None:
        if len(self.leases) > MAX_LEASES:
            raise SuiteError(
                f"the quarantine would hold {len(self.leases)} leases, at most {MAX_LEASES} are allowed",
                next_step="A suite with more flaky tests cannot judge a patch: mend or delete tests, then measure again.",
            )
        ids = [lease.test for lease in self.leases]
        if ids != sorted(set(ids)):
            raise ValueError("leases are sorted by id, one a test")


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewal:
    """What a measurement makes of a quarantine."""

    quarantine: Quarantine
    added: tuple[TestId, ...]
    renewed: tuple[TestId, ...]
    ended: tuple[TestId, ...]
    """Measured again, and no longer flaky by the rule."""
    expired: tuple[TestId, ...]
    """Not measured, and past their date."""
    kept: tuple[TestId, ...]
    """Not measured: no run has the test, or every run skipped it. They stay until their date."""


def renew(quarantine: Quarantine, measurement: Measurement, *, today: date) -> Renewal:
    """Put the leases that the measurement gives in place of those that it speaks of. `today` is a UTC day.

    Raises SuiteError above `MAX_LEASES`.
    """
    before = {lease.test: lease for lease in quarantine.leases}
    measured = {row.test: row for row in measurement.rows if row.executed}
    given = {test: _lease(row, today) for test, row in measured.items() if row.decision == "quarantine"}
    others = {test: lease for test, lease in before.items() if test not in measured}
    kept = {test: lease for test, lease in others.items() if not lease.expired(today)}
    after = {**kept, **given}
    return Renewal(
        quarantine=Quarantine(leases=tuple(after[test] for test in sorted(after))),
        added=tuple(sorted(given.keys() - before.keys())),
        renewed=tuple(sorted(given.keys() & before.keys())),
        ended=tuple(sorted((before.keys() & measured.keys()) - given.keys())),
        expired=tuple(sorted(others.keys() - kept.keys())),
        kept=tuple(sorted(kept)),
    )


def _lease(row: Row, today: date) -> Lease:
    return Lease(test=row.test, since=today, until=today + timedelta(days=LEASE_DAYS), failures=row.failures)
