"""Programs that waver, unchanged and changed, over many simulated runs: no process is started."""

from collections import Counter

import pytest
import simulated
from simulated import Sides, observed

from gate.errors import ReplayError
from gate.replay.environment import hash_seed


def flips(share, *, moved=None, changed=()):
    """Each case says one of two values, the rarer in `share` of the runs; a changed one has another common value on the candidate."""

    def says(side, case, number, draw):
        if case in changed and side == "candidate":
            return "changed"
        if moved and case in moved:
            return "tuesday"
        return "rare" if draw < share and case not in changed else "common"

    return says


def ending(cases, sides, *, kept=None):
    """As a run ends: its exit code, and the cases that differ."""
    try:
        about, seen = observed(cases, sides, kept=kept)
    except ReplayError as error:
        return 2, error.what
    found = seen.compare(about.noise)
    return (1 if found.deltas else 3 if found.unstable else 0), [delta.case for delta in found.deltas]


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.02, 0.05, 0.1, 0.2])
def test_an_unchanged_program_of_a_hundred_flipping_checks_is_never_red(share):
    codes = Counter(ending(100, Sides(flips(share), seed=seed))[0] for seed in range(60))
    assert set(codes) <= {0, 3}, codes


@pytest.mark.slow
def test_a_steady_change_among_a_hundred_flipping_checks_is_found():
    for seed in range(50):
        assert ending(100, Sides(flips(0.2, changed={"c7"}), seed=seed)) == (1, ["c7"])


def test_runs_of_doubt_are_those_of_the_cases_that_still_differ():
    wavers = {"c1": ("a", "b")}

    def says(side, case, number, draw):
        return wavers[case][number % 2] if case in wavers else side if case == "c3" else "same"

    _, seen = observed(5, Sides(says))
    assert (seen.confirmed, seen.doubted) == (("c3",), ("c3",))
    assert [len(runs) for runs in seen.baseline] == [2, 2, 2, 8, 2]
    assert [len(runs) for runs in seen.candidate] == [2, 2, 2, 8, 2]


def test_without_a_waver_nothing_is_doubted():
    _, seen = observed(5, Sides(lambda side, case, *_: side if case == "c3" else "same"))
    assert (seen.confirmed, seen.doubted) == (("c3",), ())


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.02, 0.05, 0.1, 0.2])
def test_a_kept_golden_of_a_program_that_flips_is_not_called_stale(share):
    """100 checks; three fresh runs against two kept ones would say so in up to 86 of 100 runs."""
    codes = Counter(ending(100, Sides(flips(share), seed=seed), kept=flips(share))[0] for seed in range(30))
    assert set(codes) <= {0, 3}, codes


@pytest.mark.slow
def test_one_check_that_flips_with_a_kept_golden_is_never_stale():
    codes = Counter(ending(1, Sides(flips(0.2), seed=seed), kept=flips(0.2))[0] for seed in range(200))
    assert set(codes) <= {0, 3}, codes


def unchanged_but_for(candidate):
    """A baseline that says "tuesday" now, and a candidate that says what is told."""
    return lambda side, *_: "tuesday" if side == "baseline" else candidate


def test_a_baseline_that_moved_is_stale_and_the_message_says_how_often_it_was_asked():
    code, what = ending(3, Sides(unchanged_but_for("tuesday")), kept=lambda *_: "monday")
    assert (code, what) == (
        2,
        "the baseline no longer reproduces its kept golden at c0/1, c1/1, c2/1: none of 30 runs now shows what was kept: "
        "something other than this patch changed",
    )


def test_a_baseline_that_moved_everywhere_is_asked_again_in_ten_cases():
    sides = Sides(unchanged_but_for("tuesday"))
    code, what = ending(400, sides, kept=lambda *_: "monday")
    assert (code, what.count("/1")) == (2, 10)
    assert sides.spent == 400 * (2 + 2 * 3) + 10 * 27


def test_a_baseline_that_moved_among_checks_that_flip_is_stale():
    moved = {f"c{n}" for n in range(5)}
    for seed in range(20):
        says = flips(0.2, moved=moved)
        code, what = ending(100, Sides(says, seed=seed), kept=flips(0.0))
        assert (code, what) == (2, what)
        assert {word.rstrip(":,").removesuffix("/1") for word in what.split() if "/1" in word} <= moved


def test_a_value_that_shows_again_is_unstable_and_its_runs_are_told():
    """Kept under two runs that showed the rare value: of the next, the fifth shows it again."""
    counted = Counter()

    def now(side, case, number, draw):
        counted[side] += 1
        return "rare" if side == "baseline" and counted[side] == 8 else "common"

    about, seen = observed(1, Sides(now), kept=lambda *_: "rare")
    (check,) = seen.compare(about.noise).unstable
    assert check.side == "baseline"
    assert Counter(held.text for held in check.baseline) == {b"rare": 3, b"common": 11}
    assert len(check.candidate) == 5


def test_what_follows_the_hash_seed_shows_the_kept_value_in_the_first_further_run():
    """The kept runs and those that confirm have seeds that part them; a run of the kept number settles it."""
    sides = Sides(lambda side, _, number, __: "kept" if side == "baseline" and number < 2 else "other")
    about, seen = observed(1, sides, kept=lambda *_: "kept")
    assert [check.side for check in seen.compare(about.noise).unstable] == ["baseline"]
    assert [len(runs) for runs in seen.baseline] == [2 + 3 + 9]


def test_where_runs_do_not_tell_chance_from_a_stale_golden_it_abstains_and_says_so():
    """Two thousand checks, one of which wavers, and one that moved."""

    def now(side, case, number, draw):
        return "ab"[number % 2] if case == "c1" else "tuesday" if case == "c0" else "same"

    def then(side, case, number, draw):
        return "monday" if case == "c0" else now(side, case, number, draw)

    sides = Sides(now)
    about, seen = observed(2000, sides, kept=then)
    found = seen.compare(about.noise)
    assert ([check.case for check in found.unstable], found.deltas) == (["c0", "c1"], ())
    assert sides.told == [
        "note: the baseline did not show again what was kept of it at c0/1; the program wavers, so that this may be chance "
        "(gate capture --fresh records it anew)"
    ]


def test_a_hash_seed_of_each_case_shows_an_unordered_pair_in_nearly_every_corpus():
    """A candidate that prints a set in place of a sorted list; its order is that of one bit of the seed."""

    def says(side, case, number, draw):
        return "ab" if side == "baseline" or hash_seed(case, number) % 2 else "ba"

    code, named = ending(40, Sides(says))
    about, seen = observed(40, Sides(says))
    found = seen.compare(about.noise)
    assert code in {1, 3}
    assert len(found.unstable) + len(named) > 20
    assert simulated.REPEATS == 2
