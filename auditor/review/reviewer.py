"""Who decides: a name that a person gave, to git or on the command line."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from auditor.errors import ReviewError
from auditor.suggestions.plain import plain, shows_itself

MAX_NAME = 200
_NEXT_STEP = "Say who decides: --reviewer NAME, or git config user.name NAME"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewer:
    """The person whose name stands in what is decided."""

    name: str
    source: str
    """Where the name is from, for the person to see: `git config user.name`, `--reviewer`."""


def find_reviewer(given: str | None, project_root: Path) -> Reviewer:
    """The reviewer: `given`, else what git has for the project. Raises ReviewError when there is no name, or one that cannot be read."""
    source = "git config user.name" if given is None else "--reviewer"
    name = (_from_git(project_root) if given is None else given).strip()
    if not name:
        raise ReviewError(f"{source}: expected the name of a reviewer, got none", next_step=_NEXT_STEP)
    if len(name) > MAX_NAME or not shows_itself(name):
        raise ReviewError(
            f"{source}: expected a name of at most {MAX_NAME} characters that show themselves, got {plain(name[:MAX_NAME])}",
            next_step=_NEXT_STEP,
        )
    return Reviewer(name=name, source=source)


def _from_git(project_root: Path) -> str:
    try:
        done = subprocess.run(
            ["git", "config", "--get", "user.name"],
            cwd=project_root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError:
        return ""
    return done.stdout.decode("utf-8", "replace")
