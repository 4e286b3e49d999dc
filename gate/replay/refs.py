"""Commits of a git repository by name, and how they stand to each other."""

from __future__ import annotations

import os
import re
from pathlib import Path

from gate.errors import BuildError
from gate.replay.git import FOLDERS, ask, failure, git_program, require_recent_git, told

DEEPEN = "The clone is shallow: git fetch --unshallow, or git fetch --deepen=100; in GitHub Actions give checkout fetch-depth: 0."
"""What mends a history that was cut off (reported fault 151)."""

_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ZEROS = re.compile(r"0{40}|0{64}")
_NOT_A_NAME = (
    (re.compile(r"-"), "an option"),
    (re.compile(r".*\.\."), "a range"),
    (re.compile(r"\^|.*\^[@!-]"), "a range"),
    (re.compile(r".*(:|\^\{/)"), "a search or a path"),
    (re.compile(r".*[\s\x00-\x1f\x7f]", re.DOTALL), "blanks or control characters"),
)
"""What git reads from such words is not the one commit that somebody named."""


def repository_root(inside: Path) -> Path:
    """The top of the work tree that `inside` lies in; a linked work tree is one. Raises BuildError where there is none."""
    require_recent_git()
    root = Path(os.fsdecode(told(inside, "rev-parse", "--show-toplevel").removesuffix(b"\n"))).resolve()
    if not inside.resolve().is_relative_to(root):
        raise BuildError(
            f"{inside}: expected a folder of its repository, whose work tree is {root}",
            next_step="Run in that work tree: core.worktree of the repository's configuration names it.",
        )
    if Path(git_program()).resolve().is_relative_to(root):
        raise BuildError(
            f"{git_program()}: expected git from outside of the repository that is judged",
            next_step="Take the repository's folders out of PATH.",
        )
    return root


def commit_of(repository: Path, ref: str) -> str:
    """The full id of the commit that `ref` names. Never falls back to another (reported fault 152).

    Raises BuildError for what names no commit or more than one: nothing, an option, a range, a search, a branch and a tag alike.
    A full id is that id, whatever branch is spelled so.
    """
    _refuse_no_name(ref)
    answer = ask(repository, "rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}")
    found = os.fsdecode(answer.output).strip()
    if "is ambiguous" in answer.complaint and not (_ID.fullmatch(ref) and len(ref) == len(found)):
        raise BuildError(
            f"{ref}: expected one commit, but several names in {repository} are spelled so",
            next_step=f"Name it in full, e.g. refs/heads/{ref}, or by its id.",
        )
    if answer.status == 0 and _ID.fullmatch(found):
        return found
    if "dubious ownership" in answer.complaint:
        raise failure(repository, "rev-parse", answer.complaint)
    fetch = "Name a commit that is there; in CI fetch the base first (fetch-depth: 0)."
    raise BuildError(f"{ref}: no such commit in {repository}", next_step=DEEPEN if is_shallow(repository) else fetch)


def _refuse_no_name(ref: str) -> None:
    if not ref:
        raise BuildError(
            "expected the name of a commit, got an empty one",
            next_step="In CI the variable was not set, or the event has no such field: docs/git.md has the fields. It never means HEAD.",
        )
    if _ZEROS.fullmatch(ref):
        raise BuildError(
            f"expected the name of a commit, got {len(ref)} zeros: CI systems give them where a branch had no commit before",
            next_step="Name the commit that the branch starts from: git merge-base main HEAD.",
        )
    for pattern, kind in _NOT_A_NAME:
        if pattern.match(ref):
            raise BuildError(
                f"expected the name of one commit, got {kind}: {ref!r}", next_step="Name a branch, a tag or an id."
            )


def is_shallow(repository: Path) -> bool:
    """Whether the history was cut off by the clone. Raises BuildError."""
    return told(repository, "rev-parse", "--is-shallow-repository").strip() == b"true"


def tree_id(repository: Path, commit: str) -> str:
    """The id of the commit's tree. Raises BuildError."""
    return told(repository, "rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}").decode().strip()


def require_ancestor(repository: Path, base: str, head: str, *, named: tuple[str, str]) -> None:
    """Raise BuildError unless the commit `head` was made on top of `base`; both are full ids, `named` is how a person calls them.

    Otherwise what the base gained meanwhile would look like taken back by the patch. A commit counts as its own ancestor.
    """
    answer = ask(repository, "merge-base", "--is-ancestor", base, head)
    if answer.status == 0:
        return
    if answer.status != 1:
        raise failure(repository, "merge-base", answer.complaint)
    what = f"{named[0]} is not an ancestor of {named[1]}"
    if ask(repository, "merge-base", "--is-ancestor", head, base).status == 0:
        raise BuildError(
            f"{what}: it is the other way round, and {named[1]} has no commit that {named[0]} lacks",
            next_step=f"Swap them where they were confused: --base {named[1]} --head {named[0]}. Otherwise the patch is merged already.",
        )
    if is_shallow(repository):
        raise BuildError(
            f"it cannot be known whether {what.replace('is not', 'is')}: the history is cut off", next_step=DEEPEN
        )
    shared = merge_bases(repository, base, head)
    if not shared:
        raise BuildError(
            f"{what}: the two share no history", next_step=f"Name a commit that the patch was made on, {FOLDERS}"
        )
    if len(shared) > 1:
        raise BuildError(
            f"{what}: they were merged crosswise, and the patch starts from {len(shared)} commits",
            next_step=f"Merge {named[0]} into {named[1]} and run again.",
        )
    raise BuildError(
        f"{what}: {named[0]} has moved on since the patch was begun",
        next_step=f"Judge it from where it was begun, or merge {named[0]} into it first: --base {shared[0]}",
    )


def merge_bases(repository: Path, base: str, head: str) -> tuple[str, ...]:
    """The best common ancestors of two commits; none where they share no history. Raises BuildError."""
    answer = ask(repository, "merge-base", "--all", base, head)
    if answer.status not in (0, 1):
        raise failure(repository, "merge-base", answer.complaint)
    return tuple(answer.output.decode().split())


def has_uncommitted(repository: Path, folder: Path, *, beside: str) -> bool:
    """Whether the work tree differs from its commit, new files that are not ignored among it. Raises BuildError.

    What stands at `beside` in `folder` (relative to the repository) does not count. Nothing is written, not even git's own index,
    and no filter is run: a file with one (Git LFS) may be told as changed where only its time is new. Submodules are not looked into.
    """
    words = ("status", "--porcelain", "--ignore-submodules=all", "--", ".", f":(exclude,literal){folder / beside}")
    return bool(told(repository, *words, env=_without_filters(repository)))


def _without_filters(repository: Path) -> dict[str, str]:
    """Variables that empty every filter which any configuration names: `git status` would run it on the files of the patch."""
    answer = ask(repository, "config", "--null", "--name-only", "--get-regexp", r"^filter\.")
    if answer.status not in (0, 1):
        raise failure(repository, "config", answer.complaint)
    names = sorted({os.fsdecode(key).rpartition(".")[0] for key in answer.output.split(b"\0") if key.count(b".") > 1})
    settings = [
        (f"{name}.{key}", text)
        for name in names
        for key, text in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
    ]
    variables = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, text) in enumerate(settings):
        variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": text}
    return variables
