"""How the scorecard shows ballots and the example tests."""

from __future__ import annotations

import msgspec

from gate.voting.ballots import BallotKind


class ShownFailure(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which one test of a property failed."""

    test: str
    exception: str
    message: str
    """Its head, without the addresses of objects."""
    example: str | None = None
    """What Hypothesis calls the falsifying example."""


class ShownTest(msgspec.Struct, frozen=True, kw_only=True):
    """One test that a property ran."""

    id: str
    settings: dict[str, str]
    """The effective settings of Hypothesis; empty for other tests."""


class ShownBallot(msgspec.Struct, frozen=True, kw_only=True):
    """The one ballot of a property."""

    property: str
    ballot: BallotKind
    runs: int
    """Runs that were held. 0: it is frozen, and was not asked."""
    outcomes: tuple[str, ...]
    """Of each run."""
    reason: str
    seed: int | None
    """Of Hypothesis, the same in every run. null, as the next three: no run came so far."""
    versions: dict[str, str] | None
    """Of python, pytest and hypothesis, which held the runs."""
    plugins: tuple[str, ...] | None
    """Of pytest, loaded in the runs."""
    tests: tuple[ShownTest, ...] | None
    """What was run, by id."""
    failures: tuple[ShownFailure, ...] = ()
    baseline: BallotKind | None = None
    """The baseline's own ballot, where the candidate's was `fail` or `freeze`; it explains, and decides nothing."""


class Votes(msgspec.Struct, frozen=True, kw_only=True):
    """What the properties said. `properties` = `voted` + `abstained` + `void`."""

    properties: int
    voted: int
    """Ballots `pass` and `fail`."""
    abstained: int
    """Ballots `freeze` and `frozen`."""
    void: int
    ballots: tuple[ShownBallot, ...]


class ShownSuite(msgspec.Struct, frozen=True, kw_only=True):
    """What the project's example tests said on the candidate, under the quarantine of the baseline."""

    tests: int
    passed: int
    skipped: int
    blocking: tuple[str, ...]
    """Tests that failed without a lease."""
    excused: tuple[str, ...]
    """Tests that failed under a lease that is valid on `today`."""
    expired: tuple[str, ...]
    """Leases that protect no longer."""
    gone: tuple[str, ...]
    """Leases of tests that no longer run."""
    today: str | None
    """The date that leases were read against; null where there is none."""
