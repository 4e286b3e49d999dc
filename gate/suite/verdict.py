"""One run of the example tests on the candidate, held against the quarantine."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from gate.errors import SuiteError
from gate.suite.quarantine import Lease, Quarantine
from gate.suite.results import FAILURES, SuiteRun, TestId, require_executed


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteVerdict:
    """Which failures block, and which leases did what. All sorted by id."""

    passed: int
    failed: int
    """Errors among them."""
    skipped: int
    blocking: tuple[TestId, ...]
    """Failed, and no lease protects them today."""
    excused: tuple[Lease, ...]
    """Failed, and protected."""
    expired: tuple[Lease, ...]
    """Past their date: they protect nothing."""
    unrun: tuple[Lease, ...]
    """In force, but the run does not have the test, or skipped it (reported fault 126)."""
    in_force: tuple[Lease, ...]
    """Not past their date."""
    repeated: tuple[TestId, ...]
    """Ids that the report holds more than once; the worst outcome counted."""
    today: date
    """The UTC day that the dates were held against."""

    @property
    def tests(self) -> int:
        """Ids that the report has."""
        return self.passed + self.failed + self.skipped

    @property
    def blocks(self) -> bool:
        """Whether a test failed that no lease protects."""
        return bool(self.blocking)


def judge_suite(run: SuiteRun, quarantine: Quarantine, *, today: date) -> SuiteVerdict:
    """Judge one run of the candidate. `today` is a UTC day; `quarantine` is the one that the baseline holds.

    A lease excuses a failure and does nothing else: its test goes on running. Raises SuiteError when no test was executed, and for
    a lease that begins after today.
    """
    require_executed(run)
    for lease in quarantine.leases:
        if lease.since > today:
            raise SuiteError(
                f"the lease of {lease.test} begins on {lease.since}, after today ({today}, UTC)",
                next_step="Set this machine's clock, or measure again: gate suite --baseline DIR",
            )
    in_force = {lease.test: lease for lease in quarantine.leases if not lease.expired(today)}
    failed = sorted(test for test, outcome in run.outcomes.items() if outcome in FAILURES)
    return SuiteVerdict(
        passed=run.count("passed"),
        failed=len(failed),
        skipped=run.count("skipped"),
        blocking=tuple(test for test in failed if test not in in_force),
        excused=tuple(in_force[test] for test in failed if test in in_force),
        expired=tuple(lease for lease in quarantine.leases if lease.expired(today)),
        unrun=tuple(lease for test, lease in in_force.items() if run.outcomes.get(test, "skipped") == "skipped"),
        in_force=tuple(in_force.values()),
        repeated=run.repeated,
        today=today,
    )
