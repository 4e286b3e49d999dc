"""The vote of the properties on a side, as part of a run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from gate.config.model import Project
from gate.domain import Record
from gate.errors import PropertyError
from gate.hashing.pack import Pack, scan_properties
from gate.hashing.properties import Property, read_properties
from gate.pipeline.events import Listener, Remark
from gate.pipeline.inputs import Inputs
from gate.pipeline.sides import Sides
from gate.replay.build import SideName
from gate.voting.ballots import Ballot, BallotKind, Run
from gate.voting.cast import Electorate, require_settings_of_known
from gate.voting.freeze_set import read_freeze_set
from gate.voting.lay import PROPERTIES, laid_digest, lay_properties, lay_voter, require_unchanged
from gate.voting.tally import frozen, same_tests, tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Poll:
    """What the properties said."""

    ballots: tuple[Ballot, ...] = ()
    """One for each property, by name; none where there are none."""
    baseline: dict[str, BallotKind] = field(default_factory=dict)
    """The baseline's own ballots of the properties that failed or wavered on the candidate: they explain, and decide nothing."""
    stale: tuple[str, ...] = ()
    """Frozen names without a property file. They abstain as well: no oracle is mended by taking it away."""


class Booth:
    """Where votes are cast. Opened before any code of a build runs: what such code could write to is read and laid by then."""

    def __init__(self, inputs: Inputs, sides: Sides) -> None:
        """Raises PropertyError where the properties, or the freeze set, cannot be used or are not the pinned ones."""
        project = inputs.project
        self._inputs = inputs
        self._sides = sides
        self._properties = read_properties(project.properties)
        require_settings_of_known(project.config, self._properties)
        self._frozen = frozenset(read_freeze_set(project.freeze_file).names)
        self._doubted = _doubted_names(project, sides.listen)
        lay_properties(project.properties, sides.slot.root)
        lay_voter(sides.slot.root)
        _require_pinned(inputs, sides)
        self._digest = laid_digest(sides.slot.root)

    def poll(self, *, side: SideName = "candidate", repaired: Collection[str] = ()) -> Poll:
        """Let every property vote on a side; frozen ones abstain. Raises PropertyError when the votes were tampered with.

        `repaired`: names that a patch of the judge takes out of the freeze set. They vote as often as a repair asks for.
        """
        asleep = self._frozen - frozenset(repaired)
        doubted = self._doubted - asleep - frozenset(repaired)
        names = {each.name for each in self._properties}
        stale = tuple(sorted(asleep - names))
        ballots = {name: frozen(name) for name in asleep & names} | {name: _gone(name) for name in stale}
        voters = tuple(each for each in self._properties if each.name not in asleep)
        found, baseline = self._voted(voters, side, frozenset(repaired))
        ballots |= {name: _held_back(ballot) if name in doubted else ballot for name, ballot in found.items()}
        return Poll(ballots=tuple(ballots[name] for name in sorted(ballots)), baseline=baseline, stale=stale)

    def repeated(self, name: str, *, runs: int) -> Ballot:
        """The ballot of one property after `runs` runs on the baseline, frozen or not: what a repair rests on."""
        chosen = property_of(self._inputs.project, name)
        return self._ballots((chosen,), "baseline", repeats=runs)[name]

    def _voted(
        self, voters: tuple[Property, ...], side: SideName, repaired: frozenset[str]
    ) -> tuple[dict[str, Ballot], dict[str, BallotKind]]:
        """The ballots of the voters on a side, and the baseline's kinds of those that fail or waver on the candidate."""
        again = tuple(each for each in voters if each.name in repaired)
        fresh = tuple(each for each in voters if each.name not in repaired)
        runs = self._inputs.project.config.voting.repair_runs
        cast = self._ballots(fresh, side) | self._ballots(again, side, repeats=runs)
        if side == "baseline" or len({source.digest for source in self._sides.sources.values()}) == 1:
            return cast, {}
        cast |= self._with_same_tests(voters, cast)
        doubtful = tuple(each for each in voters if cast[each.name].kind in {"fail", "freeze"})
        return cast, {name: ballot.kind for name, ballot in self._ballots(doubtful, "baseline").items()}

    def _ballots(
        self, properties: Sequence[Property], side: SideName, *, repeats: int | None = None
    ) -> dict[str, Ballot]:
        """One ballot for each property. Where all runs failed in one way, further ones have to fail so, too."""
        asked, found = self._runs(properties, side, repeats, "votes")
        ballots = {name: tally(name, runs, asked=asked[name]) for name, runs in found.items()}
        failed = tuple(each for each in properties if ballots[each.name].kind == "fail")
        more, again = self._runs(failed, side, self._inputs.project.config.voting.confirm, "confirming failures")
        for name, runs in again.items():
            ballots[name] = tally(name, found[name] + runs, asked=asked[name] + more[name])
        return ballots

    def _runs(
        self, properties: Sequence[Property], side: SideName, repeats: int | None, purpose: str
    ) -> tuple[dict[str, int], dict[str, tuple[Run, ...]]]:
        """By property: how many runs were asked for, and those that were held."""
        electorate = Electorate.called(properties, self._inputs.project.config, self._sides.slot, repeats=repeats)
        return dict(electorate.repeats), electorate.runs(self._cast(electorate, side, purpose))

    def _with_same_tests(self, properties: Sequence[Property], cast: dict[str, Ballot]) -> dict[str, Ballot]:
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


def _require_pinned(inputs: Inputs, sides: Sides) -> None:
    """The copy that votes is the pinned one, whatever happened to the folder since the pins were held against it."""
    pinned = inputs.judge.properties or Pack().digest
    if (laid := scan_properties(sides.slot.root / PROPERTIES).digest) != pinned:
        raise PropertyError(
            f"{inputs.project.config.properties}: expected the pinned property files ({pinned}), copied {laid}",
            next_step="The folder changed while the gate started: leave it alone, and run again.",
        )


def _gone(name: str) -> Ballot:
    return replace(frozen(name), reason="is frozen, and its file is gone: restore it, and repair it")


def _held_back(ballot: Ballot) -> Ballot:
    """A pass does not count where the property was seen to waver: frozen in the work tree, and not committed yet."""
    if ballot.kind != "pass":
        return ballot
    reason = f"{ballot.reason} here, but wavered before: it is frozen in the work tree, not in the base yet"
    return replace(ballot, kind="frozen", reason=reason)


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


def _doubted_names(project: Project, listen: Listener) -> frozenset[str]:
    """What the work tree saw waver where the judge is read from a commit. It can turn a 0 into a 3, and nothing else.

    A freeze counts before it is committed; but a file that nobody reviewed excuses no failure. One that cannot be read is told.
    """
    if project.home is None:
        return frozenset()
    try:
        return frozenset(read_freeze_set(replace(project, root=project.home).freeze_file).names)
    except PropertyError as error:
        listen(Remark(text=f"note: the work tree's freeze set cannot be read, and is passed by: {error.what}"))
        return frozenset()
