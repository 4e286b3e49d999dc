"""What stands between the steps of a replay and the rest of its slot, for the sandbox of a worker."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import gate
from gate.replay.interface import Recipe
from gate.replay.sandbox import Sandbox
from gate.replay.sandbox_layout import program_places, tool_folders

_SHOWN = ("build", "build-home", "template")
_SHOWN_TO_VOTES = ("properties", "voter")
"""All that a worker sees of its slot beside its own cases; votes have their recipe `apart`."""

ROOM = re.compile(r"w[0-9]+")
"""Names of rooms: folders in a slot, of one sandboxed worker each, that this worker sees in the slot's place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walls:
    """What the steps of a replay see. Two that differ need workers of their own: a sandbox cannot be changed from outside."""

    slot: Path
    standing: tuple[tuple[str, int, int], ...]
    """Name, device and inode of what is shown of the slot: build, fixtures, what a vote needs. The steps can read it, not write."""
    tools: tuple[Path, ...]
    """Folders of programs, and single ones, that a sandbox would hide."""

    def furnish(self) -> Path:
        """A new room for one worker: empty but for the places at which the standing things will be shown. Raises OSError."""
        room = self._new_room()
        for name, _, _ in self.standing:
            if (self.slot / name).is_dir():
                (room / name).mkdir()
            else:
                (room / name).touch()
        return room

    def _new_room(self) -> Path:
        """Under the first name that is free: another engine may have workers in the same slot."""
        for number in itertools.count():
            room = self.slot / f"w{number}"
            with suppress(FileExistsError):
                room.mkdir(mode=0o700)
                return room
        raise AssertionError("numbers do not end")

    def around(self, argv: Sequence[str], sandbox: Sandbox, *, room: Path) -> list[str]:
        """The command line that starts the worker `argv` within them, as process 1. To be started in the slot.

        Inside `room` is the slot: the worker and its steps see cases of their own alone, at the same paths as everywhere.
        """
        closed = [*(self.slot / name for name, _, _ in self.standing), *self.tools, *_packages()]
        return sandbox.wrap(argv, writable=(), readable=closed, instead={self.slot: room}, as_init=True)


def walls_of(recipe: Recipe, *, hidden: Sequence[Path] = ()) -> Walls:
    """The walls for a replay of `recipe`, as its slot is now, in a sandbox with `hidden`. Raises OSError where there is no slot."""
    slot = Path(recipe.slot)
    with os.scandir(slot) as listing:
        shown = (*_SHOWN, *(_SHOWN_TO_VOTES if recipe.apart else ()))
        items = [item for item in listing if not item.is_symlink() and item.name in shown]
    found = sorted((item.name, item.stat(follow_symlinks=False)) for item in items)
    standing = tuple((name, status.st_dev, status.st_ino) for name, status in found)
    programs = program_places((*recipe.argv[:1], *recipe.programs), apart=slot, hidden=hidden)
    return Walls(slot=slot, standing=standing, tools=(*programs, *tool_folders(recipe.path, hidden=hidden)))


def import_folders() -> tuple[str, ...]:
    """Where a worker finds the gate and what it needs, after the standard library: no `.pth` file and no current directory."""
    return tuple(dict.fromkeys(str(folder.parent) for folder in _packages()))


def _packages() -> tuple[Path, ...]:
    """The packages themselves: around them there may be a source tree, where the gate judges its own."""
    import msgspec  # noqa: PLC0415

    return tuple(Path(str(module.__file__)).resolve().parent for module in (gate, msgspec))
