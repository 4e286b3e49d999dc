"""Laying the judge's side of a vote into a slot: the property files and the voter; and proving them unchanged afterwards."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import gate.voting.voter
from gate.errors import PropertyError
from gate.hashing.framing import framed_digest
from gate.hashing.pack import scan_tree
from gate.replay.place import remove

PROPERTIES = "properties"
VOTER = "voter"
PACKAGE = "gate_voter"
"""The name under which the voter's modules are imported: one that no build has."""

_TEMPLATE = "template"
_NEVER = shutil.ignore_patterns("__pycache__", "*.pyc")  # compiled code would be run in place of what was pinned


def lay_properties(folder: Path, slot: Path) -> None:
    """Make `slot/properties` a copy of the property files in `folder`, compiled files apart. A missing folder gives an empty one."""
    target = slot / PROPERTIES
    remove(os.fsencode(target))
    if folder.is_dir():
        shutil.copytree(folder, target, symlinks=True, ignore=_NEVER)
    else:
        target.mkdir()


def lay_voter(slot: Path) -> None:
    """Make `slot/voter` a copy of the files that a vote runs."""
    target = slot / VOTER
    remove(os.fsencode(target))
    shutil.copytree(Path(str(gate.voting.voter.__file__)).parent, target / PACKAGE, ignore=_NEVER)


def laid_digest(slot: Path) -> str:
    """The digest of all that a vote in `slot` rests on: property files, voter, pristine fixtures. Taken before and after the votes.

    It holds when and where each file was written, too, so a file that was changed and put back is not the same. Only for one slot.
    """
    parts = (PROPERTIES, VOTER, _TEMPLATE)
    return framed_digest("gate-laid-1", ((part, _digest(slot / part)) for part in parts))


def require_unchanged(slot: Path, before: str) -> None:
    """Raise PropertyError when the code under test wrote to the judge's files during the votes: no ballot of that round counts."""
    if laid_digest(slot) != before:
        raise PropertyError(
            "the votes: the property files, the voter or the fixtures were changed while they ran, so no ballot counts",
            next_step="Something that ran in a vote wrote outside of its directories. Run in a sandbox, and look at the patch.",
        )


def _digest(folder: Path) -> str | None:
    if not folder.is_dir():
        return None
    content = scan_tree(folder, skip=frozenset()).digest
    return framed_digest("gate-laid-tree-1", (("content", content), *_standing(folder)))


def _standing(folder: Path) -> Iterator[tuple[bytes, str]]:
    """Each file, link and folder below with what only writing anew can change; names in their order."""
    for top, names, files in os.walk(os.fsencode(folder)):
        names.sort()
        for path in (top, *(top + b"/" + name for name in sorted({*names, *files}))):
            held = os.lstat(path)
            rows = (held.st_ctime_ns, held.st_mtime_ns, held.st_ino, held.st_size, held.st_mode)
            yield path, " ".join(map(str, rows))
