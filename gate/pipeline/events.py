"""What a run tells while it works. The pipeline yields events and never prints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStarted:
    """A stage begins; `total` cases will be run in it (0: it runs none)."""

    name: str
    total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseDone:
    """One case of the current stage was run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A sentence for the person; never part of the verdict."""

    text: str


Event = StageStarted | CaseDone | Remark
Listener = Callable[[Event], None]


def silence(event: Event) -> None:
    """A listener that does nothing."""
