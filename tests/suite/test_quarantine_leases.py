"""Leases begin with a measurement, and end by their date or by another one."""

from datetime import date, timedelta

import pytest
from suite_runs import measured

from gate.errors import SuiteError
from gate.suite.quarantine import Lease, Quarantine, Renewal, renew

DAY = date(2026, 3, 1)


def lease(name, since=DAY, failures=2, days=7):
    return Lease(test=f"m::{name}", since=since, until=since + timedelta(days=days), failures=failures)


def held(*leases):
    return Quarantine(leases=leases)


def test_a_flaky_test_gets_a_lease_of_seven_days():
    renewal = renew(held(), measured(a="F..F......", b="..........", c="FFFFFFFFFF", d="F........."), today=DAY)
    assert renewal == Renewal(
        quarantine=held(Lease(test="m::a", since=DAY, until=date(2026, 3, 8), failures=2)),
        added=("m::a",),
        renewed=(),
        ended=(),
        expired=(),
        kept=(),
    )


def test_a_measured_lease_is_renewed_or_ends_and_the_others_stay_until_their_date():
    before = held(
        lease("clean"),
        lease("flaky"),
        lease("gone"),
        lease("lapsed", days=2),
        lease("once"),
        lease("skipped"),
        lease("stable"),
    )
    letters = {"clean": "." * 10, "flaky": "FFF.......", "once": "F.........", "skipped": "s" * 10, "stable": "F" * 10}
    today = DAY + timedelta(days=3)
    assert renew(before, measured(**letters), today=today) == Renewal(
        quarantine=held(lease("flaky", since=today, failures=3), lease("gone"), lease("skipped")),
        added=(),
        renewed=("m::flaky",),
        ended=("m::clean", "m::once", "m::stable"),
        expired=("m::lapsed",),
        kept=("m::gone", "m::skipped"),
    )


def test_an_expired_lease_is_not_kept_by_a_measurement_without_its_test():
    """Reported fault 122."""
    for days, expected in ((7, ("m::gone",)), (8, ())):
        renewal = renew(held(lease("gone")), measured(), today=DAY + timedelta(days=days))
        assert tuple(found.test for found in renewal.quarantine.leases) == expected


def test_a_twenty_first_flaky_test_is_refused():
    """Reported fault 123."""
    flaky = {f"t{number:02d}": "FF........" for number in range(21)}
    with pytest.raises(SuiteError) as caught:
        renew(held(), measured(**flaky), today=DAY)
    assert caught.value.diagnostics() == (
        "the quarantine would hold 21 leases, at most 20 are allowed\n"
        "A suite with more flaky tests cannot judge a patch: mend or delete tests, then measure again."
    )
    del flaky["t00"]
    assert (
        len(renew(held(lease("t00", days=1)), measured(**flaky), today=DAY + timedelta(days=2)).quarantine.leases) == 20
    )
    with pytest.raises(SuiteError):
        renew(held(lease("t00")), measured(**flaky), today=DAY)


def test_the_same_measurement_twice_changes_nothing():
    counted = measured(a="F..F......", b="E........F")
    once = renew(held(), counted, today=DAY).quarantine
    assert renew(once, counted, today=DAY).quarantine == once


@pytest.mark.parametrize("leases", [(lease("b"), lease("a")), (lease("a"), lease("a"))])
def test_leases_are_sorted_one_a_test(leases):
    with pytest.raises(ValueError, match="sorted by id"):
        held(*leases)
