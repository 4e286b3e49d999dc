"""How the scorecard shows groups: steps that differ in equal ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from gate.diff.edits import Edit
from gate.diff.findings import Kind
from gate.diff.groups import Alike, Group, Spot, group, spot
from gate.octets import Wire, to_wire
from gate.policy.match import Judgement

MAX_HUNKS = 10
"""Replaced words of one edit that a scorecard shows."""

HUNK_BYTES = 200
"""Bytes of each side of them."""


class ShownSpot(msgspec.Struct, frozen=True, kw_only=True):
    """One step that differs."""

    case: str
    step: int
    occurrence: int


class ShownHunk(msgspec.Struct, frozen=True, kw_only=True):
    """Words that were replaced; either side may be empty, and is its head of `HUNK_BYTES` bytes."""

    after: Wire
    """The word before them on their line, its digits as `N`."""
    old: Wire
    new: Wire


class ShownEdit(msgspec.Struct, frozen=True, kw_only=True):
    """What one change of the representative did to its text."""

    field: str
    """The field; of a file's content `files:` and the end of its name."""
    kind: Kind
    hunks: tuple[ShownHunk, ...]
    """Each distinct one once, at most `MAX_HUNKS`."""
    more: int = 0
    """How many hunks were left out."""


class ShownGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Steps of one command that differ in equal ways."""

    id: str
    """`g1`, `g2`, … in report order. A group in `then` has the id of the one that it stands under."""
    command: str
    kind: Kind
    """The gravest of its changes that are flagged; of all where none is."""
    verdict: Literal["allowed", "flagged"]
    alike: Alike
    representative: ShownSpot
    """The step that a report shows for all."""
    spots: tuple[ShownSpot, ...]
    """All its steps, in corpus order."""
    edits: tuple[ShownEdit, ...]
    then: tuple[ShownGroup, ...] = ()
    """Steps that only follow those of this group."""

    @property
    def steps(self) -> int:
        """How many steps stand in the row, folded ones too."""
        return len(self.spots) + sum(len(each.spots) for each in self.then)


def shown_groups(judgement: Judgement, follows: Mapping[Spot, int]) -> tuple[ShownGroup, ...]:
    """The groups of a judgement's rows, in report order. `follows`: the earlier step of its case that a step only follows."""
    allowed = {
        spot(row.delta): tuple(judged.allowed_by is not None for judged in row.changes) for row in judgement.rows
    }
    return tuple(map(_shown, group([row.delta for row in judgement.rows], follows, allowed=allowed)))


def _shown(held: Group) -> ShownGroup:
    return ShownGroup(
        id=held.id,
        command=held.command,
        kind=held.kind,
        verdict="allowed" if held.allowed else "flagged",
        alike=held.alike,
        representative=_spot(spot(held.representative)),
        spots=tuple(map(_spot, held.spots)),
        edits=tuple(map(shown_edit, held.edits)),
        then=tuple(map(_shown, held.then)),
    )


def _spot(place: Spot) -> ShownSpot:
    case, step, occurrence = place
    return ShownSpot(case=case, step=step, occurrence=occurrence)


def shown_edit(held: Edit) -> ShownEdit:
    """An edit, bounded."""
    return ShownEdit(
        field=held.field,
        kind=held.kind,
        hunks=tuple(
            ShownHunk(after=_head(hunk.after), old=_head(hunk.old), new=_head(hunk.new))
            for hunk in held.hunks[:MAX_HUNKS]
        ),
        more=max(0, len(held.hunks) - MAX_HUNKS),
    )


def _head(text: bytes) -> Wire:
    return to_wire(text[:HUNK_BYTES])
