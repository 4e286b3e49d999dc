"""Starting one process: the file that a word names, the pipes, the session of its own."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Mapping, Sequence

from gate.errors import ReplayError

# Python ignores SIGPIPE and SIGXFSZ for itself, and an ignored signal stays ignored in what it starts. Naming all signals
# is quicker than naming two: the C library first asks for the state of each one that is not named.
_ALL_SIGNALS = tuple(map(int, signal.valid_signals()))

_CANNOT_START = {
    errno.ENOENT: "not found",
    errno.ENOTDIR: "not found",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOEXEC: "not an executable format",
    errno.ELIBBAD if hasattr(errno, "ELIBBAD") else errno.ENOEXEC: "not an executable format",
    errno.ELOOP: "too many links",
    errno.ENAMETOOLONG: "name too long",
    errno.E2BIG: "argument list too long",
}


def look_up(word: bytes, path: bytes) -> bytes | None:
    """The file that `word` names on `path`, as execvp finds it; None if there is none. A word with a slash names itself.

    A file that may not be executed is passed over as long as there is another; alone it is found, and refused at its start.
    """
    if b"/" in word:
        return word
    refused = None
    for folder in path.split(b":") if word else ():
        place = (folder or b".") + b"/" + word
        if os.path.isfile(place):  # noqa: PTH113 - bytes
            if os.access(place, os.X_OK):
                return place
            refused = refused or place
    return refused


class Pipes:
    """The pipes of one process: ours, and the ends that it gets."""

    __slots__ = ("_open", "err", "feed", "out", "theirs")

    def __init__(self, devnull: int, stdin: bytes | None) -> None:
        self._open: set[int] = set()
        self.feed: int | None = None
        try:
            self.out, out = self._pipe()
            self.err, err = self._pipe()
            read = devnull
            if stdin is not None:
                read, self.feed = self._pipe()
        except OSError as error:
            self.close()
            raise _machine_failed("make a pipe", error) from error
        self.theirs = (read, out, err)

    def _pipe(self) -> tuple[int, int]:
        pair = os.pipe()
        self._open.update(pair)
        return pair

    def drop(self, *handles: int) -> None:
        """Close our copy of `handles`; those that are not ours, or closed already, are left alone."""
        for handle in self._open.intersection(handles):
            self._open.discard(handle)
            os.close(handle)

    def close(self) -> None:
        """Close all that is open."""
        self.drop(*self._open)


def spawn(program: bytes, argv: Sequence[bytes], env: Mapping[bytes, bytes], pipes: Pipes) -> int | str:
    """The new process, leader of its own session; or why this file cannot be executed."""
    actions = [(os.POSIX_SPAWN_DUP2, handle, number) for number, handle in enumerate(pipes.theirs)]
    try:
        pid = os.posix_spawn(
            program, tuple(argv), env, file_actions=actions, setsid=True, setsigmask=(), setsigdef=_ALL_SIGNALS
        )
    except OSError as error:
        reason = _CANNOT_START.get(error.errno or 0)
        if reason is None:
            raise _machine_failed(f"start {os.fsdecode(argv[0])!r}", error) from error
        if error.errno == errno.ENOENT and os.path.exists(program):  # noqa: PTH110 - bytes
            return "its interpreter is not found"
        return reason
    pipes.drop(*pipes.theirs)
    return pid


def _machine_failed(what: str, error: OSError) -> ReplayError:
    return ReplayError(
        f"the machine could not {what}: {error.strerror} (not caused by this patch)",
        next_step="Free what is short (processes, memory, open files, disk) and run again.",
    )
