"""One run of the gate between two commits: their trees, and the judge that the base holds."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from gate.config.load import load_project
from gate.config.model import Project
from gate.errors import BuildError, ConfigError, GateError
from gate.pipeline.audit import Audit, Trees, audit
from gate.pipeline.events import Listener, Remark
from gate.replay.refs import commit_of, has_uncommitted, holds, repository_root, write_tree

STATE = ".gate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Commits:
    """What is judged, by any name git has for a commit. Without a head the base is held against itself."""

    base: str
    head: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Commits that are there and can be judged."""

    repository: Path
    inside: Path
    """The project's folder, relative to the repository."""
    base: str
    """The full commit id."""
    head: str | None


def audit_commits(root: Path, commits: Commits, *, workers: int | None, today: date, listen: Listener) -> Audit:
    """Judge one commit against another; `root` is the project's folder in a work tree. See `gate.pipeline.audit.audit`."""
    with trees_of_commits(root, commits, listen=listen) as (project, trees):
        return audit(project, trees, workers=workers, today=today, listen=listen)


@contextmanager
def trees_of_commits(root: Path, commits: Commits, *, listen: Listener) -> Iterator[tuple[Project, Trees]]:
    """The trees of both commits as plain folders, and the project as the base commit holds it.

    Nothing of the work tree is read: that it has changes is only told. Nothing is written before both commits are known to be
    there; then the trees lie below `root/.gate` until the block ends. An error raised in the block names files as git does
    (`main:gate/policy.json`). Raises GateError.
    """
    here = root.resolve()
    found = _find(here, commits)
    if has_uncommitted(found.repository, found.inside, beside=STATE):
        listen(
            Remark(text="note: the work tree has changes that are not committed; they are not judged, the commits are")
        )
    (here / STATE).mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="trees-", dir=here / STATE))
    try:
        base = write_tree(found.repository, found.base, under=folder).folder
        head = None if found.head is None else write_tree(found.repository, found.head, under=folder).folder
        with _naming({base: commits.base} if head is None else {base: commits.base, head: str(commits.head)}):
            yield replace(_judge(base / found.inside, commits.base), home=here), Trees(baseline=base, candidate=head)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _find(here: Path, commits: Commits) -> _Found:
    if not here.is_dir():
        raise ConfigError(
            f"{here}: expected the project's folder, found {'a file' if here.exists() else 'nothing'}",
            next_step="Name the folder that holds gate.toml with --project.",
        )
    repository = repository_root(here).resolve()
    inside = here.relative_to(repository)
    base = commit_of(repository, commits.base)
    head = None if commits.head is None else commit_of(repository, commits.head)
    if base == head:
        raise BuildError(
            f"{commits.base} and {commits.head} are the same commit ({base}): there is no change to judge",
            next_step="Name the patched commit with --head; to hold the base against itself on purpose, use --against-itself.",
        )
    if not holds(repository, base, inside / "gate.toml"):
        raise ConfigError(
            f"commit {commits.base} holds no gate.toml in {'the top folder' if inside == Path() else inside}",
            next_step="The judge is read from the base: commit gate.toml and the pins there first, or name the folder with --project.",
        )
    return _Found(repository=repository, inside=inside, base=base, head=head)


def _judge(folder: Path, ref: str) -> Project:
    """The project in a commit's folder; a fault of its `gate.toml` names the commit, as the one in the work tree may be sound."""
    try:
        return load_project(folder)
    except ConfigError as error:
        raise ConfigError(f"commit {ref}: {error.what}", next_step=error.next_step) from error


@contextmanager
def _naming(refs: Mapping[Path, str]) -> Iterator[None]:
    """Let an error name a commit's files by its ref: the folder that they lie in will be gone."""
    try:
        yield
    except GateError as error:
        for folder, ref in refs.items():
            error.what = error.what.replace(f"{folder}/", f"{ref}:").replace(str(folder), f"the tree of {ref}")
        error.args = (error.what,)
        raise
