"""A place on this machine where replays happen: one path for both sides, whoever runs and however many times.

    TEMPDIR/gate-UID/HHHHHHHHHHHH/s0/build          whichever side is replayed
                                     build-home     the home in which it was built
                                     template       the pristine fixture pack
                                     cHHHHHHHHHH/   the directories of a case: work, home, tmp; between two cases such for the next one

All names have a fixed length, so that no output is longer or wraps differently for where it was made (reported fault 22).
A case's directory is named after the case's id: neither the worker, nor the side, nor the other cases change it.

The side that waits for its turn does so in `s0-RRRR…`, beside the slot: under a name that no path written into a program can hold, in a
folder that is shut meanwhile. A candidate that finds the baseline can run it, and answers as the baseline does.
"""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from gate.errors import ReplayError
from gate.replay.place import remove
from gate.replay.tree import kill_strays, refuse_windows

SLOTS = 10
"""Gates that can replay one project at the same time, each in a slot of its own: `s0` to `s9`."""

PARKING = r"s[0-9]-[0-9a-f]{32}"
"""Pattern of the names of folders in which sides wait."""

_PARKED: dict[str, str] = {"baseline": "base", "candidate": "cand"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A claimed slot."""

    root: Path
    """Absolute, links resolved."""
    parking: Path
    """Where builds wait: on the same disk, outside of the root, another name each time."""
    aliases: tuple[str, ...] = ()
    """The same root as it was spelled before links were resolved, where that differs."""

    @property
    def build(self) -> Path:
        """Where the build of the side that is replayed stands."""
        return self.root / "build"

    @property
    def template(self) -> Path:
        """The pristine fixture pack."""
        return self.root / "template"

    def parked(self, side: Literal["baseline", "candidate"]) -> Path:
        """Where the build of a side waits while the other one stands at `build`."""
        return self.parking / _PARKED[side]


@contextmanager
def claim_slot(root: Path, *, temp: Path | None = None, keep: bool = False) -> Iterator[Slot]:
    """An empty slot for the project at `root`, ours alone until the block ends; then it is removed, unless `keep`, and
    whatever still runs in it is ended.

    `temp` is the folder for temporary files, by default the system's. What an earlier gate left there, processes included,
    is removed. Raises ReplayError when all slots are taken, or when somebody else owns the place.
    """
    refuse_windows()
    lexical = Path(os.path.abspath(temp or tempfile.gettempdir()))  # noqa: PTH100 - links are resolved below, knowingly
    mine = f"gate-{os.getuid()}"
    project = sha256(os.fsencode(root.resolve())).hexdigest()[:12]
    base = lexical.resolve() / mine / project
    for folder in (base.parent, base):
        _own(folder)
    name, lock = _first_free(base)
    place, parking = base / name, base / f"{name}-{secrets.token_hex(16)}"
    alias = str(lexical / mine / project / name)
    try:
        _empty(place)
        parking.mkdir(mode=0o700)
        yield Slot(root=place, parking=parking, aliases=() if alias == str(place) else (alias,))
    finally:
        try:
            kill_strays(str(place))  # what a build, a proof or a vote left: each knew of its own group alone
            if not keep:
                _remove(place)
        finally:
            os.close(lock)


def _own(folder: Path) -> None:
    """Make `folder` for us alone, or check that it is that already: anyone can plant a name in a shared folder."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        owner = f"user {found.st_uid}" if stat.S_ISDIR(found.st_mode) else "a file or a link"
        raise ReplayError(
            f"{folder}: expected a folder of user {os.getuid()}, found {owner}",
            next_step="Remove it, or set TMPDIR to a folder of your own.",
        )
    folder.chmod(0o700)


def _first_free(base: Path) -> tuple[str, int]:
    import fcntl  # noqa: PLC0415 - Windows has none, and is to be refused in our own words

    for number in range(SLOTS):
        name = f"s{number}"
        lock = os.open(base / f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        return name, lock
    raise ReplayError(
        f"all {SLOTS} slots in {base} are taken by other gates",
        next_step="Wait for them to end; fewer gates for one project at a time are quicker, too.",
    )


def _empty(place: Path) -> None:
    kill_strays(str(place))
    _remove(place)
    place.mkdir(mode=0o700)


def _remove(place: Path) -> None:
    """Remove a slot, and where its builds waited, whoever claimed it."""
    remove(os.fsencode(place))
    for parking in place.parent.glob(f"{place.name}-*"):
        remove(os.fsencode(parking))
