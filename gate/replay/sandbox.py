"""A sandbox around a process of a build: found on this machine, proven by a probe, and put before a command line.

Inside: no network (unless asked for), every file read-only but what is named, private /tmp and /proc, no capabilities, nothing
left when its first process ends. `gate.replay.sandbox_layout` shows the whole inside, docs/sandbox.md what it does not stop.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gate.errors import SandboxError
from gate.replay.sandbox_layout import Layout, lay_out

SandboxMode = Literal["auto", "require", "off"]
Kind = Literal["bubblewrap", "unshare", "none"]

SYSTEM_FOLDERS = ("/usr/bin", "/bin", "/usr/local/bin", "/run/wrappers/bin", "/run/current-system/sw/bin")
"""Where bubblewrap is looked for: never on a PATH that a build or a step could change (reported fault 92)."""

_INIT = Path(__file__).with_name("sandbox_init.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """What is put around the processes of a build."""

    kind: Kind = "none"
    """`unshare`: made by system calls of our own."""
    why: str = "off"
    """For `none`: why there is none, in one line. Empty otherwise."""
    program: str = ""
    """For `bubblewrap`: its absolute path."""
    hidden: tuple[Path, ...] = ()
    """Folders that are empty inside, but for what is named below them: see `gate.replay.sandbox_hidden`."""

    @property
    def active(self) -> bool:
        """Whether there is one."""
        return self.kind != "none"

    def wrap(
        self,
        argv: Sequence[str],
        *,
        writable: Sequence[Path],
        readable: Sequence[Path] = (),
        instead: Mapping[Path, Path] | None = None,
        network: bool = False,
        as_init: bool = False,
    ) -> list[str]:
        """The command line that runs `argv` inside; `argv` itself where there is no sandbox.

        To be started by this very process, which it does not outlive, in a working directory that is visible inside. `writable`
        are files and folders that exist, `readable` those that are shown although they lie in a private folder, or kept
        read-only although they lie in a writable one. `instead`: folders in whose places others are shown, writable.
        `as_init`: the program is process 1, which no process inside can kill, and which has to reap orphans; else it has an
        init above it. Its exit status is the program's, 128 + N after signal N.
        Raises ValueError for paths that cannot be shown, see `lay_out`.
        """
        if not self.active:
            return list(argv)
        layout = lay_out(writable=writable, readable=readable, network=network, instead=instead, hidden=self.hidden)
        if self.kind == "bubblewrap":
            return [self.program, *_bubblewrap_words(layout), *(["--as-pid-1"] if as_init else []), "--", *argv]
        told = {
            "parent": os.getpid(),
            "private": layout.private,
            "closed": layout.closed,
            "proc_closed": layout.proc_closed,
            "binds": [(bind.source, bind.target, bind.writable) for bind in layout.binds],
            "network": network,
            "as_init": as_init,
        }
        return [sys.executable, "-I", "-S", str(_INIT), json.dumps(told), *argv]


NO_SANDBOX = Sandbox()
"""Processes run as they are."""


def find_sandbox(mode: SandboxMode, *, folders: Sequence[str] = SYSTEM_FOLDERS) -> Sandbox:
    """The first sandbox that proves itself on this machine: bubblewrap in one of `folders`, else our own.

    `off` gives none. Raises SandboxError where `require` finds none, with what was tried.
    """
    if mode == "off":
        return NO_SANDBOX
    if not sys.platform.startswith("linux"):
        return _none(mode, f"a sandbox needs Linux, this is {sys.platform}")
    # Imported late: most of what wraps a command line has been given a sandbox that is proven.
    from gate.replay.sandbox_probe import fault  # noqa: PLC0415

    faults = []
    for candidate in (*_bubblewraps(folders), Sandbox(kind="unshare", why="")):
        found = fault(candidate)
        if not found:
            return candidate
        faults.append(f"{candidate.program or 'namespaces of our own'}: {found}")
    return _none(mode, "; ".join(faults))


def _bubblewraps(folders: Sequence[str]) -> list[Sandbox]:
    places = [Path(os.path.realpath(folder)) / "bwrap" for folder in folders]
    found = dict.fromkeys(str(place) for place in places if place.is_file() and os.access(place, os.X_OK))
    return [Sandbox(kind="bubblewrap", why="", program=place) for place in found][:1]


def _none(mode: SandboxMode, why: str) -> Sandbox:
    if mode == "require":
        raise SandboxError(
            f"--sandbox require: expected a sandbox that works, found none: {why}",
            next_step="Install bubblewrap or allow user namespaces (docs/sandbox.md says how), or decide for --sandbox off.",
        )
    return Sandbox(kind="none", why=why)


def _bubblewrap_words(layout: Layout) -> list[str]:
    words = ["--die-with-parent", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL", "--ro-bind", "/", "/"]
    words += [] if layout.network else ["--unshare-net"]
    words += ["--proc", "/proc"]
    for path in layout.proc_closed:
        words += ["--ro-bind", path, path]
    words += ["--dev", "/dev", "--perms", "1777", "--tmpfs", "/dev/shm"]
    if "\tmqueue\n" in Path("/proc/filesystems").read_text("ascii", "replace"):
        words += ["--mqueue", "/dev/mqueue"]
    for folder in layout.private:
        words += ["--perms", "1777", "--tmpfs", folder]
    for folder in layout.closed:
        words += ["--perms", "0755", "--tmpfs", folder]
    for bind in layout.binds:
        if bind.source is None:
            words += ["--perms", "0755", "--tmpfs", bind.target]
        else:
            words += ["--bind" if bind.writable else "--ro-bind", bind.source, bind.target]
    for folder in ("/dev", *layout.closed, *(bind.target for bind in layout.binds if bind.source is None)):
        words += ["--remount-ro", folder]
    return words
