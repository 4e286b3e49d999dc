"""An unchanged program with a property that fails one time in ten: never a failure, frozen at the first flip, and for good."""

import pytest

from gate.voting.freeze_set import read_freeze_set

pytestmark = pytest.mark.slow

RUNS = 100

FLAKY = """\
import random

def test_one_in_ten():
    assert random.SystemRandom().random() >= 0.1
"""


def test_a_flaky_property_is_never_taken_for_a_failure_and_stays_frozen(bench):
    bench.side("old", "#!/bin/sh\necho same\n")
    bench.side("new", "#!/bin/sh\necho same\n# a comment\n")
    bench.corpus(A=["tool"])
    (bench.root / "properties").mkdir()
    (bench.root / "properties" / "test_flaky.py").write_text(FLAKY)
    bench.pin()
    seen = []
    for _ in range(RUNS):
        card = bench.run().scorecard
        (ballot,) = card.votes.ballots
        seen.append((card.exit_code, ballot.ballot))
    kinds = [ballot for _, ballot in seen]
    first = kinds.index("freeze") if "freeze" in kinds else len(kinds)
    # A hundred votes without a flip: 0.82 ** 100, once in four hundred million.
    assert first < RUNS
    assert seen == [(0, "pass")] * first + [(3, "freeze")] + [(3, "frozen")] * (RUNS - first - 1)
    (entry,) = read_freeze_set(bench.root / "gate" / "freeze_set.json").entries
    assert entry.name == "flaky"
    assert set(entry.ballots) == {"pass", "fail"}
