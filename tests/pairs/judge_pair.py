"""Runs the gate on a pair and holds what it found against what is known."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pair_project import NOISE, Pair, environment, make_project

from gate.config.load import load_project
from gate.diff.findings import Comparison
from gate.hashing.judge import pin_project
from gate.pipeline.audit import Trees, audit
from gate.pipeline.events import silence

Place = tuple[str, int, str]
"""(case, step, field), where every `files:NAME` counts as `files`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What one run of the gate said about a pair."""

    exit_code: int
    checks: int
    changed: frozenset[Place]
    unstable: frozenset[Place]
    groups: int
    """Groups in which the report shows the steps that differ."""
    comparison: Comparison


def run_pair(pair: Pair, root: Path, *, against_itself: bool, workers: int | None = None, afresh: bool = True) -> Seen:
    """Replay the pair below `root`: old against new, or old against itself. Unless `afresh`, a project that is there is used again,
    with the builds and the golden traces that it has kept."""
    if afresh or not root.exists():
        shutil.rmtree(root, ignore_errors=True)
        pin_project(load_project(make_project(pair, root, NOISE.get(pair.name))))
    project = load_project(root)
    old = environment(pair, pair.told["old"])
    new = None if against_itself else environment(pair, pair.told["new"])
    done = audit(project, Trees(baseline=old, candidate=new), workers=workers, today=date(2026, 1, 1), listen=silence)
    return Seen(
        exit_code=done.scorecard.exit_code,
        checks=done.scorecard.counts.checks,
        changed=frozenset(
            (delta.case, delta.step, _channel(change.field))
            for delta in done.comparison.deltas
            for change in delta.changes
        ),
        unstable=frozenset((check.case, check.step, _channel(check.field)) for check in done.comparison.unstable),
        groups=len(done.scorecard.groups),
        comparison=done.comparison,
    )


def _channel(field: str) -> str:
    return "files" if field.startswith("files:") else field
