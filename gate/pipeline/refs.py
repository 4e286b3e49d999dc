"""One run of the gate between two commits: their trees, and the judge that speaks about them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from gate.config.load import load_project
from gate.config.model import Project
from gate.errors import DriftError, GateError, IntegrityError, PinsError, PolicyError
from gate.hashing.names import shown
from gate.pipeline.aside_audit import require_held
from gate.pipeline.audit import Audit, Trees, audit
from gate.pipeline.commit_range import Commits, Range, find_range
from gate.pipeline.events import Listener, Remark
from gate.pipeline.indifference import require_indifferent
from gate.pipeline.integrity import Patch
from gate.pipeline.judge_changes import judge_changes
from gate.policy.load import read_policy
from gate.policy.model import Entry, Policy
from gate.policy.render import render_policy
from gate.replay.git_state import STATE, make_state
from gate.replay.git_tree import write_tree
from gate.replay.refs import has_uncommitted
from gate.replay.sandbox import SandboxMode
from gate.voting.freeze_set import read_freeze_set, removed
from gate.voting.repairs import require_evidence, standing

_TREES = "trees-"

__all__ = ["Commits", "Examined", "audit_commits", "examined_commits", "judge_remarks", "trees_of_commits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What is to be audited, while its trees stand."""

    project: Project
    """As the base commit holds it; for a judge patch, as the head does."""
    trees: Trees
    """Both commits'; without a head the baseline alone."""
    patch: Patch | None
    """What changed, by kind; None where the base is held against itself on purpose."""
    before: Project | None = None
    """Set exactly for a judge patch: the project as the base commit holds it. See `gate.pipeline.indifference`."""


def audit_commits(
    root: Path,
    commits: Commits,
    *,
    workers: int | None,
    today: date,
    listen: Listener,
    sandbox: SandboxMode = "off",
) -> Audit:
    """Judge one commit against another; `root` is the project's folder in a work tree. See `gate.pipeline.audit.audit`."""
    with examined_commits(root, commits, listen=listen) as found:
        if found.before is not None and found.trees.candidate is not None:
            require_indifferent(
                found.before,
                found.project,
                base=found.trees.baseline,
                head=found.trees.candidate,
                workers=workers,
                sandbox=sandbox,
                listen=listen,
            )
            require_held(
                found.before, found.project, found.trees.baseline, workers=workers, sandbox=sandbox, listen=listen
            )
        return audit(
            found.project,
            found.trees,
            workers=workers,
            sandbox=sandbox,
            today=today,
            listen=listen,
            patch=found.patch,
            commits=commits,
        )


@contextmanager
def trees_of_commits(root: Path, commits: Commits, *, listen: Listener) -> Iterator[tuple[Project, Trees]]:
    """Project and trees of `examined_commits`, for callers that judge nothing."""
    with examined_commits(root, commits, listen=listen) as found:
        yield found.project, found.trees


@contextmanager
def examined_commits(root: Path, commits: Commits, *, listen: Listener) -> Iterator[Examined]:
    """The trees of both commits as plain folders, and the project that judges them.

    Of the work tree nothing is read but its freeze set (`gate.pipeline.votes`); that it has changes is only told. Nothing is written
    before the patch is known to be one that may be judged; then the trees lie below `root/.gate` until the block ends. An error
    raised in the block names files as git does (`main:gate/policy.json`). Raises GateError.
    """
    here = root.resolve()
    found = find_range(here, commits)
    if has_uncommitted(found.repository, found.inside, beside=STATE):
        listen(
            Remark(text="note: the work tree has changes that are not committed; they are not judged, the commits are")
        )
    make_state(here / STATE)
    with _folder_of_our_own(here / STATE) as folder:
        base = write_tree(found.repository, found.base, under=folder).folder
        head = None if found.head is None else write_tree(found.repository, found.head, under=folder).folder
        refs = {base: commits.base} | ({} if head is None else {head: str(commits.head)})
        with _naming(refs, judge=_judging_ref(commits, found.patch), patch=found.patch):
            yield _examined(found, base, head, home=here, listen=listen)


