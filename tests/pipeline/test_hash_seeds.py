"""Hash seeds of whole runs: what follows them is seen, and no golden of other seeds is used."""

import pytest

from gate.domain import CaseId
from gate.pipeline import golden as goldens
from gate.replay.environment import hash_seed

SETS = "#!/usr/bin/python3\nimport sys\nprint(sys.argv[1], {how}({{'a', 'b'}}))\n"


@pytest.mark.slow
def test_a_patch_that_forgets_to_sort_a_pair_is_seen_in_order_under_the_first_two_seeds(bench):
    """Under the hash seeds 0 and 1 the pair is in order, so that two runs under them see nothing."""
    bench.corpus(**{f"c{n}": [f"tool {n}"] for n in range(40)})
    bench.pin()
    for name, how in (("old", "sorted"), ("new", "list")):
        bench.side(name, SETS.format(how=how))
    card = bench.run().scorecard
    assert card.exit_code in {1, 3}
    assert len({check.case for check in card.unstable}) + len({delta.case for delta in card.deltas}) > 20


def test_both_sides_have_the_same_seed_and_repeats_do_not(bench):
    """A program that prints its seed is unstable on both sides alike, and never a delta."""
    bench.side("old", "#!/bin/sh\necho $PYTHONHASHSEED\n")
    bench.side("new", "#!/bin/sh\n# tidied\necho $PYTHONHASHSEED\n")
    done = bench.run()
    assert (done.scorecard.exit_code, done.scorecard.deltas) == (3, ())
    for check in done.comparison.unstable:
        expected = [b"%d\n" % hash_seed(CaseId(check.case), run) for run in range(2)]
        assert [held.text for held in check.baseline] == [held.text for held in check.candidate] == expected


def test_a_golden_that_was_kept_under_other_seeds_is_not_used(bench, monkeypatch):
    bench.side("new", "#!/bin/sh\necho did $1 twice\n")
    with monkeypatch.context() as patched:
        patched.setattr(goldens, "RECIPE", "gate-golden-1")
        bench.run()
    bench.run()
    assert bench.told == []
    bench.run()
    assert bench.told == ["baseline: unchanged, its kept golden is used (gate capture --fresh records it anew)"]


def test_a_change_beside_a_check_that_wavers_is_doubted_and_found(bench):
    wavers = "#!/bin/sh\n[ $1 = two ] && echo $PYTHONHASHSEED\n[ $1 = one ] && echo {}\nexit 0\n"
    bench.corpus(A=["tool two"], B=["tool one"])
    bench.pin()
    bench.side("old", wavers.format("did"))
    bench.side("new", wavers.format("does"))
    card = bench.run().scorecard
    assert (card.exit_code, card.runs.confirmed, card.runs.doubted) == (1, ("B",), ("B",))
    assert [(delta.case, delta.step) for delta in card.deltas] == [("B", 1)]


@pytest.mark.slow
def test_a_kept_golden_that_only_other_seeds_show_is_no_stale_one(bench):
    """The kept runs agree by luck of their two seeds; the confirming runs of the baseline show the other value in all three."""
    kept = "|".join(str(hash_seed(CaseId("A"), run)) for run in range(2))
    says = f"#!/bin/sh\ncase $PYTHONHASHSEED in {kept}) echo kept;; *) echo other;; esac\n"
    bench.corpus(A=["tool one"])
    bench.pin()
    bench.side("old", says)
    bench.run(candidate=None)
    bench.side("new", "#!/bin/sh\necho other\n")
    card = bench.run().scorecard
    assert (card.exit_code, [(check.case, check.side) for check in card.unstable]) == (3, [("A", "baseline")])
