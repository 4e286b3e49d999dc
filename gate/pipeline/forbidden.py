"""What no commit may hold: the gate's own `.gate`, and names that only some file system takes for the judge's."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from gate.errors import IntegrityError
from gate.hashing.names import shown
from gate.pipeline.integrity import folded, roots_of
from gate.replay.git_state import REMOVE, STATE
from gate.replay.git_tree import TreeEntry


def state_paths(place: PurePosixPath) -> tuple[str, ...]:
    """Where no commit may hold `.gate`: beside `gate.toml` (in the folder `place`), and at the repository's top, where builds lose it."""
    return tuple(sorted({STATE, (place / STATE).as_posix()}))


def refuse_state(entries: Iterable[TreeEntry], place: PurePosixPath, *, ref: str) -> None:
    """Raise IntegrityError where a commit holds `.gate` or anything in it, of any kind and in any letter case.

    It would bring the kept builds and traces that it is judged by.
    """
    roots = roots_of(state_paths(place))
    for entry in entries:
        name = folded(entry.path)
        if any(name == root or name.startswith(f"{root}/") for root in roots):
            raise IntegrityError(
                f"commit {ref} holds {shown(entry.path)}: expected no {STATE}, which is for what a machine keeps between runs",
                next_step=REMOVE,
            )


def refuse_twins(entries: Iterable[TreeEntry], paths: tuple[str, ...], *, ref: str) -> None:
    """Raise IntegrityError where a name is one of the judge's `paths` (files and folders), or lies in one, on some file systems only.

    There it would be written over the judge's file, or beside it; elsewhere nobody reads it.
    """
    names = tuple(zip(paths, roots_of(paths), strict=True))
    for entry in entries:
        name, spelled = folded(entry.path), entry.path.decode("utf-8", "surrogateescape")
        for exact, root in names:
            if root != "." and _meets(name, root) and not _meets(spelled, exact):
                raise IntegrityError(
                    f"commit {ref}: {shown(entry.path)}: expected the name {exact!r} spelled so, or another name: "
                    "on some file systems they are one",
                    next_step="Rename it, or give the judge another folder in gate.toml.",
                )


def _meets(path: str, root: str) -> bool:
    """Whether `path` is `root`, lies in it, or stands above it."""
    return path == root or path.startswith(f"{root}/") or root.startswith(f"{path}/")
