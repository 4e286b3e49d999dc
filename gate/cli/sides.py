"""From what was asked for on the command line to two trees and a verdict."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from gate.cli.progress import progress
from gate.config.load import load_project
from gate.config.model import Project
from gate.errors import ConfigError
from gate.pipeline.audit import Audit, Trees, audit
from gate.replay.refs import repository_root, write_tree

_NEXT_STEP = "Name --baseline and --candidate, or --base and --head; --against-itself needs only the first of either."


def judged(
    root: Path,
    *,
    baseline: Path | None,
    candidate: Path | None,
    base: str | None,
    head: str | None,
    against_itself: bool,
    workers: int | None,
) -> Audit:
    """Run the audit that was asked for. Raises GateError; a combination that means nothing is one."""
    folders, refs = (baseline, candidate), (base, head)
    if any(folders) and any(refs):
        raise ConfigError("expected two folders or two commits, got some of both", next_step=_NEXT_STEP)
    first, second = refs if any(refs) else folders
    if first is None or (second is None) is not against_itself:
        got = (
            "none"
            if first is None and second is None
            else "one"
            if second is None or first is None
            else "two and --against-itself"
        )
        raise ConfigError(f"expected {'one side' if against_itself else 'two sides'}, got {got}", next_step=_NEXT_STEP)
    if isinstance(first, Path):
        return _audit(load_project(root), Trees(baseline=first, candidate=candidate), workers)
    return _between_commits(root, first, head, workers)


def _between_commits(root: Path, base: str, head: str | None, workers: int | None) -> Audit:
    """Both trees are written out below `.gate`, and the judge is the one that the base commit holds."""
    here = root.resolve()
    repository = repository_root(here)
    state = here / ".gate"
    state.mkdir(exist_ok=True)
    trees = Path(tempfile.mkdtemp(prefix="trees-", dir=state))
    try:
        old = write_tree(repository, base, under=trees)
        new = None if head is None else write_tree(repository, head, under=trees)
        inside = here.relative_to(repository.resolve())
        project = replace(load_project(old.folder / inside), home=here)
        return _audit(project, Trees(baseline=old.folder, candidate=None if new is None else new.folder), workers)
    finally:
        shutil.rmtree(trees, ignore_errors=True)


def _audit(project: Project, trees: Trees, workers: int | None) -> Audit:
    with progress() as listen:
        return audit(project, trees, workers=workers, today=datetime.now(UTC).date(), listen=listen)
