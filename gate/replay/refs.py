"""Trees of a git repository at a ref, written out as plain folders.

A plain folder rather than a linked work tree: what is built and replayed there must not reach the real repository through a
`.git` file (reported fault 18), and an interrupted run leaves nothing to prune.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gate.errors import BuildError

_LITERAL = {"GIT_LITERAL_PATHSPECS": "1"}
"""A path is a path, whatever stars it has in its name."""

_SUBMODULE = "160000 "
"""How an entry of a tree begins that is another repository's commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A commit's tree, written out."""

    commit: str
    """The full commit id."""
    folder: Path


def git_environment() -> dict[str, str]:
    """The caller's environment without `GIT_*`: a hook's `GIT_DIR` must not choose the repository."""
    return {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}


def repository_root(inside: Path) -> Path:
    """The top of the work tree that `inside` lies in. Raises BuildError where there is none."""
    return Path(
        _git(
            inside, "rev-parse", "--show-toplevel", next_step="Run in a git repository, or compare two folders instead."
        ).strip()
    )


def commit_of(repository: Path, ref: str) -> str:
    """The commit that `ref` names. Never falls back to another (reported fault 152). Raises BuildError."""
    return _git(
        repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}",
        complaint=f"{ref}: no such commit in {repository}",
        next_step="Name a commit that is there; in CI fetch the base first (fetch-depth: 0).",
    ).strip()  # fmt: skip


def write_tree(repository: Path, ref: str, *, under: Path) -> Tree:
    """Write out the tree of `ref` to `under/<commit>`. Raises BuildError, also for a tree with submodules: they are not in it."""
    commit = commit_of(repository, ref)
    _refuse_submodules(repository, commit)
    folder = under / commit
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="gate-index-") as scratch:
        index = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
        _git(repository, "read-tree", commit, env=index)
        _git(repository, "checkout-index", "--all", "--force", f"--prefix={folder}/", env=index)
    return Tree(commit=commit, folder=folder)


def _refuse_submodules(repository: Path, commit: str) -> None:
    """A submodule is a commit id and no files: both sides would miss it alike."""
    for entry in _git(repository, "ls-tree", "-r", "--full-tree", "-z", commit).split("\0"):
        kind, _, path = entry.partition("\t")
        if kind.startswith(_SUBMODULE):
            raise BuildError(
                f"commit {commit[:12]} has a submodule at {path}, whose files it does not hold",
                next_step="Check out both commits with their submodules, and name the two folders: --baseline, --candidate.",
            )


def holds(repository: Path, commit: str, path: Path) -> bool:
    """Whether the commit's tree has something at `path`, relative to the repository. Raises BuildError."""
    named = _git(repository, "ls-tree", "--full-tree", "-z", "--name-only", commit, "--", str(path), env=_LITERAL)
    return bool(named)


def has_uncommitted(repository: Path, folder: Path, *, beside: str) -> bool:
    """Whether the work tree differs from its commit, new files that are not ignored among it. Raises BuildError.

    What stands at `beside` in `folder` (relative to the repository) does not count. Nothing is written, not even git's own index.
    """
    told = _git(
        repository, "--no-optional-locks", "status", "--porcelain", "--", ".", f":(exclude,literal){folder / beside}"
    )
    return bool(told)


def _git(
    folder: Path,
    *words: str,
    env: dict[str, str] | None = None,
    complaint: str = "",
    next_step: str = "Mend the repository and run again.",
) -> str:
    try:
        answer = subprocess.run(
            ["git", "-C", str(folder), *words],
            env={**git_environment(), **(env or {})},
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise BuildError("git is not installed", next_step="Install git, or compare two folders instead.") from None
    if answer.returncode != 0:
        told = answer.stderr.decode("utf-8", "replace").strip()
        raise BuildError(complaint or f"git {words[0]} in {folder}: {told}", next_step=next_step)
    return os.fsdecode(answer.stdout)
