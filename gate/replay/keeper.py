"""A process around another one where there is no sandbox: whatever that one leaves behind, in whatever session, ends with it.

A build may start a daemon that leaves its process group and clears its environment. The keeper adopts it, since it is the
nearest child subreaper, and kills it when the program has ended, when it is told to end, and when the gate itself is gone.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType
from typing import Never

from gate.replay import tree

CANNOT_START = 126
"""What it ends with where the program cannot be started; why stands on standard error."""

_START = "import sys; n = int(sys.argv[1]) + 2; sys.path += sys.argv[2:n]; from gate.replay.keeper import main; main(sys.argv[n:])"
_ENDING_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_ALL_SIGNALS = tuple(map(int, signal.valid_signals()))


class _Told(BaseException):
    """A signal said that it is time to end."""


def kept(argv: Sequence[str]) -> list[str]:
    """The command line that runs `argv` under a keeper, which dies with this very process. Its exit status is the program's, 128 + N
    after signal N; `argv` itself where orphans cannot be adopted.
    """
    if tree.CONTAINMENT != "process tree":
        return list(argv)
    from gate.replay.sandbox_walls import import_folders  # noqa: PLC0415 - a keeper itself is quick to start

    folders = import_folders()
    return [sys.executable, "-I", "-S", "-c", _START, str(len(folders)), *folders, str(os.getpid()), *argv]


def end(process: subprocess.Popen[bytes]) -> None:
    """End a program that runs under a keeper or in a sandbox, in a session of its own, with everything that it started."""
    if tree.CONTAINMENT == "process tree":
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(2 * tree.KILL_SECONDS)
        if process.poll() is None:
            process.kill()
    else:
        tree.kill_group(process.pid)
    process.wait()


def main(words: Sequence[str]) -> Never:
    """Run the program `words[1:]` on behalf of the process `words[0]`; never returns."""
    for number in _ENDING_SIGNALS:
        signal.signal(number, _tell)
    code = 128 + signal.SIGTERM
    try:
        tree.adopt_orphans()
        tree.die_with_parent(int(words[0]))
        code = _run(words[1:])
    except _Told:
        pass
    finally:
        for number in _ENDING_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        tree.kill_children()
    os._exit(code)


def _run(argv: Sequence[str]) -> int:
    try:
        pid = os.posix_spawnp(argv[0], list(argv), os.environ, setsid=True, setsigdef=_ALL_SIGNALS, setsigmask=())
    except OSError as error:
        os.write(2, f"cannot start: {argv[0]}: {error.strerror}\n".encode(errors="backslashreplace"))
        return CANNOT_START
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == pid:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def _tell(_number: int, _frame: FrameType | None) -> Never:
    raise _Told
