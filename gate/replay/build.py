"""Making a build of a tree: each side in its own copy, built at the path where it will be replayed."""

from __future__ import annotations

import errno
import fnmatch
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from gate.config.model import Build
from gate.diff.escape import escaped, escaped_name
from gate.errors import BuildError
from gate.hashing.framing import framed_digest
from gate.hashing.pack import OWN_NAMES, scan_tree
from gate.replay.keeper import end, kept
from gate.replay.sandbox import NO_SANDBOX, Sandbox
from gate.replay.sandbox_hidden import home_apart
from gate.replay.sandbox_layout import program_places, tool_folders

SideName = Literal["baseline", "candidate"]

_LOG_TAIL = 12
_NOT_FOUND = 127
"""What a shell and a sandbox end with where a program is missing: no network would have helped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One side before it is built."""

    side: SideName
    tree: Path
    digest: str
    """Digest of the tree as given, `OWN_NAMES` apart."""


def read_source(side: SideName, tree: Path) -> Source:
    """The side whose tree stands in `tree`. Raises BuildError where there is none, or an empty one."""
    if not tree.is_dir():
        raise BuildError(
            f"{side}: expected a folder at {tree}, found {'a file' if tree.exists() else 'nothing'}",
            next_step=f"Name the folder that holds the {side} build with --{side}.",
        )
    pack = scan_tree(tree)
    if not pack.entries:
        raise BuildError(
            f"{side}: expected a program in {tree}, found an empty folder",
            next_step=f"Name the folder that holds the {side} build with --{side}.",
        )
    return Source(side=side, tree=tree.resolve(), digest=pack.digest)


def interpreter() -> str:
    """What `{python}` stands for: the interpreter under the gate's own environment.

    The base interpreter, not the gate's virtual environment: what is installed beside the gate must not leak into both sides.
    """
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def expand(word: str, *, build: Path) -> str:
    """A configured word with `{build}` and `{python}` filled in."""
    return word.replace("{build}", str(build)).replace("{python}", interpreter())


def build_key(source: Source, build: Build, *, at: Path, sandbox: Sandbox = NO_SANDBOX) -> str:
    """The digest under which a build is cached: the tree, how it is built, what it sees, and where it stands.

    Builds hold absolute paths. Of the environment the values count, too: one of them may choose what is built. So may what a
    sandbox keeps out; which kind of sandbox does not.
    """
    seen = build_environment(os.environ, build.pass_env, home=at) if build.command else {}
    walls = ("sandbox-3" if build.network else "sandbox-2", build.network) if build.command and sandbox.active else ()
    told = (source.digest, str(at), interpreter(), build.command, tuple(sorted(seen.items())), *walls)
    return framed_digest("gate-build-1", told).rpartition(":")[2]


def make_build(
    source: Source,
    build: Build,
    *,
    parked: Path,
    place: Path,
    home: Path,
    log: Path,
    sandbox: Sandbox = NO_SANDBOX,
) -> None:
    """Copy the tree of `source` to `parked` and, where there is a build command, run it there while it stands at `place`.

    In a sandbox it writes to `place` and `home` alone, and has a network only with `build.network`. What has one does not see the
    user's home, but for programs of PATH and what passed variables name: it could send it.

    Raises BuildError when the command fails; its output is kept in `log`.
    """
    shutil.rmtree(parked, ignore_errors=True)
    skipped = {os.fsdecode(name) for name in OWN_NAMES}

    def outside(folder: str, names: list[str]) -> set[str]:
        return skipped.intersection(names) if Path(folder) == source.tree else set()

    shutil.copytree(source.tree, parked, symlinks=True, ignore=outside)
    if build.command:
        with standing(parked, at=place):
            _run(source.side, build, place=place, home=home, log=log, sandbox=sandbox)


@contextmanager
def standing(parked: Path, *, at: Path) -> Iterator[None]:
    """Let the parked build stand at the replay path while the block runs. Both sides take turns at one path.

    Meanwhile nobody but root looks into the folder in which the other side waits, where that is one of its own.
    """
    parked.rename(at)
    shut = parked.parent != at.parent
    try:
        if shut:
            parked.parent.chmod(0)
        yield
    finally:
        if shut:
            parked.parent.chmod(0o700)
        at.rename(parked)


def _run(side: SideName, build: Build, *, place: Path, home: Path, log: Path, sandbox: Sandbox) -> None:
    argv = [expand(word, build=place) for word in build.command]
    shutil.rmtree(home, ignore_errors=True)  # nothing that the other side's build left may reach this one
    home.mkdir(parents=True)
    log.parent.mkdir(parents=True, exist_ok=True)
    env = build_environment(os.environ, build.pass_env, home=home)
    if is_missing(argv[0], place=place, path=env["PATH"]):
        raise _cannot_start(side, argv[0], os.strerror(errno.ENOENT))
    named: tuple[Path, ...] = ()
    if build.network and sandbox.active:
        passed = (text for name, text in env.items() if os.environ.get(name) == text)
        apart, named = home_apart(sandbox.hidden, passed)
        sandbox = replace(sandbox, hidden=(*sandbox.hidden, *apart))
    tools = (
        *tool_folders(env["PATH"].split(os.pathsep), hidden=sandbox.hidden),
        *program_places(argv[:1], apart=place, hidden=sandbox.hidden),
        *named,
    )
    with log.open("wb") as output:
        try:
            process = subprocess.Popen(
                sandbox.wrap(argv, writable=[place, home], readable=tools, network=build.network)
                if sandbox.active
                else kept(argv),
                cwd=place,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise _cannot_start(side, argv[0], error.strerror) from error
        status = _wait(process, build.timeout)
    if status != 0:
        ended = f"took longer than {build.timeout:g} s" if status is None else f"ended with {status}"
        raise BuildError(
            f"{side}: the build {ended}: {escaped_name(' '.join(build.command))}\n{_tail(log)}",
            next_step=f"Nothing was compared. The whole output is in {log}." + _about_network(build, sandbox, status),
        )


def _cannot_start(side: SideName, word: str, why: str | None) -> BuildError:
    return BuildError(
        f"{side}: the build command cannot start: {escaped_name(word)}: {why}",
        next_step="Mend build.command in gate.toml, or install what it needs.",
    )


def is_missing(word: str, *, place: Path, path: str) -> bool:
    """Whether the first word of a command names no program: one on `path`, or with a slash a file seen from `place`."""
    if "/" in word:
        return not (place / word).exists()
    return shutil.which(word, path=path) is None


def _about_network(build: Build, sandbox: Sandbox, status: int | None) -> str:
    if not sandbox.active or build.network or status == _NOT_FOUND:
        return ""
    return " The sandbox gave it no network: build.network = true in gate.toml would."


def _wait(process: subprocess.Popen[bytes], timeout: float) -> int | None:
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        end(process)


def _tail(log: Path) -> str:
    """The last lines of what a build printed: whatever it prints, a terminal shows it and does not obey."""
    lines = log.read_bytes()[-8192:].splitlines()
    return "\n".join(f"  | {escaped(line)}" for line in lines[-_LOG_TAIL:])


def build_environment(caller: Mapping[str, str], pass_env: tuple[str, ...], *, home: Path) -> dict[str, str]:
    """The environment of a build: the caller's PATH, what `pass_env` names, a home of its own; no `GIT_*`, no tokens."""
    passed = {
        name: text
        for name, text in caller.items()
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in pass_env) and not name.startswith("GIT_")
    }
    fixed = {
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PATH": caller.get("PATH", os.defpath),
        "HOME": str(home),
        "TMPDIR": str(home),
    }
    return {**fixed, **passed}
