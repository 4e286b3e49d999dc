"""Calling git so that nothing but the repository decides what it answers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from gate.errors import BuildError

FOLDERS = "or compare two folders instead: --baseline, --candidate."
"""How a next step ends where commits cannot be judged."""

_SETTINGS = (
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.commitGraph=false", "core.warnAmbiguousRefs=true",
    "core.attributesFile=/dev/null", "core.quotePath=false", "protocol.allow=never", "safe.bareRepository=explicit",
)  # fmt: skip
"""No program that the repository's configuration names, no cached history, no network, and no bare repository that is met on the way:
a commit may hold one in a folder of the project, with a history and a configuration of its own."""

OLDEST = (2, 38)
"""The first git that knows `safe.bareRepository`; older ones pass it by without a word."""

_VERSION = re.compile(r"git version (\d+)\.(\d+)")

_VARIABLES = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ATTR_NOSYSTEM": "1",
    "LC_ALL": "C",
}
"""Neither `git replace` nor a graft swaps a commit, nothing is fetched or asked for, nothing is written, and complaints are in English."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a git command said."""

    status: int
    output: bytes
    complaint: str
    """Standard error, without blanks at its ends."""


def git_environment() -> dict[str, str]:
    """The caller's environment without `GIT_*`: a hook's `GIT_DIR` must not choose the repository (reported fault 18)."""
    return {name: text for name, text in os.environ.items() if not name.startswith("GIT_")} | _VARIABLES


def find_git() -> str | None:
    """The absolute path of the git in the absolute folders of PATH; None where there is none."""
    folders = [folder for folder in os.get_exec_path() if Path(folder).is_absolute()]
    return shutil.which("git", path=os.pathsep.join(folders)) if folders else None


@cache
def git_program() -> str:
    """The absolute path of git, looked up once and in absolute folders of PATH only (reported fault 92). Raises BuildError."""
    if (found := find_git()) is None:
        raise BuildError("git is not installed", next_step=f"Install git, {FOLDERS}")
    return found


def require_recent_git() -> None:
    """Raise BuildError for a git older than `OLDEST`, and for one that does not tell its version."""
    said = _version(git_program())
    found = _VERSION.match(said)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        raise BuildError(
            f"{git_program()}: expected git {OLDEST[0]}.{OLDEST[1]} or newer, got {said[:60]!r}",
            next_step="Install a newer git: an older one takes a repository that a patch committed for the real one; "
            + FOLDERS,
        )


@cache
def _version(program: str) -> str:
    try:
        done = subprocess.run([program, "version"], env=git_environment(), capture_output=True, check=False)
    except OSError as error:
        raise _unstartable(program, error) from error
    return done.stdout.decode("utf-8", "replace").strip()


def _unstartable(program: str, error: OSError) -> BuildError:
    return BuildError(f"{program}: expected to start git, got: {error.strerror}", next_step=f"Install git, {FOLDERS}")


def ask(
    folder: Path, *words: str, env: dict[str, str] | None = None, given: bytes = b"", kept: IO[bytes] | None = None
) -> Answer:
    """Run git in `folder` and give its answer, whatever its status; `given` is its standard input.

    With `kept` the output goes there, and `Answer.output` is empty. Raises BuildError where git cannot be started.
    """
    settings = (word for setting in _SETTINGS for word in ("-c", setting))
    try:
        done = subprocess.run(
            [git_program(), "-C", str(folder), *settings, *words],
            env={**git_environment(), **(env or {})},
            input=given,
            stdout=subprocess.PIPE if kept is None else kept,
            stderr=subprocess.PIPE,
            check=False,
        )
    except OSError as error:
        raise _unstartable(git_program(), error) from error
    complaint = done.stderr.decode("utf-8", "replace").strip()
    return Answer(status=done.returncode, output=done.stdout or b"", complaint=complaint)


def told(folder: Path, *words: str, env: dict[str, str] | None = None, given: bytes = b"") -> bytes:
    """What git prints. Raises BuildError with git's own complaint when it fails."""
    answer = ask(folder, *words, env=env, given=given)
    if answer.status != 0:
        raise failure(folder, words[0], answer.complaint)
    return answer.output


def failure(folder: Path, command: str, complaint: str) -> BuildError:
    """A complaint of git as an error of ours; those that have a known cure name it."""
    next_step = "Mend the repository and run again."
    if "dubious ownership" in complaint:
        return BuildError(
            f"{folder}: git refuses the repository: it belongs to another user",
            next_step=f"Run as its owner, or trust it: git config --global --add safe.directory {folder}",
        )
    if "cannot use bare repository" in complaint:
        return BuildError(
            f"{folder}: expected a work tree, found a bare repository",
            next_step="Clone it, or add a work tree (git worktree add), and run there. Where a commit brought it into a folder of the "
            "project (HEAD, objects, refs), it stands in for the real one: remove it.",
        )
    if "must be run in a work tree" in complaint:
        return BuildError(
            f"{folder}: expected a work tree, found a bare repository",
            next_step="Clone it, or add a work tree (git worktree add), and run there.",
        )
    if "not a git repository" in complaint:
        next_step = f"Run in a git repository, {FOLDERS}"
    if "promisor" in complaint or "not allowed" in complaint:
        next_step = "The clone is partial, and the gate fetches nothing: clone without --filter."
    first = complaint.splitlines()[0] if complaint else "failed"
    return BuildError(f"git {command} in {folder}: {first}", next_step=next_step)
