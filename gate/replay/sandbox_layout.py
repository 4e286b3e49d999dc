"""What the inside of a sandbox looks like: the machine's own files, read-only, with a few folders laid over them.

/                     read-only, all mounts below it as well
/proc                 its own, with what steers the machine read-only
/dev                  null, zero, full, random, urandom, tty, pts; read-only
/tmp /var/tmp /dev/shm /dev/mqueue    empty, writable, private
/run                  empty, read-only: sockets of the machine's services lie there
what is hidden        empty, read-only: folders in which the other side's code could be found
the binds             what a caller names, each at its own path, over all of that
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PRIVATE = ("/tmp", "/var/tmp")
"""Folders that are empty, writable and nobody else's."""

CLOSED = ("/run",)
"""Folders that are empty and read-only."""

PROC_CLOSED = tuple(f"/proc/{name}" for name in ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi"))
"""Read-only even for root: who may write there changes the machine."""

_SYSTEM_IN_RUN = ("/run/current-system", "/run/opengl-driver")
"""Where some systems keep their programs (NixOS)."""

_RESOLVER = "/etc/resolv.conf"
_LINKS = 40  # as many as the system follows


@dataclass(frozen=True, slots=True, kw_only=True)
class Bind:
    """A file or folder that is shown at `target`."""

    source: str | None
    """None: an empty folder that stays so, but for the places of what is shown inside it."""
    target: str
    writable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A whole inside."""

    private: tuple[str, ...]
    closed: tuple[str, ...]
    proc_closed: tuple[str, ...]
    binds: tuple[Bind, ...]
    """Outer ones before what lies inside them."""
    network: bool


def lay_out(
    *,
    writable: Sequence[Path],
    readable: Sequence[Path],
    network: bool,
    instead: Mapping[Path, Path] | None = None,
    hidden: Sequence[Path] = (),
) -> Layout:
    """The layout in which `writable` can be written and `readable` be read, whatever lies over them.

    `instead`: folders in whose places others are shown, writable: what is readable below keeps its name, the rest is not seen. Of two
    that lie in each other the inner one counts inside. `hidden`: folders that are empty but for what else is named below them; to
    be `readable` such a folder itself is not enough. What is readable or hidden and missing is left out. Raises ValueError for a
    relative path, for a writable one that is missing, and for one that is both.
    """
    private, closed = _existing(PRIVATE), _existing(CLOSED)
    masks = _existing(map(str, hidden))
    binds = {target: Bind(source=target, target=target, writable=True) for target in map(_present, writable)}
    for place, shown in (instead or {}).items():
        target = _present(place)
        binds[target] = Bind(source=_present(shown), target=target, writable=True)
    covered = (*private, *closed, *masks, *binds)
    wanted = [*readable, *_interpreter(), *map(Path, _SYSTEM_IN_RUN), *([Path(_RESOLVER)] if network else [])]
    for path in wanted:
        for target, source in _spellings(path).items():
            held = binds.get(target)
            if held is not None and held.writable:
                if path in readable:
                    raise ValueError(f"{path}: writable and readable only, which of them?")
            elif _inside(target, covered) and target not in masks:
                binds[target] = Bind(source=source, target=target, writable=False)
    for mask in masks:
        around = max((place for place in (*covered, *binds) if _inside(mask, (place,))), key=len, default=None)
        if mask not in binds and (around is None or (around in binds and around not in masks)):
            binds[mask] = Bind(source=None, target=mask, writable=False)
    ordered = sorted(binds.values(), key=lambda bind: (bind.target.count("/"), bind.target))
    return Layout(
        private=private, closed=closed, proc_closed=_existing(PROC_CLOSED), binds=tuple(ordered), network=network
    )


def tool_folders(path: Iterable[str], *, hidden: Iterable[Path] = ()) -> tuple[Path, ...]:
    """What has to be readable so that programs in the absolute folders of a PATH run: of a `bin` the folder around it.

    Only what a sandbox would hide, with `hidden`; the rest is readable anyway. Nothing of a folder that is `hidden` itself, nor of its
    own `bin`: programs of a source tree.
    """
    masks = _existing(map(str, hidden))
    covered = (*_existing((*PRIVATE, *CLOSED)), *masks)
    folders = []
    for folder in map(Path, path):
        around = folder.parent if folder.name in ("bin", "sbin") else folder
        if around.is_absolute() and os.path.isdir(folder) and os.path.realpath(around) not in masks:  # noqa: PTH112 - one that may not be read is none
            folders.append(folder if str(around) in covered else around)
    return tuple(folder for folder in folders if _inside(str(folder), covered))


def program_places(words: Iterable[str], *, apart: Path, hidden: Iterable[Path] = ()) -> tuple[Path, ...]:
    """What has to be readable so that programs named by absolute paths run: as `tool_folders`, for each link on the way to a program.

    Of one that lies right in a private folder the file alone; `hidden` as for `tool_folders`. A relative word gives nothing, nor does
    what lies below `apart`: what a build names there, or links to, is not for it to choose.
    """
    masks, inner = _existing(map(str, hidden)), os.path.realpath(apart)
    private = _existing((*PRIVATE, *CLOSED))
    found: dict[Path, None] = {}
    for word in words:
        for path in _way_to(word):
            if _inside(path, (inner,)):
                break
            folders = tool_folders((os.path.dirname(path),), hidden=map(Path, masks))  # noqa: PTH120 - as spelled
            alone = (Path(path),) if _inside(path, private) and not _inside(path, masks) else ()
            found |= dict.fromkeys(folders or alone)
    return tuple(found)


def _way_to(word: str) -> Iterable[str]:
    """The absolute path `word`, and where links lead from there, one after the other; folders on the way resolved but for the first."""
    path = os.path.normpath(word)
    for _ in range(_LINKS):
        if not os.path.isabs(path) or not os.path.lexists(path):  # noqa: PTH117
            return
        yield path
        real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))  # noqa: PTH118, PTH119, PTH120
        if real != path:
            yield real
        if not os.path.islink(real):  # noqa: PTH114
            return
        path = os.path.normpath(os.path.join(os.path.dirname(real), os.readlink(real)))  # noqa: PTH115, PTH118, PTH120


def _existing(paths: Iterable[str]) -> tuple[str, ...]:
    """Those that are there, links resolved, each once."""
    return tuple(dict.fromkeys(os.path.realpath(path) for path in paths if os.path.exists(path)))  # noqa: PTH110


def _present(path: Path) -> str:
    if not path.is_absolute() or not os.path.exists(path):  # noqa: PTH110 - as below
        raise ValueError(f"{path}: what is writable in a sandbox is an absolute path that is there")
    return os.path.realpath(path)


def _spellings(path: Path) -> dict[str, str]:
    """(target, source) for a path as it is spelled and as it is resolved; empty for a missing one."""
    if not path.is_absolute():
        raise ValueError(f"{path}: what is readable in a sandbox is an absolute path")
    if not os.path.exists(path):  # noqa: PTH110 - one that may not be read is none
        return {}
    source = os.path.realpath(path)
    spelled = os.path.normpath(path)
    resolved_parent = os.path.join(os.path.realpath(os.path.dirname(spelled)), os.path.basename(spelled))  # noqa: PTH118, PTH119, PTH120
    return dict.fromkeys((source, resolved_parent), source)


def _inside(target: str, folders: Iterable[str]) -> bool:
    return any(target.startswith(folder.rstrip("/") + "/") for folder in folders)


def _interpreter() -> tuple[Path, ...]:
    """The folders of the interpreter that the gate runs in, and the gate itself."""
    prefixes = (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)
    executables = (os.path.dirname(os.path.realpath(sys.executable)), os.path.dirname(__file__))  # noqa: PTH120
    return tuple(dict.fromkeys(map(Path, (*prefixes, *executables))))
