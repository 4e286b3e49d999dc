"""The vote of the properties on a side, as part of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from gate.config.model import Project
from gate.domain import Record
from gate.errors import PropertyError
from gate.hashing.properties import Property, read_properties
from gate.pipeline.events import Listener, Remark
from gate.pipeline.inputs import Inputs
from gate.pipeline.sides import Sides
from gate.replay.build import SideName
from gate.voting.ballots import Ballot, BallotKind, Run
from gate.voting.cast import Electorate, require_settings_of_known
from gate.voting.freeze_set import FreezeSet, Frozen, freeze, read_freeze_set, write_freeze_set
from gate.voting.lay import laid_digest, lay_properties, lay_voter, require_unchanged
from gate.voting.repairs import file_digest
from gate.voting.tally import frozen, same_tests, tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Poll:
    """What the properties said."""

    ballots: tuple[Ballot, ...] = ()
    """One for each property, by name; none where there are none."""
    baseline: dict[str, BallotKind] = field(default_factory=dict)
    """The baseline's own ballots of the properties that failed or wavered on the candidate: they explain, and decide nothing."""
    stale: tuple[str, ...] = ()
    """Frozen names without a property file."""


def hold_votes(inputs: Inputs, sides: Sides, *, side: SideName = "candidate") -> Poll:
    """Let every property vote on a side; frozen ones abstain. Raises PropertyError when the votes were tampered with."""
    project = inputs.project
    properties = read_properties(project.properties)
    asleep = frozen_names(project)
    stale = tuple(sorted(asleep - {each.name for each in properties}))
    require_settings_of_known(project.config, properties)
    voters = tuple(each for each in properties if each.name not in asleep)
    if not voters:
        return Poll(ballots=tuple(frozen(each.name) for each in properties), stale=stale)
    booth = _Booth(inputs, sides)
    cast = {ballot.property: ballot for ballot in booth.ballots(voters, side)}
    baseline: dict[str, BallotKind] = {}
    if side == "candidate":
        cast |= booth.with_same_tests(voters, cast)
        doubtful = tuple(each for each in voters if cast[each.name].kind in {"fail", "freeze"})
        baseline = {ballot.property: ballot.kind for ballot in booth.ballots(doubtful, "baseline")}
    return Poll(
        ballots=tuple(cast.get(each.name) or frozen(each.name) for each in properties), baseline=baseline, stale=stale
    )


def repeated(inputs: Inputs, sides: Sides, chosen: Property, *, runs: int, side: SideName = "baseline") -> Ballot:
    """The ballot of one property after `runs` runs on a side, frozen or not: what a repair rests on."""
    (ballot,) = _Booth(inputs, sides).ballots((chosen,), side, repeats=runs)
    return ballot