def _examined(found: Range, base: Path, head: Path | None, *, home: Path, listen: Listener) -> Examined:
    project = replace(load_project(base / found.inside), home=home)
    trees = Trees(baseline=base, candidate=head)
    if found.patch is None or head is None or found.patch.kind == "product":
        return Examined(project=project, trees=trees, patch=found.patch)
    later = replace(load_project(head / found.inside), home=home)
    patch = replace(
        found.patch,
        repaired=_require_repairs(project, later),
        new_policy_entries=_new_entries(project, later),
        changes=judge_changes(project, later, found.patch.judge, base=base, head=head),
    )
    for text in judge_remarks(patch):
        listen(Remark(text=text))
    return Examined(project=later, trees=trees, patch=patch, before=project)


def judge_remarks(patch: Patch) -> tuple[str, ...]:
    """What a person should read of a judge patch: what is done, its control changes, all that it changes and allows, in full."""
    files = "1 file" if len(patch.judge) == 1 else f"{len(patch.judge)} files"
    told = [
        f"note: the patch changes the judge alone ({files}): the program is held against itself under the new judge"
    ]
    if patch.changes:
        told.append("\n  ".join(("note: changes of the judge, for a person to read:", *patch.changes)))
    if patch.control:
        told.append(f"note: it changes control files, too: {', '.join(map(shown, patch.control))}")
    if patch.new_policy_entries:
        entries = render_policy(Policy(entries=patch.new_policy_entries)).decode()
        told.append(
            f"note: the patch allows what was not allowed ({len(patch.new_policy_entries)} new):\n{entries.rstrip()}"
        )
    return tuple(told)


def _new_entries(old: Project, new: Project) -> tuple[Entry, ...]:
    """The entries of the new policy that the old one has not, word for word. Where the old one cannot be used, all are new."""
    try:
        before = read_policy(old.policy_file, missing_ok=True).entries
    except PolicyError:
        before = ()
    return tuple(entry for entry in read_policy(new.policy_file, missing_ok=True).entries if entry not in before)


def _require_repairs(old: Project, new: Project) -> tuple[str, ...]:
    """The names that left the freeze set. Raises IntegrityError where one has no evidence of a repair, and where the file of a
    frozen property is gone: under another name it would be another property, and vote."""
    before, after = read_freeze_set(old.freeze_file), read_freeze_set(new.freeze_file)
    for name in before.names:
        if _has_property(old, name) and not _has_property(new, name):
            raise IntegrityError(
                f"property {name!a} is frozen, and the patch takes its file test_{name}.py away: a frozen property may not be deleted "
                "or renamed; repair it first",
                next_step=f"Restore the file, mend the property, and give its vote back: gate repair {name} --owner … --note …",
            )
    left = removed(before, after)
    if left:
        require_evidence(before, after, repairs=new.repairs, judge=standing(new), old_repairs=old.repairs)
    return tuple(entry.name for entry in left)


def _has_property(project: Project, name: str) -> bool:
    return (project.properties / f"test_{name}.py").is_file()


def _judging_ref(commits: Commits, patch: Patch | None) -> str:
    return str(commits.head) if patch is not None and patch.kind == "judge" else commits.base


@contextmanager
def _folder_of_our_own(state: Path) -> Iterator[Path]:
    """A fresh folder for trees, gone afterwards. What killed runs left is removed first: nobody holds its lock."""
    for old in state.glob(f"{_TREES}*"):
        with suppress(OSError), _locked(old):
            shutil.rmtree(old, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=_TREES, dir=state))
    try:
        with _locked(folder):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which ends with the process. Raises BlockingIOError where another one holds it."""
    import fcntl  # noqa: PLC0415 - Windows has none, and is to be refused in our own words

    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


@contextmanager
def _naming(refs: Mapping[Path, str], *, judge: str, patch: Patch | None) -> Iterator[None]:
    """Let an error name a commit's files by its ref: the folder that they lie in will be gone."""
    try:
        yield
    except GateError as error:
        before = error.what
        for folder, ref in refs.items():
            error.what = error.what.replace(f"{folder}/", f"{ref}:").replace(str(folder), f"the tree of {ref}")
            error.next_step = error.next_step.replace(f"{folder}/", f"{ref}:")
        if error.what == before and isinstance(error, DriftError | PinsError):
            error.what = f"commit {judge}: {before}"
        if isinstance(error, DriftError) and patch is not None and patch.kind == "judge":
            error.next_step = f"Pin the new judge in this patch: run gate pin at {judge}, and commit what it writes."
        error.args = (error.what,)
        raise
