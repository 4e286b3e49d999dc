"""Whose `.gate` it is: what a machine keeps between runs must come from this machine, never from a commit."""

from __future__ import annotations

import os
from pathlib import Path

from gate.errors import IntegrityError
from gate.files import write_atomically
from gate.hashing.names import shown
from gate.replay.git import ask, failure, find_git

STATE = ".gate"
"""The folder's name, at the top of the project."""

REMOVE = (
    f"Remove it (git rm -r --cached {STATE}), and ignore it: it holds what this machine keeps, and a committed one would bring the builds "
    "and traces that it is judged by."
)


def require_own_state(state: Path) -> None:
    """Raise IntegrityError where the folder `state` is a link, or where git tracks files in it; a missing one is fine.

    Outside of a work tree, and without git, there is nothing to ask. Raises BuildError where git cannot answer.
    """
    if state.is_symlink():
        raise IntegrityError(
            f"{state}: expected a folder of this machine, found a symbolic link",
            next_step="Remove the link: the gate makes the folder when it needs it.",
        )
    if (tracked := _tracked(state)) is not None:
        raise IntegrityError(
            f"{state}: expected a folder that git does not track, but {shown(tracked)} is tracked", next_step=REMOVE
        )


def make_state(state: Path) -> None:
    """Make the folder `state` where it is missing, and let git pass it by from then on. Raises as `require_own_state`, and OSError."""
    require_own_state(state)
    state.mkdir(parents=True, exist_ok=True)
    ignore = state / ".gitignore"
    if not ignore.exists():
        write_atomically(ignore, b"*\n")


def _tracked(state: Path) -> bytes | None:
    """A file that git tracks there, in any letter case, relative to the project.

    The repository is named rather than found by git: one that a commit brought as plain files is never asked.
    """
    project = state.parent.absolute()
    top = next((folder for folder in (project, *project.parents) if os.path.lexists(folder / ".git")), None)
    if top is None or not state.exists() or find_git() is None:
        return None
    place = (f"--git-dir={top / '.git'}", f"--work-tree={top}")
    answer = ask(project, *place, "ls-files", "-z", "--", f":(icase){state.name}")
    if answer.status != 0 and "not a git repository" not in answer.complaint:
        raise failure(project, "ls-files", answer.complaint)
    return answer.output.split(b"\0")[0] or None
