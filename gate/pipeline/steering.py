"""The `.gitattributes` and `.gitignore` files of a patch that reach the judge: these steer it, and are control files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import msgspec

from gate.config.model import Project
from gate.hashing.attributes import attribute_lines
from gate.pipeline.integrity import folded, in_repository, is_attributes, is_judge, judge_paths, own_files
from gate.replay.git import told
from gate.replay.git_attributes import attributes
from gate.replay.git_ignores import ignored
from gate.replay.git_tree import TreeEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitSide:
    """One commit, read."""

    ref: str
    commit: str
    entries: tuple[TreeEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Steering:
    """Changed files that steer what becomes of the judge's files."""

    control: frozenset[bytes] = frozenset()
    pinning: frozenset[bytes] = frozenset()
    """Of these, the ones that gained lines which `gate pin` writes, and changed in nothing else."""


def find_steering(
    repository: Path,
    changed: Iterable[bytes],
    *,
    old: CommitSide,
    new: CommitSide,
    projects: tuple[Project, ...],
    place: PurePosixPath,
) -> Steering:
    """The changed `.gitattributes` where a file of the judge has other attributes after them than before, and the changed
    `.gitignore` where one is ignored that was not.

    `projects`: the judge under either commit, the new one last. Asked about are the judge's files under both, and those that it
    may get: the gate's own, evidence of repairs, one file in each folder. Raises BuildError.
    """
    paths = tuple(changed)
    rules = frozenset(path for path in paths if is_attributes(path))
    ignores = frozenset(path for path in paths if folded(path).rpartition("/")[2] == ".gitignore")
    if not rules and not ignores:
        return Steering()
    judge = tuple({path for project in projects for path in in_repository(place, judge_paths(project))})
    held = {entry.path for side in (old, new) for entry in side.entries if is_judge(entry.path, judge)}
    asked = sorted({*held, *(path.encode("utf-8", "surrogateescape") for path in _expected(projects, place, held))})
    if rules and attributes(repository, old.commit, asked) == attributes(repository, new.commit, asked):
        rules = frozenset()
    if ignores and ignored(repository, new.entries, asked) <= ignored(repository, old.entries, asked):
        ignores = frozenset()
    own = (place / ".gitattributes").as_posix().encode("utf-8", "surrogateescape")
    before, after = (_lines(repository, own, side) for side in (old, new))
    pinned = rules & {own} if _adds_only(before, after, _pin_lines(projects[-1])) else frozenset()
    return Steering(control=rules | ignores, pinning=pinned)


def _expected(projects: Iterable[Project], place: PurePosixPath, held: Iterable[bytes]) -> Iterable[str]:
    """Files that the judge may get, relative to the repository."""
    names = {PurePosixPath(path.decode("utf-8", "surrogateescape")).name for path in held}
    properties = {name[5:-3] for name in names if name.startswith("test_") and name.endswith(".py")}
    for project in projects:
        config = project.config
        repairs = project.repairs.relative_to(project.root)
        yield from in_repository(
            place,
            (
                *own_files(project),
                f"{config.folder}/new",
                f"{config.fixtures}/new",
                f"{config.properties}/new",
                f"{config.properties}/test_new.py",
                *((repairs / f"{name}.json").as_posix() for name in ("new", *properties)),
            ),
        )


def _adds_only(before: list[bytes] | None, after: list[bytes] | None, wanted: set[bytes]) -> bool:
    """Whether a file still holds its old lines in their old order, and beside them wanted ones alone."""
    if before is None or after is None:
        return False
    kept = 0
    for line in after:
        if kept < len(before) and line == before[kept]:
            kept += 1
        elif line not in wanted:
            return False
    return kept == len(before)


def _pin_lines(project: Project) -> set[bytes]:
    """What `gate pin` may write, with or without properties: as fixtures, their folder gets the same line."""
    swapped = msgspec.structs.replace(project.config, fixtures=project.config.properties)
    return {
        line.encode("utf-8", "surrogateescape")
        for config in (project.config, swapped)
        for line in attribute_lines(Project(root=project.root, config=config))
    }


def _lines(repository: Path, path: bytes, side: CommitSide) -> list[bytes] | None:
    """The lines of the file; none where it is not there. None for what is no plain file."""
    entry = next((entry for entry in side.entries if entry.path == path), None)
    if entry is None:
        return []
    if entry.kind != "file":
        return None
    return told(repository, "cat-file", "blob", entry.id).removesuffix(b"\n").split(b"\n")
