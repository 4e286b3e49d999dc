"""Laying the template: the pristine fixture pack of a slot, made from the manifest."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from gate.errors import FixtureError
from gate.hashing.pack import Entry, Pack, require_portable, scan_pack
from gate.replay.place import remove
from gate.replay.slot import Slot


def lay_template(pack_dir: Path, pack: Pack, slot: Slot) -> None:
    """Make `slot.template` hold exactly what `pack` says, its files copied from `pack_dir`.

    From the manifest, not from the folder: files that nobody pinned stay outside (reported fault 47), empty folders that no
    clone kept are made (fault 46). Modes are 644 and 755. The result is digested again: raises FixtureError when it is
    not the pack, or when the pack leads out of its folder (fault 26).
    """
    require_portable(pack)
    remove(os.fsencode(slot.template))
    slot.template.mkdir(mode=0o755)
    for entry in pack.entries:
        _lay(os.fsencode(pack_dir) + b"/" + entry.path, os.fsencode(slot.template) + b"/" + entry.path, entry)
    laid = scan_pack(slot.template)
    if laid.digest != pack.digest:
        wrong = sorted({entry.path for entry in set(laid.entries) ^ set(pack.entries)})
        raise FixtureError(
            f"fixture {os.fsdecode(wrong[0])!r}: expected what is pinned, got another content or mode in the copy of it",
            next_step="Restore the file (its folder changed while it was copied), and run again.",
        )


def _lay(source: bytes, target: bytes, entry: Entry) -> None:
    os.makedirs(os.path.dirname(target), mode=0o755, exist_ok=True)  # noqa: PTH103, PTH120 - bytes
    if entry.kind == "directory":
        os.mkdir(target, 0o755)  # noqa: PTH102 - bytes
    elif entry.kind == "link":
        os.symlink(entry.target, target)  # noqa: PTH211 - bytes
    else:
        _copy(source, target, 0o755 if entry.executable else 0o644)


def _copy(source: bytes, target: bytes, mode: int) -> None:
    try:
        handle = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise FixtureError(
            f"fixture {os.fsdecode(source)!r}: expected the pinned file, cannot open it: {error.strerror}",
            next_step="Restore the file from version control, or pin the pack as it is now in a commit of its own.",
        ) from error
    with open(handle, "rb") as reader, open(target, "xb") as writer:  # noqa: PTH123 - handles and bytes
        shutil.copyfileobj(reader, writer, 1 << 20)
        os.fchmod(writer.fileno(), mode)
