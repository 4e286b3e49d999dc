"""Which two sides a run was made from, kept in a file beside its scorecard: a scorecard tells digests, and no paths of a machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import msgspec

from gate.errors import ReplayError
from gate.files import write_atomically
from gate.octets import Wire, from_wire, to_wire
from gate.pipeline.commit_range import Commits

FILE = "sides.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """The two trees of a run. Without a candidate the baseline is held against itself: an audit of the judge as it stands."""

    baseline: Path
    candidate: Path | None = None


class _Folders(msgspec.Struct, frozen=True, kw_only=True, tag="folders", forbid_unknown_fields=True):
    baseline: Wire
    candidate: Wire | None


class _Commits(msgspec.Struct, frozen=True, kw_only=True, tag="commits", forbid_unknown_fields=True):
    base: str
    head: str | None


def remember_sides(run: Path, sides: Trees | Commits) -> None:
    """Note in the folder of a run what it was made from; folders by absolute paths."""
    told: _Folders | _Commits
    if isinstance(sides, Trees):
        candidate = None if sides.candidate is None else to_wire(bytes(sides.candidate.absolute()))
        told = _Folders(baseline=to_wire(bytes(sides.baseline.absolute())), candidate=candidate)
    else:
        told = _Commits(base=sides.base, head=sides.head)
    write_atomically(run / FILE, msgspec.json.encode(told) + b"\n")


def remembered_sides(run: Path) -> Trees | Commits:
    """What the run in that folder was made from. Raises ReplayError where it is not recorded."""
    try:
        told = msgspec.json.decode((run / FILE).read_bytes(), type=_Folders | _Commits)
        if isinstance(told, _Commits):
            return Commits(base=told.base, head=told.head)
        return Trees(baseline=_path(told.baseline), candidate=None if told.candidate is None else _path(told.candidate))
    except FileNotFoundError:
        raise ReplayError(
            f"{run}: the run does not record what it was made from",
            next_step="Name --baseline and --candidate, or --base and --head, as for that run.",
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise ReplayError(
            f"{run / FILE}: not a gate's file: {error}",
            next_step="Name --baseline and --candidate, or --base and --head, as for that run.",
        ) from error


def _path(wire: Wire) -> Path:
    return Path(os.fsdecode(from_wire(wire)))
