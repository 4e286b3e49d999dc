"""A property run under other circumstances. What it says here is no ballot: nothing is frozen, nothing counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gate.diff.escape import escaped
from gate.domain import Record
from gate.pipeline.inputs import Inputs
from gate.pipeline.kept import Kept
from gate.pipeline.left import Experiment, Experimented, Finding, RecordedFailure, SideBallot
from gate.pipeline.sides import Sides
from gate.pipeline.votes import property_of
from gate.replay.build import SideName
from gate.report.shown_votes import ShownBallot, ShownFailure
from gate.report.votes import shown_votes
from gate.voting.ballots import Ballot
from gate.voting.cast import Electorate
from gate.voting.lay import laid_digest, require_unchanged

_SHOWN = 160
"""Characters of a message in a detail."""

_WORDS: Mapping[Finding, str] = {
    "persists": "as in the run",
    "vanishes": "the failure is gone",
    "changes": "not as in the run",
    "wavers": "the runs do not agree",
    "shown": "the baseline fails in the same way",
    "not shown": "the baseline does not fail in this way",
}


def property_under(
    inputs: Inputs, sides: Sides, kept: Kept, asked: Experiment, variables: Mapping[str, str]
) -> Experimented:
    """Run the property on both builds (on the baseline alone for `baseline build`), and say what became of the recorded failure.

    Properties and voter must have been laid. Raises PropertyError for a property that is not there, and where a run wrote to the
    judge's files.
    """
    assert asked.property is not None
    seed = int(asked.value or 0) if asked.kind == "property seed" else None
    repeats = int(asked.value) if asked.value and asked.kind in {"more repeats", "baseline build"} else None
    names: tuple[SideName, ...] = ("baseline",) if asked.kind == "baseline build" else ("baseline", "candidate")
    before = laid_digest(sides.slot.root)
    ballots: dict[SideName, Ballot] = {}
    for side in names:
        chosen = (property_of(inputs.project, asked.property),)
        called = Electorate.called(chosen, inputs.project.config, sides.slot, repeats=repeats, seed=seed)
        (ballots[side],) = called.ballots(_cast(inputs, sides, side, called, variables))
        require_unchanged(sides.slot.root, before)
    shown = {side: _shown(ballot) for side, ballot in ballots.items()}
    finding = _finding(shown[names[-1]], _recorded(kept, asked.property), alone=asked.kind == "baseline build")
    told = ", ".join(f"{side} {ballot.ballot} ({_line(ballot.reason)})" for side, ballot in shown.items())
    return Experimented(
        finding=finding,
        words=f"property {asked.property}: {_WORDS[finding]}; {told}",
        details=tuple(_detail(side, failure) for side, ballot in shown.items() for failure in ballot.failures),
        ballots=tuple(SideBallot(side=side, kind=one.kind, failures=_whole(one)) for side, one in ballots.items()),
    )


def _cast(
    inputs: Inputs, sides: Sides, side: SideName, called: Electorate, variables: Mapping[str, str]
) -> list[Record]:
    sides.prepare(side, inputs.cases)
    rounds = [(replace(each.recipe, env={**each.recipe.env, **variables}), each.cases) for each in called.rounds()]
    runs = sides.cast(side, rounds, purpose="experiment")
    return [record for run in runs for case in run for record in case]


def _shown(ballot: Ballot) -> ShownBallot:
    """As a scorecard shows it: what differs between any two runs is left out there."""
    votes = shown_votes((ballot,), {})
    assert votes is not None, "there is one ballot"
    return votes.ballots[0]


def _whole(ballot: Ballot) -> tuple[RecordedFailure, ...]:
    return tuple(
        RecordedFailure(test=each.test, exception=each.exception, message=each.message, example=each.example)
        for each in ballot.failures
    )


def _recorded(kept: Kept, name: str) -> ShownBallot | None:
    votes = kept.card.votes
    return next((each for each in votes.ballots if each.property == name), None) if votes is not None else None


def _finding(now: ShownBallot, recorded: ShownBallot | None, *, alone: bool) -> Finding:
    """`alone`: only the baseline was asked, and whether it fails as the candidate did. Else what became of the recorded ballot."""
    same = recorded is not None and now.failures == recorded.failures
    if alone:
        return "shown" if now.failures and same else "not shown"
    if now.ballot == "freeze":
        return "wavers"
    if recorded is not None and recorded.ballot == now.ballot and now.ballot in {"pass", "fail"} and same:
        return "persists"
    return "vanishes" if recorded is not None and (recorded.ballot, now.ballot) == ("fail", "pass") else "changes"


def _detail(side: SideName, failure: ShownFailure) -> str:
    example = f"; {_line(failure.example)}" if failure.example else ""
    return f"{side}: {_line(failure.test)}: {_line(failure.exception)}: {_line(failure.message)}{example}"


def _line(text: str) -> str:
    shown = escaped(text[:_SHOWN].encode("utf-8", "backslashreplace"))
    return shown if len(text) <= _SHOWN else f"{shown}…"
