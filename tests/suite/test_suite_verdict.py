"""One run of the candidate, held against the baseline's quarantine."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from suite_runs import OUTCOMES, run

from gate.errors import SuiteError
from gate.suite.quarantine import Lease, Quarantine
from gate.suite.results import SuiteRun
from gate.suite.tell import verdict_lines
from gate.suite.verdict import SuiteVerdict, judge_suite

DAY = date(2026, 3, 1)


def lease(name, since=DAY):
    return Lease(test=f"m::{name}", since=since, until=since + timedelta(days=7), failures=2)


def judged(found, *leases, today=DAY):
    return judge_suite(found, Quarantine(leases=leases), today=today)


def test_a_failure_without_a_lease_blocks_and_one_with_a_lease_does_not():
    verdict = judged(run(a="F", b="E", c=".", d="s", e="F"), lease("a"), lease("c"), lease("d"), lease("gone"))
    assert verdict == SuiteVerdict(
        passed=1,
        failed=3,
        skipped=1,
        blocking=("m::b", "m::e"),
        excused=(lease("a"),),
        expired=(),
        unrun=(lease("d"), lease("gone")),
        in_force=(lease("a"), lease("c"), lease("d"), lease("gone")),
        repeated=(),
        today=DAY,
    )
    assert (verdict.tests, verdict.blocks) == (5, True)


def test_a_suite_whose_only_failures_are_quarantined_does_not_block():
    assert not judged(run(a="F", b="."), lease("a")).blocks


def test_a_lease_protects_through_the_end_of_its_day_in_utc_with_no_grace():
    """Reported faults 122, 124."""
    for moment, blocks in {
        "2026-03-08T00:30+13:00": False,
        "2026-03-08T23:30+00:00": False,
        "2026-03-09T12:30+13:00": False,
        "2026-03-09T00:00+00:00": True,
        "2026-03-08T23:30-01:00": True,
    }.items():
        today = datetime.fromisoformat(moment).astimezone(UTC).date()
        verdict = judged(run(a="F"), lease("a"), today=today)
        assert verdict.blocks is blocks, moment
        assert verdict.expired == ((lease("a"),) if blocks else ())


def test_a_renamed_test_votes_and_the_old_lease_is_named():
    """Reported fault 126."""
    verdict = judged(run(new="F"), lease("old"))
    assert (verdict.blocking, verdict.unrun) == (("m::new",), (lease("old"),))


def test_a_lease_that_begins_tomorrow_is_refused():
    with pytest.raises(SuiteError) as caught:
        judged(run(a="F"), lease("a", since=date(2026, 3, 2)))
    assert caught.value.what == "the lease of m::a begins on 2026-03-02, after today (2026-03-01, UTC)"


@pytest.mark.parametrize("outcomes", [{}, {"m::a": "skipped"}])
def test_a_run_without_an_executed_test_is_no_data(outcomes):
    """Reported faults 114, 115."""
    with pytest.raises(SuiteError, match="no data is not clean"):
        judged(SuiteRun(name="r", outcomes=outcomes))


def test_a_verdict_is_told_in_lines():
    old = Lease(test="m::old", since=date(2026, 2, 1), until=date(2026, 2, 8), failures=3)
    verdict = judged(run(a="F", b="E", c="."), lease("a"), lease("gone"), old, today=date(2026, 3, 5))
    assert verdict_lines(verdict) == (
        "example tests: 3 (1 passed, 2 failed, 0 skipped)",
        "blocking: m::b failed, and no lease protects it",
        "quarantined: 2 tests, the oldest for 4 days; failed without blocking: m::a",
        "lease expired: m::old was protected until 2026-02-08, and is no longer; "
        "a date is valid through the end of that day in UTC, with no grace after it",
        "lease of a test that no longer runs: m::gone",
    )
    assert verdict_lines(judged(run(c="."), lease("c"))) == (
        "example tests: 1 (1 passed, 0 failed, 0 skipped)",
        "quarantined: 1 test, the oldest for 0 days; none of them failed",
    )


@given(
    st.dictionaries(st.sampled_from("abcde"), st.sampled_from(sorted(OUTCOMES)), min_size=1),
    st.sets(st.sampled_from("abcde")),
)
def test_only_a_failed_test_with_a_lease_is_excused_and_every_other_failure_blocks(tests, named):
    tests["passes"] = "."
    verdict = judged(run(**tests), *(lease(name) for name in sorted(named)))
    failed = {f"m::{name}" for name, letter in tests.items() if letter in "FE"}
    excused = {found.test for found in verdict.excused}
    assert excused == failed & {f"m::{name}" for name in named}
    assert set(verdict.blocking) == failed - excused
