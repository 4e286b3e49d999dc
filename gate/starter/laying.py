"""Writing a started project: nothing that is there is overwritten, and of what is new all is written or nothing."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gate.errors import StarterError
from gate.files import write_atomically

IGNORED = ".gate/"
_SAME = frozenset({b".gate", b".gate/", b"/.gate", b"/.gate/"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """What became of the files."""

    written: tuple[str, ...]
    """Relative to the project, in the order in which they were given."""
    kept: tuple[str, ...]
    """Those that were there already, untouched."""


def plan(root: Path, files: Mapping[str, bytes]) -> Laid:
    """What `lay` would do. Raises StarterError where a folder on the way to a file is a link or a file."""
    for name in files:
        for folder in list((root / name).relative_to(root).parents)[:-1]:
            place = root / folder
            if place.is_symlink() or (place.exists() and not place.is_dir()):
                raise StarterError(
                    f"{folder}: expected a folder of the project, found {'a link' if place.is_symlink() else 'a file'}",
                    next_step="Nothing was written. Move it away, and run gate init again.",
                )
    there = tuple(name for name in files if os.path.lexists(root / name))
    return Laid(written=tuple(name for name in files if name not in there), kept=there)


def lay(root: Path, files: Mapping[str, bytes]) -> Laid:
    """Write the files that are not there. Raises OSError; then none of them is left, nor a folder that was made for them.

    A folder that is not there, or is empty, gets all its files at once, whenever this process is ended: half a pack would be taken for
    a whole one.
    """
    planned = plan(root, files)
    made: list[Path] = []
    try:
        for folder, names in _groups(root, planned.written).items():
            if folder is None:
                _lay_each(root, {name: files[name] for name in names}, made)
            else:
                _lay_whole(folder, {(root / name).relative_to(folder): files[name] for name in names}, made)
    except BaseException:
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise
    return planned


def _groups(root: Path, names: Sequence[str]) -> dict[Path | None, list[str]]:
    """The files by the outmost folder of each that is new; those without one last."""
    groups: dict[Path | None, list[str]] = {}
    for name in names:
        inside = [root / folder for folder in reversed(Path(name).parents[:-1])]
        groups.setdefault(next((folder for folder in inside if _is_new(folder)), None), []).append(name)
    alone = groups.pop(None, [])
    return groups | ({None: alone} if alone else {})


def _is_new(folder: Path) -> bool:
    return not os.path.lexists(folder) or not any(folder.iterdir())


def _lay_each(root: Path, files: Mapping[str, bytes], made: list[Path]) -> None:
    for name, data in files.items():
        made.append(root / name)
        write_atomically(root / name, data)


def _lay_whole(folder: Path, files: Mapping[Path, bytes], made: list[Path]) -> None:
    """Write the files of a new folder beside it, then let it take its name. Of an empty one that was there its place is kept."""
    with tempfile.TemporaryDirectory(
        prefix=f".{folder.name}.", dir=folder.parent, ignore_cleanup_errors=True
    ) as beside:
        whole = Path(beside) / folder.name
        whole.mkdir()
        for name, data in files.items():
            write_atomically(whole / name, data)
        if not os.path.lexists(folder):
            made.append(folder)
        whole.rename(folder)
        made += sorted(
            (folder / above for name in files for above in (name, *name.parents[:-1])), key=lambda path: len(path.parts)
        )


def in_git(root: Path) -> bool:
    """Whether a folder lies in a work tree of git."""
    return any((folder / ".git").exists() for folder in (root, *root.parents))


def ignoring(root: Path) -> bytes | None:
    """What `.gitignore` in `root` has to hold so that git leaves `.gate/` alone; None where it does, and outside of git.

    Raises StarterError where it is no file of its own (a link, a folder, a pipe): it is neither read nor written then.
    """
    if not in_git(root):
        return None
    file = root / ".gitignore"
    there = os.path.lexists(file)
    if there and (file.is_symlink() or not file.is_file()):
        kind = "a link" if file.is_symlink() else "a folder" if file.is_dir() else "something that is no file"
        raise StarterError(
            f".gitignore: expected a file, found {kind}",
            next_step=f"Have git ignore {IGNORED} yourself: it is no part of the project.",
        )
    present = file.read_bytes() if there else b""
    if _SAME.intersection(line.strip() for line in present.splitlines()):
        return None
    gap = b"" if not present or present.endswith(b"\n") else b"\n"
    return present + gap + IGNORED.encode() + b"\n"
