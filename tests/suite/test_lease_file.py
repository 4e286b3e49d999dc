"""`quarantine.txt`: the same leases come back, and nothing else is read."""

import contextlib
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import SuiteError
from gate.suite.lease_file import HEADER, parse_quarantine, read_quarantine, render_quarantine
from gate.suite.quarantine import LEASE_DAYS, MAX_LEASES, Lease, Quarantine
from gate.suite.results import as_id

DAY = date(2026, 3, 1)
GOOD = b"m::a\t2026-03-01\t2026-03-08\t2/10\n"
SENTENCE = "a date is valid through the end of that day in UTC, with no grace after it"

leases = st.builds(
    lambda test, since, days, failures: Lease(
        test=test, since=since, until=since + timedelta(days=days), failures=failures
    ),
    st.builds(as_id, st.text(), st.text()),
    st.dates(max_value=date(9999, 1, 1)),
    st.integers(0, LEASE_DAYS),
    st.integers(2, 9),
)


def refused(data):
    with pytest.raises(SuiteError) as caught:
        parse_quarantine(data, name="q.txt")
    assert caught.value.next_step
    return caught.value.what


@given(st.lists(leases, unique_by=lambda lease: lease.test, max_size=MAX_LEASES))
def test_what_is_written_is_read(found):
    quarantine = Quarantine(leases=tuple(sorted(found, key=lambda lease: lease.test)))
    data = render_quarantine(quarantine)
    assert parse_quarantine(data) == quarantine
    assert render_quarantine(parse_quarantine(data)) == data


def test_the_file_is_one_sorted_line_a_lease_without_totals():
    """Reported fault 98."""
    quarantine = parse_quarantine(b"m::b x\t2026-03-02\t2026-03-02\t9/10\n" + GOOD)
    assert render_quarantine(quarantine).decode() == (
        "# Leases of flaky example tests, written by `gate suite`; docs/quarantine.md.\n"
        f"# id, since, until, failures/runs, separated by tabs; {SENTENCE}.\n"
        "m::a\t2026-03-01\t2026-03-08\t2/10\n"
        "m::b x\t2026-03-02\t2026-03-02\t9/10\n"
    )


@given(st.lists(leases, unique_by=lambda lease: lease.test, min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_the_lines_does_not_matter(found, random):
    lines = render_quarantine(Quarantine(leases=tuple(sorted(found, key=lambda lease: lease.test)))).splitlines(True)[
        2:
    ]
    before = parse_quarantine(b"".join(lines))
    random.shuffle(lines)
    assert parse_quarantine(b"".join(lines)) == before


def test_an_id_may_begin_like_a_header_line():
    assert [lease.test for lease in parse_quarantine(HEADER.encode() + b"#f" + GOOD).leases] == ["#fm::a"]


def test_no_file_and_an_empty_file_hold_no_lease(tmp_path):
    assert read_quarantine(tmp_path / "quarantine.txt") == Quarantine()
    (tmp_path / "quarantine.txt").write_bytes(b"")
    assert read_quarantine(tmp_path / "quarantine.txt") == Quarantine()
    with pytest.raises(SuiteError, match="expected a readable file, got: Is a directory"):
        read_quarantine(tmp_path)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"<<<<<<< HEAD\n" + GOOD, "1: expected a lease, got the mark of a merge conflict: '<<<<<<< HEAD'"),
        (GOOD + b"=======\n", "2: expected a lease, got the mark of a merge conflict: '======='"),
        (GOOD + b">>>>>>> b\n", "2: expected a lease, got the mark of a merge conflict: '>>>>>>> b'"),
        (GOOD[:-1] + b"\r\n", "1: expected lines that end in LF, got a carriage return"),
        (GOOD[:-1], "1: expected a line end, got the end of the file: it was cut short"),
        (GOOD + b"\n", "2: expected id, since, until and failures/runs separated by tabs, got an empty line"),
        (GOOD + b"# later\n", "2: expected id, since, until and failures/runs separated by tabs, got 1 columns"),
        (
            b"# x\nm::a 2026-03-01 2026-03-08 2/10\n",
            "2: expected id, since, until and failures/runs separated by tabs, got 1 columns",
        ),
        (GOOD[:-1] + b"\towner\n", "1: expected id, since, until and failures/runs separated by tabs, got 5 columns"),
        (GOOD.replace(b"m::", b""), "1: expected an id classname::name, got 'a'"),
        (b"\xef\xbb\xbf" + GOOD, r"1: expected an id classname::name, got '\ufeffm::a'"),
        (GOOD + b"m::\xff\n", "2: expected UTF-8, got the byte 0xff"),
        (GOOD + GOOD.replace(b"2/10", b"3/10"), "2: expected each test once, but line 1 has m::a, too"),
        (GOOD.replace(b"03-08", b"03-09"), "1: m::a: a lease lasts 7 days, this one 8 (2026-03-01 to 2026-03-09)"),
        (GOOD.replace(b"03-08", b"02-28"), "1: m::a: until 2026-02-28 is before since 2026-03-01"),
        (
            GOOD.replace(b"2026-03-08", b"2026-02-30"),
            f"1: until: expected a day YYYY-MM-DD ({SENTENCE}), got '2026-02-30'",
        ),
        (GOOD.replace(b"2026-03-01", b"20260301"), f"1: since: expected a day YYYY-MM-DD ({SENTENCE}), got '20260301'"),
        (GOOD.replace(b"2026-03-08", b"never"), f"1: until: expected a day YYYY-MM-DD ({SENTENCE}), got 'never'"),
        (GOOD.replace(b"2/", b"1/"), "1: m::a: a lease needs 2 to 9 failures in 10 runs, this one has 1/10"),
        (GOOD.replace(b"2/", b"10/"), "1: m::a: a lease needs 2 to 9 failures in 10 runs, this one has 10/10"),
        (GOOD.replace(b"2/10", b"2/20"), "1: failures/runs: expected N/10, got '2/20'"),
        (GOOD.replace(b"2/10", b"02/10"), "1: failures/runs: expected N/10, got '02/10'"),
        (GOOD.replace(b"2/10", "\u0662/10".encode()), r"1: failures/runs: expected N/10, got '\u0662/10'"),
    ],
)
def test_anything_else_is_refused_with_its_line(data, complaint):
    """Reported faults 98, 104: no lease without an end, and none that the rule did not give."""
    assert refused(data) == f"q.txt:{complaint}"


def test_a_list_above_the_cap_is_refused():
    """Reported fault 123."""
    lines = [f"m::t{number}\t2026-03-01\t2026-03-08\t2/10\n".encode() for number in range(60)]
    assert len(parse_quarantine(b"".join(lines[:20])).leases) == MAX_LEASES
    assert refused(b"".join(lines)) == (
        "q.txt:21: expected at most 20 leases, got more: a longer list hides the state of the suite"
    )


@given(st.binary())
def test_any_bytes_give_leases_or_an_error_of_ours(data):
    for document in (data, GOOD + data + b"\n"):
        with contextlib.suppress(SuiteError):
            parse_quarantine(document)
