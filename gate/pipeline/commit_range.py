"""From two names of commits to a patch that may be judged: both are there, one was made on the other, and the kinds are apart."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gate.config.load import parse_config
from gate.config.model import Config, Project
from gate.errors import BuildError, ConfigError, IntegrityError
from gate.pipeline.forbidden import refuse_state, refuse_twins
from gate.pipeline.integrity import (
    Patch,
    changed_paths,
    classify,
    in_repository,
    judge_paths,
    own_files,
    refuse_annexed,
    refuse_links,
)
from gate.pipeline.steering import CommitSide, find_steering
from gate.replay.git import told
from gate.replay.git_tree import TreeEntry, list_tree, refuse_submodules
from gate.replay.refs import commit_of, repository_root, require_ancestor, tree_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Commits:
    """What is judged, by any name git has for a commit. Without a head the base is held against itself."""

    base: str
    head: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Commits that are there and can be judged."""

    repository: Path
    inside: Path
    """The project's folder, relative to the repository."""
    base: str
    """The full commit id."""
    head: str | None
    patch: Patch | None
    """What changed; None without a head."""


def find_range(here: Path, commits: Commits) -> Range:
    """The commits, and what changed between them; `here` is the project's folder in a work tree, resolved. Writes nothing.

    Raises BuildError for commits that cannot be held against each other, ConfigError for a `gate.toml` that is missing or cannot be
    read, IntegrityError for a patch that mixes kinds or hides the judge.
    """
    if not here.is_dir():
        raise ConfigError(
            f"{here}: expected the project's folder, found {'a file' if here.exists() else 'nothing'}",
            next_step="Name the folder that holds gate.toml with --project.",
        )
    repository = repository_root(here)
    inside = here.relative_to(repository)
    base = commit_of(repository, commits.base)
    head = None if commits.head is None else commit_of(repository, commits.head)
    if head is not None:
        _require_change(repository, commits, base, head)
    place = PurePosixPath(inside.as_posix())
    old = _side(repository, commits.base, base, place)
    if not _holds(old, place):
        raise ConfigError(
            f"commit {commits.base} holds no gate.toml in {'the top folder' if inside == Path() else inside}",
            next_step="The judge is read from the base: commit gate.toml and the pins there first, or name the folder with --project.",
        )
    project = _project(repository, old, place)
    _refuse_links(old, project, place)
    patch = None
    if head is not None:
        patch = _patch(repository, place, old, project, _side(repository, str(commits.head), head, place))
    return Range(repository=repository, inside=inside, base=base, head=head, patch=patch)


def _require_change(repository: Path, commits: Commits, base: str, head: str) -> None:
    next_step = "Name the patched commit with --head; to hold the base against itself on purpose, use --against-itself."
    if base == head:
        raise BuildError(
            f"{commits.base} and {commits.head} are the same commit ({base}): there is no change to judge",
            next_step=next_step,
        )
    if (tree := tree_id(repository, base)) == tree_id(repository, head):
        raise BuildError(
            f"{commits.base} and {commits.head} hold the same tree ({tree}): there is no change to judge",
            next_step=next_step,
        )
    require_ancestor(repository, base, head, named=(commits.base, str(commits.head)))


def _side(repository: Path, ref: str, commit: str, place: PurePosixPath) -> CommitSide:
    entries = list_tree(repository, commit)
    refuse_submodules(ref, entries)
    refuse_state(entries, place, ref=ref)
    return CommitSide(ref=ref, commit=commit, entries=entries)


def _patch(repository: Path, place: PurePosixPath, old: CommitSide, project: Project, new: CommitSide) -> Patch:
    if not _holds(new, place):
        raise IntegrityError(
            f"commit {new.ref} removes gate.toml: nothing could be judged after it",
            next_step="Restore it; the judge may be moved, but not taken away.",
        )
    changed = changed_paths(old.entries, new.entries)
    before = in_repository(place, judge_paths(project))
    try:
        later = _project(repository, new, place)
    except ConfigError:
        classify(changed, before)  # a mixed patch is told as one, whatever is wrong with its gate.toml
        raise
    after = in_repository(place, judge_paths(later))
    refuse_annexed(old.entries, before, after, ref=old.ref)
    _refuse_links(new, later, place)
    steering = find_steering(repository, changed, old=old, new=new, projects=(project, later), place=place)
    judge = tuple(sorted({*before, *after}))
    patch = classify(changed, judge, control=steering.control, pinning=steering.pinning)
    own = in_repository(place, own_files(later))
    refuse_twins(new.entries, tuple(sorted({*after, *own})), ref=new.ref)
    return patch


def _holds(side: CommitSide, place: PurePosixPath) -> bool:
    return _config_entry(side, place) is not None


def _config_entry(side: CommitSide, place: PurePosixPath) -> TreeEntry | None:
    wanted = (place / "gate.toml").as_posix().encode("utf-8", "surrogateescape")
    return next((entry for entry in side.entries if entry.path == wanted), None)


def _project(repository: Path, side: CommitSide, place: PurePosixPath) -> Project:
    """The project as the commit holds it, without a folder of its own. Its faults name the commit: the work tree's may be sound."""
    entry = _config_entry(side, place)
    assert entry is not None, "asked for before"
    refuse_links((entry,), in_repository(place, ("gate.toml",)), ref=side.ref, fixtures=())
    return Project(root=Path("project"), config=_config(told(repository, "cat-file", "blob", entry.id), side.ref))


def _config(data: bytes, ref: str) -> Config:
    try:
        return parse_config(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"commit {ref}: gate.toml: expected UTF-8, got {error}", next_step="Save it as UTF-8 and commit it."
        ) from error
    except ConfigError as error:
        raise ConfigError(f"commit {ref}: {error.what}", next_step=error.next_step) from error


def _refuse_links(side: CommitSide, project: Project, place: PurePosixPath) -> None:
    judge = in_repository(place, judge_paths(project))
    fixtures = in_repository(place, (project.config.fixtures,))
    refuse_links(side.entries, judge, ref=side.ref, fixtures=fixtures)
