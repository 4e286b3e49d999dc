"""What moves with the clock, not with the patch, is no delta: the sides take turns."""

import pytest

from gate.errors import ReplayError
from gate.pipeline import observe as observing

DRIFTS = """#!/bin/sh
# {side}
log='{log}'
printf {side} >> "$log"
count=$(wc -c < "$log")
echo value $(printf '{values}' | cut -c "$count")
"""


@pytest.fixture
def drift(bench, tmp_path):
    """A program whose value is told by how often either side has run, whichever it is."""
    bench.corpus(A=["tool one"])
    bench.pin()
    log = tmp_path / "log"

    def run(values):
        log.write_text("")
        for name, side in (("old", "B"), ("new", "C")):
            bench.side(name, DRIFTS.format(side=side, log=log, values=values.ljust(40, values[-1])))
        return bench.run(), log.read_text()

    return run


def unstable(done):
    return [(check.field, check.side) for check in done.scorecard.unstable]


def test_the_sides_take_turns(drift):
    _, order = drift("0011")
    assert order == "BBCC" + "BC" * 3


def test_a_value_that_moved_once_between_the_sides_is_no_delta(drift):
    """A cache that was cold, a day that ended."""
    done, _ = drift("0011")
    assert (done.scorecard.exit_code, unstable(done)) == (3, [("stdout", "baseline")])


def test_a_value_that_moves_with_blocks_of_runs_is_no_delta(drift):
    """It moves exactly when three confirming runs in a row of either side would begin."""
    done, _ = drift("0011000111")
    assert done.scorecard.exit_code == 3


def test_what_a_value_did_is_told_with_the_runs_that_showed_it(drift):
    done, _ = drift("0011")
    (check,) = done.scorecard.unstable
    assert (check.baseline_runs, check.candidate_runs, check.new_values) == ((2, 3), (5,), False)


def test_a_kept_golden_that_no_longer_holds_is_no_delta(bench, tmp_path):
    """Reported fault 27: the day moved between the golden and the run, for both sides alike."""
    day = tmp_path / "day"
    bench.side("old", f"#!/bin/sh\necho $1 on $(cat {day})\n")
    bench.side("new", f"#!/bin/sh\n# tidied\necho $1 on $(cat {day})\n")
    day.write_text("monday")
    bench.run(candidate=None)
    day.write_text("tuesday")
    with pytest.raises(ReplayError, match="no longer reproduces its kept golden"):
        bench.run()


def test_a_run_that_differs_in_nothing_is_not_repeated(drift, monkeypatch):
    def never(*_):
        raise AssertionError("confirmed without need")

    monkeypatch.setattr(observing, "_in_turn", never)
    done, order = drift("0000")
    assert (done.scorecard.exit_code, order) == (0, "BBCC")
