"""New files in the fixture pack: all of them or none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from gate.errors import FixtureError
from gate.files import write_atomically
from gate.hashing.pack import scan_pack


def pack_contents(folder: Path) -> dict[str, str]:
    """What the pack holds: path to the digest of a file; a link or an empty folder to a text that is no digest. Raises FixtureError."""
    return {os.fsdecode(entry.path): entry.sha256 or entry.kind for entry in scan_pack(folder).entries}


def add_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files that are not there. Raises FixtureError for one that is, and takes back what was written when one cannot be."""
    done: list[Path] = []
    try:
        for name, data in sorted(files.items()):
            path = folder / name
            if os.path.lexists(path):
                raise FixtureError(
                    f"fixture {name!a}: expected no file of that name, found one that was made meanwhile",
                    next_step="Record again: fixtures that are there are kept.",
                )
            write_atomically(path, data)
            done.append(path)
    except BaseException:
        take_back(folder, done)
        raise


def take_back(folder: Path, files: list[Path]) -> None:
    """Remove files that were written, and the folders that are empty without them."""
    for path in files:
        with suppress(OSError):
            path.unlink()
        for above in path.parents:
            if above == folder or folder not in above.parents:
                break
            with suppress(OSError):
                above.rmdir()