class _Booth:
    """Where votes are cast: the judge's files laid in the slot, looked at again after each round."""

    def __init__(self, inputs: Inputs, sides: Sides) -> None:
        self._inputs = inputs
        self._sides = sides
        lay_properties(inputs.project.properties, sides.slot.root)
        lay_voter(sides.slot.root)
        self._digest = laid_digest(sides.slot.root)

    def ballots(
        self, properties: Sequence[Property], side: SideName, *, repeats: int | None = None
    ) -> tuple[Ballot, ...]:
        """One ballot for each property. Where all runs failed in one way, further ones have to fail so, too."""
        asked, found = self._runs(properties, side, repeats, "votes")
        ballots = {name: tally(name, runs, asked=asked[name]) for name, runs in found.items()}
        failed = tuple(each for each in properties if ballots[each.name].kind == "fail")
        more, again = self._runs(failed, side, self._inputs.project.config.voting.confirm, "confirming failures")
        for name, runs in again.items():
            ballots[name] = tally(name, found[name] + runs, asked=asked[name] + more[name])
        return tuple(ballots[each.name] for each in properties)

    def _runs(
        self, properties: Sequence[Property], side: SideName, repeats: int | None, purpose: str
    ) -> tuple[dict[str, int], dict[str, tuple[Run, ...]]]:
        """By property: how many runs were asked for, and those that were held."""
        electorate = Electorate.called(properties, self._inputs.project.config, self._sides.slot, repeats=repeats)
        return dict(electorate.repeats), electorate.runs(self._cast(electorate, side, purpose))

    def with_same_tests(self, properties: Sequence[Property], cast: dict[str, Ballot]) -> dict[str, Ballot]:
        """The ballots, void where the patch chose which tests there are: parameters may come from the code under test."""
        derived = tuple(
            each for each in properties if cast[each.name].kind in {"pass", "fail"} and _derives(each, cast[each.name])
        )
        before = self._collected(derived, "baseline")
        found = {}
        for each in derived:
            ballot = cast[each.name]
            if (why := same_tests(before[each.name], ballot.runs[0])) is not None:
                found[each.name] = replace(ballot, kind="void", reason=why)
        return found

    def _collected(self, properties: Sequence[Property], side: SideName) -> dict[str, Run]:
        electorate = Electorate.called(properties, self._inputs.project.config, self._sides.slot, collect_only=True)
        runs = electorate.runs(self._cast(electorate, side, "collecting tests"))
        return {name: found[0] if found else Run(outcome="void", reason="no run") for name, found in runs.items()}

    def _cast(self, electorate: Electorate, side: SideName, purpose: str) -> list[Record]:
        rounds = [(each.recipe, each.cases) for each in electorate.rounds()]
        if not rounds:
            return []
        self._sides.prepare(side, self._inputs.cases)
        runs = self._sides.cast(side, rounds, purpose=purpose)
        require_unchanged(self._sides.slot.root, self._digest)
        return [record for run in runs for case in run for record in case]


def _derives(each: Property, ballot: Ballot) -> bool:
    """Whether the tests that ran are not simply the pinned ones: parametrised, inherited."""
    facts = ballot.facts
    return facts is not None and {test.id for test in facts.tests} != set(each.tests)


def frozen_names(project: Project) -> frozenset[str]:
    """What the judge's freeze set holds, and what this work tree saw waver since: a freeze counts before it is committed."""
    names = read_freeze_set(project.freeze_file).names
    return frozenset((*names, *read_freeze_set(_written(project).freeze_file).names))


def remember(project: Project, poll: Poll, *, today: date, listen: Listener) -> None:
    """Freeze what wavered, and say so: the freeze set is a file that a person commits."""
    if fresh := record_freezes(project, poll.ballots, today=today):
        listen(Remark(text=f"frozen from now on: {', '.join(fresh)}; commit {project.config.folder}/freeze_set.json"))
    if poll.stale:
        listen(Remark(text=f"warning: frozen, but there is no such property any more: {', '.join(poll.stale)}"))


def record_freezes(project: Project, ballots: Sequence[Ballot], *, today: date) -> tuple[str, ...]:
    """Write every newly mixed property into the work tree's freeze set; their names. Nothing is written where there is none."""
    fresh = tuple(ballot for ballot in ballots if ballot.kind == "freeze")
    if not fresh:
        return ()
    work = _written(project)
    held: FreezeSet = read_freeze_set(work.freeze_file)
    files = {each.name: each.file for each in read_properties(project.properties)}
    for ballot in fresh:
        held = freeze(held, _entry(ballot, file_digest(project.properties / files[ballot.property]), today))
    write_freeze_set(work.freeze_file, held)
    return tuple(ballot.property for ballot in fresh)


def _entry(ballot: Ballot, digest: str, today: date) -> Frozen:
    seeds = () if ballot.facts is None else (ballot.facts.seed,) * len(ballot.runs)
    return Frozen(
        name=ballot.property,
        since=today,
        ballots=tuple(run.outcome for run in ballot.runs),
        seeds=seeds,
        property=digest,
    )


def _written(project: Project) -> Project:
    """The project whose files this run may write: the work tree's, where the judge is read from a commit."""
    return project if project.home is None else replace(project, root=project.home)


def property_of(project: Project, name: str) -> Property:
    """The property of that name. Raises PropertyError naming those that there are."""
    properties = read_properties(project.properties)
    for each in properties:
        if each.name == name:
            return each
    raise PropertyError(
        f"{project.config.properties}: expected a property {name!r}, there are {', '.join(e.name for e in properties) or 'none'}",
        next_step=f"Name one of them: its file is {project.config.properties}/test_NAME.py.",
    )
