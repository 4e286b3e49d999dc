"""Writing a started project: nothing that is there is overwritten, and of what is new all is written or nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
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
    """Write the files that are not there. Raises OSError; then none of them is left, nor a folder that was made for them."""
    planned = plan(root, files)
    made: list[Path] = []
    try:
        for name in planned.written:
            file = root / name
            made += [folder for folder in reversed(file.parents) if not folder.exists()]
            made.append(file)
            write_atomically(file, files[name])
    except BaseException:
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise
    return planned


def in_git(root: Path) -> bool:
    """Whether a folder lies in a work tree of git."""
    return any((folder / ".git").exists() for folder in (root, *root.parents))


def ignoring(root: Path) -> bytes | None:
    """What `.gitignore` in `root` has to hold so that git leaves `.gate/` alone; None where it does, outside of git, and for a link."""
    if not in_git(root):
        return None
    file = root / ".gitignore"
    if file.is_symlink():
        return None
    present = file.read_bytes() if file.exists() else b""
    if _SAME.intersection(line.strip() for line in present.splitlines()):
        return None
    gap = b"" if not present or present.endswith(b"\n") else b"\n"
    return present + gap + IGNORED.encode() + b"\n"
