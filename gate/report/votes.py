"""From ballots and the verdict on the example tests to what the scorecard shows of them, and to exit codes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from gate.exit_codes import ExitCode
from gate.report.shown_votes import ShownBallot, ShownFailure, ShownSuite, ShownTest, Votes
from gate.voting.ballots import Ballot, BallotKind, Facts, Failure

MESSAGE_CHARS = 2000
"""Characters of a failure's message and example that a scorecard shows."""

_CODES: Mapping[BallotKind, ExitCode] = {
    "pass": ExitCode.CLEAN,
    "fail": ExitCode.STOP,
    "freeze": ExitCode.ABSTAIN,
    "frozen": ExitCode.ABSTAIN,
    "void": ExitCode.INVALID,
}


def shown_votes(ballots: tuple[Ballot, ...], baseline: Mapping[str, BallotKind]) -> Votes | None:
    """The ballots as the scorecard shows them; None for none. `baseline`: the baseline's own ballots, by property."""
    if not ballots:
        return None
    kinds = [ballot.kind for ballot in ballots]
    return Votes(
        properties=len(kinds),
        voted=sum(kind in {"pass", "fail"} for kind in kinds),
        abstained=sum(kind in {"freeze", "frozen"} for kind in kinds),
        void=kinds.count("void"),
        ballots=tuple(_shown(ballot, baseline.get(ballot.property)) for ballot in ballots),
    )


def vote_codes(votes: Votes | None, suite: ShownSuite | None) -> Iterator[ExitCode]:
    """What each ballot and the example tests say about the exit code; nothing where neither took part."""
    for ballot in votes.ballots if votes is not None else ():
        yield _CODES[ballot.ballot]
    if suite is not None:
        yield ExitCode.STOP if suite.blocking else ExitCode.CLEAN


def encode_votes(votes: Votes, code: ExitCode) -> str:
    """What `gate vote --format json` prints: the votes as in a scorecard, and the exit code with its sentence."""
    told = {"votes": votes, "exit_code": code.value, "verdict": code.sentence}
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode("utf-8")


def _shown(ballot: Ballot, baseline: BallotKind | None) -> ShownBallot:
    facts = ballot.facts
    return ShownBallot(
        property=ballot.property,
        ballot=ballot.kind,
        runs=len(ballot.runs),
        outcomes=tuple(run.outcome for run in ballot.runs),
        reason=ballot.reason,
        seed=None if facts is None else facts.seed,
        versions=None if facts is None else _versions(facts),
        plugins=None if facts is None else facts.plugins,
        tests=None
        if facts is None
        else tuple(ShownTest(id=test.id, settings=dict(test.settings)) for test in facts.tests),
        failures=tuple(map(_failure, ballot.failures)),
        baseline=baseline,
    )


def _versions(facts: Facts) -> dict[str, str]:
    return {"python": facts.python, "pytest": facts.pytest, "hypothesis": facts.hypothesis}


_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")


def _failure(failure: Failure) -> ShownFailure:
    """Without the addresses of objects: no two runs share them, and two equal runs are to give equal bytes."""
    message, example = (_ADDRESS.sub("0x…", text) for text in (failure.message, failure.example))
    return ShownFailure(
        test=failure.test,
        exception=failure.exception,
        message=message[:MESSAGE_CHARS],
        example=example[:MESSAGE_CHARS] or None,
    )
