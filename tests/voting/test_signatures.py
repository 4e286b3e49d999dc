"""When two failures are one, as values."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.diff.noise import Noise
from gate.voting.ballots import Facts, Run, shown
from gate.voting.lines import Told
from gate.voting.signature import places, signature
from gate.voting.tally import tally

NOISE = Noise.compile(())
TOLD = Told(phase="call", sort="failure", type="E", message="m", example="", place="test_p.py:3", trace="")


def told(**changes):
    return msgspec.structs.replace(TOLD, **changes)


def loosely(**changes):
    return places([("test_a", told(**changes))], NOISE)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("id 140234", "id 139"),
        ("x = 1764446361.7315 here", "x = 1764446375.1 here"),
        ("took 0.01 s", "took 0.2 s"),
        ("took 12 ms", "took 9 ms"),
        ("2.5e-05 of 3", "0.00012 of 3"),
        ("assert datetime.datetime(2026, 1, 2, 3, 4) < 1", "assert datetime.datetime(2026, 12, 31, 23, 59, 59, 5) < 1"),
        ("<Thread(Thread-1, started 140123)>", "<Thread(Thread-1, started 139001)>"),
        ("in {<A at 0x7f12>, <B at 0x7f34>}", "in {<B at 0x7f56>, <A at 0x7f78>}"),
        (
            "assert 23 < 0\n +  where 23 = <built-in function getpid>()",
            "assert 7 < 0\n +  where 7 = <built-in function getpid>()",
        ),
        ("E  ?   ^^^ ^", "E  ?  ^^"),
        ("key deadbeef01", "key 00c0ffee"),
    ],
)
def test_what_is_no_part_of_a_place(one, two):
    assert loosely(message=one) == loosely(message=two)
    assert loosely(message=one, place="") != loosely(message=two, place="") or signature(
        [("t", told(message=one))], NOISE
    ) == signature([("t", told(message=two))], NOISE)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"message": "got 12"}, {"message": "got 13"}),
        ({"message": "got red"}, {"message": "got blue"}),
        ({"message": "a decade"}, {"message": "a facade"}),
        ({"example": "n=12345"}, {"example": "n=12346"}),
        ({"place": "test_p.py:3"}, {"place": "test_p.py:4"}),
        ({"phase": "setup"}, {"phase": "call"}),
        ({"type": "E"}, {"type": "F"}),
        ({"place": "", "message": "id 140234"}, {"place": "", "message": "id 139777"}),
    ],
)
def test_what_is_part_of_a_place(one, two):
    assert loosely(**one) != loosely(**two)
    assert places([("test_a", TOLD)], NOISE) != places([("test_b", TOLD)], NOISE)


@given(st.text(max_size=80), st.text(max_size=80))
def test_what_failed_in_the_same_way_failed_at_the_same_place(one, two):
    """The looser comparison never parts what the exact one holds together."""
    rows = [[("t", told(message=text))] for text in (one, two, one)]
    exact, loose = [signature(row, NOISE) for row in rows], [places(row, NOISE) for row in rows]
    assert loose[0] == loose[2]
    assert exact[0] != exact[1] or loose[0] == loose[1]


def test_of_a_text_that_was_cut_the_head_counts():
    cut = "… (70000 characters, sha256:" + "0" * 64 + ")"
    other = "… (70004 characters, sha256:" + "1" * 64 + ")"
    head = "word " * 3000
    assert loosely(message=head + cut) == loosely(message=head + other)
    assert loosely(message="another " + head + cut) != loosely(message=head + other)
    assert signature([("t", told(message=head + cut))], NOISE) != signature([("t", told(message=head + other))], NOISE)


FACTS = Facts(python="3", pytest="9", hypothesis="6", plugins=(), seed=1, tests=())


def failed(message, place=(("p",),)):
    return Run(outcome="fail", signature=((message,),), places=place, facts=FACTS)


def test_runs_that_fail_at_one_place_with_other_values_fail():
    ballot = tally("p", [failed("m"), failed("n")], asked=2)
    assert (ballot.kind, ballot.reason) == ("fail", "failed 2 of 2, each time at the same place (values differ)")
    assert tally("p", [failed("m"), failed("n", (("q",),))], asked=2).kind == "freeze"
    assert tally("p", [failed("m", ()), failed("n", ())], asked=2).kind == "freeze"
    passed = Run(outcome="pass", facts=FACTS)
    assert tally("p", [failed("m"), failed("n"), passed], asked=3).kind == "freeze"


def test_a_long_id_is_shown_by_its_head():
    assert shown("test_a[x]") == "test_a[x]"
    assert shown("x" * 3_000_000) == "x" * 200 + "… (3000000 characters)"
