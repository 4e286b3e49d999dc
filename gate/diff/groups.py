"""Steps that differ in equal ways, as groups: what a person reviews once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gate.diff.edits import Edit, edit
from gate.diff.findings import Change, Delta, Kind
from gate.diff.kinds import gravest, severity
from gate.domain import CaseId

Spot = tuple[CaseId, int, int]
"""Case, step, occurrence."""

Alike = Literal["equal", "but for places", "in kind"]
"""How much the edits of a group have in common: all; all but numbers and paths; the field, the kind and the shape."""

PLACES = 3
"""Edits that nothing is equal to stand in one row if this many differ in numbers and paths alone."""

ROUGH = 4
"""And if this many are of one shape: field, kind, the paths or about the number of lines that changed."""

ROUGH_SHORT = 8
"""Likewise for edits that a line tells whole, of which a reader takes in several rows at a glance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Steps of one command that differ in equal ways, all of them flagged or all of them allowed."""

    id: str
    """`g1`, `g2`, … in report order."""
    command: str
    kind: Kind
    """The gravest of its changes; of the flagged ones, where there are any."""
    spots: tuple[Spot, ...]
    """In corpus order. At least one."""
    representative: Delta
    """The step that is reached first in its case; of several, the one with the least to read; then the first of the corpus."""
    edits: tuple[Edit, ...]
    """What the representative's changes did, one each."""
    alike: Alike
    allowed: bool
    then: tuple[Group, ...] = ()
    """Steps that only follow those of this group, in groups of their own under its id. They fold nothing themselves."""

    @property
    def steps(self) -> int:
        """How many steps stand in the row, folded ones too."""
        return len(self.spots) + sum(len(group.spots) for group in self.then)


def spot(delta: Delta) -> Spot:
    """Where a delta stands."""
    return delta.case, delta.step, delta.occurrence


