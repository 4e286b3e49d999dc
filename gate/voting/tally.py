"""From runs to a ballot."""

from __future__ import annotations

from collections.abc import Sequence

from gate.voting.ballots import Ballot, Run, shown

LEAST_RUNS = 2


def tally(name: str, runs: Sequence[Run], *, asked: int) -> Ballot:
    """The ballot of the property `name`. The order of the runs does not matter.

    A void run, fewer runs than asked, or runs under different circumstances: `void`. All passed: `pass`. All failed in one way, or at
    one place with values that differ: `fail`. Anything else, two different failures among it: `freeze`.
    Raises ValueError for less than two asked: one run cannot contradict itself.
    """
    if asked < LEAST_RUNS:
        raise ValueError(f"a vote takes at least {LEAST_RUNS} runs, got {asked}")
    kind, reason = _void(runs, asked), ""
    if kind is not None:
        return Ballot(property=name, kind="void", reason=kind, runs=tuple(runs))
    passed = sum(run.outcome == "pass" for run in runs)
    if passed == len(runs):
        return Ballot(property=name, kind="pass", reason=f"passed {passed} of {passed}", runs=tuple(runs))
    ways = {run.signature for run in runs if run.outcome == "fail"}
    if all(run.outcome == "fail" for run in runs) and (how := _agreed(runs, len(ways))):
        reason = f"failed {len(runs)} of {len(runs)}, each time {how}"
        return Ballot(property=name, kind="fail", reason=reason, runs=tuple(runs))
    return Ballot(property=name, kind="freeze", reason=_mixture(runs, passed, len(ways)), runs=tuple(runs))


def frozen(name: str) -> Ballot:
    """The ballot of a property in the freeze set: it did not run."""
    return Ballot(property=name, kind="frozen", reason="abstains until a person repairs it")


def same_tests(baseline: Run, candidate: Run) -> str | None:
    """Why two runs of a property, one on each build, do not speak of the same tests; None where they do.

    Ids are compared as sets. Parameters may come from the code under test: then a patch chooses which tests there are.
    """
    for side, run in (("baseline", baseline), ("candidate", candidate)):
        if run.facts is None or run.outcome == "void":
            return f"{side}: {run.reason or 'its tests are not known'}"
    old, new = _ids(baseline), _ids(candidate)
    if old == new:
        return None
    told = [f"{word} {shown(min(names))}" for word, names in (("it drops", old - new), ("it adds", new - old)) if names]
    return f"the patch changes which tests there are: {', '.join(told)}"


def power(runs: int, rate: float) -> float:
    """The probability that at least one of `runs` runs fails when each does with probability `rate`, independently of the others.

    Raises ValueError for less than one run and for a rate outside 0 to 1.
    """
    if runs < 1 or not 0 <= rate <= 1:
        raise ValueError("expected at least one run and a rate from 0 to 1")
    return float(1 - (1 - rate) ** runs)


def bound(runs: int, confidence: float = 0.95) -> float:
    """The smallest failure rate that `runs` passes in a row rule out at `confidence`: `1 - (1 - confidence) ** (1 / runs)`.

    The exact one-sided (Clopper-Pearson) limit for no failure. Raises ValueError as `power`.
    """
    if runs < 1 or not 0 < confidence < 1:
        raise ValueError("expected at least one run and a confidence between 0 and 1")
    return float(1 - (1 - confidence) ** (1 / runs))


def power_sentence(runs: int, *, rate: float = 0.05) -> str:
    """What `runs` agreeing runs are worth, for people (reported fault 121)."""
    word = "run finds" if runs == 1 else "runs find"
    return (
        (
            f"{runs} {word} a {rate:.0%} flake with probability {power(runs, rate):.2f}; "
            f"{runs} without a failure rule out only flakes above about {bound(runs):.0%} (95 % confidence)"
        )
        .replace("%", " %")
        .replace("  %", " %")
    )


def _agreed(runs: Sequence[Run], ways: int) -> str | None:
    if ways == 1:
        return "in the same way"
    known = all(run.places for run in runs)
    return "at the same place (values differ)" if known and len({run.places for run in runs}) == 1 else None


def _void(runs: Sequence[Run], asked: int) -> str | None:
    voided = [run.reason for run in runs if run.outcome == "void"]
    if voided:
        return f"{len(voided)} of {len(runs)} runs gave no vote: {min(voided)}"
    if len(runs) != asked:
        return f"expected {asked} runs, got {len(runs)}"
    if len({run.facts for run in runs}) != 1 or runs[0].facts is None:
        return "the runs did not vote under the same circumstances: other tests, settings, plugins or versions"
    return None


def _mixture(runs: Sequence[Run], passed: int, ways: int) -> str:
    changed = sum(run.outcome == "mixed" for run in runs)
    told = [f"passed {passed} of {len(runs)}"]
    if ways:
        failed = sum(run.outcome == "fail" for run in runs)
        told.append(f"failed {failed}" + (f" in {ways} different ways" if ways > 1 else ""))
    if changed:
        told.append(
            f"changed its mind within a run {changed} times" if changed > 1 else "changed its mind within a run once"
        )
    return ", ".join(told)


def _ids(run: Run) -> set[str]:
    assert run.facts is not None
    return {test.id for test in run.facts.tests}