def group(
    deltas: Sequence[Delta], follows: Mapping[Spot, int], *, allowed: Mapping[Spot, Sequence[bool]] | None = None
) -> tuple[Group, ...]:
    """The groups of a report: flagged before allowed, then by the gravest kind in the row, then in corpus order.

    `deltas`: in corpus order, each spot once. `follows`: the earlier step of its case that a step only follows. `allowed`: for each
    change of a delta whether the policy allows it; deltas that it leaves out are flagged. Every delta stands in one group, as a step
    of its own or as one that follows. A flagged step is never folded under an allowed one, nor is a step under one that does not differ.
    """
    steps = _read(deltas, allowed or {})
    roots = _roots(steps, follows)
    folded: dict[Spot, list[_Step]] = defaultdict(list)
    for step in steps:
        if step.spot in roots:
            folded[roots[step.spot]].append(step)
    rows = list(_gathered([step for step in steps if step.spot not in roots]))
    found = [(rank, members, alike, list(_gathered(_under(members, folded)))) for rank, members, alike in rows]
    found.sort(
        key=lambda row: (row[1][0].allowed, min(severity(s.kind) for s in (*row[1], *_under(row[1], folded))), row[0])
    )
    return tuple(
        _group(f"g{number}", members, alike, then) for number, (_, members, alike, then) in enumerate(found, start=1)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """A delta, read."""

    rank: int
    """Its place in the corpus."""
    delta: Delta
    spot: Spot
    edits: tuple[Edit, ...]
    verdicts: tuple[bool, ...]
    kind: Kind

    @property
    def allowed(self) -> bool:
        return bool(self.verdicts) and all(self.verdicts)

    @property
    def blank(self) -> bool:
        """Whether nothing but whitespace changed: which blanks went where is no reason for a row of its own."""
        return bool(self.edits) and all(each.kind == "whitespace" for each in self.edits)


_NEVER = 1 << 62

_Row = tuple[int, list[_Step], Alike]
"""Rank of its first step, its steps in corpus order, and how alike they are."""


def _read(deltas: Sequence[Delta], allowed: Mapping[Spot, Sequence[bool]]) -> list[_Step]:
    known: dict[Change, Edit] = {}
    steps = []
    for rank, delta in enumerate(deltas):
        for change in delta.changes:
            if change not in known:
                known[change] = edit(change)
        place = spot(delta)
        verdicts = tuple(allowed.get(place, (False,) * len(delta.changes)))
        flagged = [change.kind for change, ok in zip(delta.changes, verdicts, strict=True) if not ok]
        steps.append(
            _Step(
                rank=rank,
                delta=delta,
                spot=place,
                edits=tuple(known[change] for change in delta.changes),
                verdicts=verdicts,
                kind=gravest(flagged or [change.kind for change in delta.changes]),
            )
        )
    return steps


def _roots(steps: Sequence[_Step], follows: Mapping[Spot, int]) -> dict[Spot, Spot]:
    """For each step that is folded, the step that it is folded under, which is folded under none."""
    first: dict[tuple[CaseId, int], _Step] = {}
    known = {step.spot: step for step in steps}
    for step in steps:
        first.setdefault((step.delta.case, step.delta.step), step)
    roots: dict[Spot, Spot] = {}
    # A step comes after what it follows, so that its cause is settled before it.
    for step in sorted(steps, key=lambda step: (step.delta.step, step.delta.occurrence)):
        cause = follows.get(step.spot)
        found = None if cause is None or cause >= step.delta.step else first.get((step.delta.case, cause))
        if found is None:
            continue
        root = roots.get(found.spot, found.spot)
        if step.allowed or not known[root].allowed:
            roots[step.spot] = root
    return roots


def _under(members: Sequence[_Step], folded: Mapping[Spot, list[_Step]]) -> list[_Step]:
    found = [step for member in members for step in folded.get(member.spot, ())]
    return sorted(found, key=lambda step: step.rank)


def _gathered(steps: Sequence[_Step]) -> Iterator[_Row]:
    """Rows in corpus order: equal edits first; what nothing is equal to, by what it has in common with enough others; the rest alone."""
    left, rows = list(steps), list[_Row]()
    passes: tuple[tuple[Alike, Callable[[Edit], object], Callable[[_Step], int]], ...] = (
        ("in kind", lambda each: each.rough, lambda step: 2 if step.blank else _NEVER),
        ("equal", lambda each: each.exact, lambda _: 2),
        ("but for places", lambda each: each.but_for_places, lambda _: PLACES),
        ("in kind", lambda each: each.rough, _enough),
        ("equal", lambda each: each.exact, lambda _: 1),
    )
    for alike, key, least in passes:
        buckets: dict[object, list[_Step]] = defaultdict(list)
        for step in left:
            buckets[step.delta.command, step.verdicts, tuple(map(key, step.edits))].append(step)
        left = []
        for members in buckets.values():
            if len(members) >= least(members[0]):
                rows.append((members[0].rank, members, "equal" if _are_equal(members) else alike))
            else:
                left += members
        left.sort(key=lambda step: step.rank)
    return iter(sorted(rows, key=lambda row: row[0]))


def _are_equal(members: Sequence[_Step]) -> bool:
    return len({tuple(each.exact for each in step.edits) for step in members}) == 1


def _enough(step: _Step) -> int:
    return ROUGH_SHORT if all(each.short for each in step.edits) else ROUGH


def _group(name: str, members: Sequence[_Step], alike: Alike, then: Sequence[_Row]) -> Group:
    shown = min(members, key=lambda step: (step.delta.step, step.delta.occurrence, _length(step.delta), step.rank))
    return Group(
        id=name,
        command=shown.delta.command,
        kind=shown.kind,
        spots=tuple(step.spot for step in members),
        representative=shown.delta,
        edits=shown.edits,
        alike=alike,
        allowed=shown.allowed,
        then=tuple(replace(_group(name, steps, each, ()), then=()) for _, steps, each in then),
    )


def _length(delta: Delta) -> int:
    return sum(len(side.text) for change in delta.changes for side in (change.old, change.new) if side is not None)
