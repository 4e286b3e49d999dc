"""A worker: a process of its own that runs cases one after the other, and ends with everything it started.

Single-threaded, the parent of whatever loses its parent, quick to import: no command line, no Hypothesis. It reads cases on
standard input and answers on standard output, both out of reach of the steps. It ends when its parent closes the pipe, ends
itself, or sends a signal; first it kills what runs.
"""

from __future__ import annotations

import errno
import os
import resource
import select
import signal
import sys
from collections import deque
from types import FrameType
from typing import BinaryIO, Never

from gate.errors import GateError, ReplayError
from gate.replay import sandbox_keys, tree
from gate.replay.case_run import Workshop
from gate.replay.exec_runner import ExecRunner
from gate.replay.frames import Message, as_case, as_recipe, done_message, framed, unframed
from gate.replay.interface import Recipe, Runner
from gate.replay.lodgings import Lodgings
from gate.replay.process import Launcher, Stopped
from gate.replay.sandbox_remains import Remains
from gate.replay.trace_runner import TraceRunner

_READ = 1 << 16  # what a pipe holds
_ENDING_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def main(parent: int, *, user_namespace: int) -> None:
    """Run cases until the pipe from the process `parent`, whose user namespace has that number, is closed.

    `parent` 0: this is process 1 of a sandbox, which ends with the sandbox; no signal from inside ends it.
    """
    for number in _ENDING_SIGNALS:
        signal.signal(number, _stop if parent else signal.SIG_IGN)
    try:
        control, answers = _own_pipes()
        _settle(parent)
        _serve(control, answers, sandboxed=not parent, own=sandbox_keys.user_namespace() != user_namespace)
    except Stopped:
        pass
    finally:
        _ignore_signals()
        tree.kill_children()


def _own_pipes() -> tuple[int, BinaryIO]:
    """Move the pipes to where no step inherits them, and leave /dev/null in their places."""
    control = os.dup(0)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    devnull = os.open(os.devnull, os.O_RDWR)
    os.dup2(devnull, 0)
    os.dup2(devnull, 1)
    os.close(devnull)
    return control, answers


def _settle(parent: int) -> None:
    """Give every step the same start, whatever the caller's shell had set."""
    tree.adopt_orphans()
    if parent:
        tree.die_with_parent(parent)
    else:
        tree.forbid_tracing()
    os.umask(0o022)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, *_ENDING_SIGNALS}:
        if signal.getsignal(number) is signal.SIG_IGN and number != signal.SIGPIPE:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _serve(control: int, answers: BinaryIO, *, sandboxed: bool, own: bool) -> None:
    """One replay after the other; nothing that belongs to a recipe outlives it, directories that nobody touched apart.

    `own`: the user namespace is this worker's alone.
    """
    remains = Remains(sandboxed=sandboxed, own_user_namespace=sandboxed and own)
    inbox = _Inbox(control)
    launcher = Launcher(control=control)
    lodgings: Lodgings | None = None
    message = inbox.take()
    while message is not None:
        recipe = as_recipe(message)
        lodgings = _lodgings(lodgings, recipe)
        workshop = Workshop(recipe, launcher, alone=sandboxed, lodgings=lodgings)
        message = _replay(workshop, inbox, answers, remains)
    if lodgings is not None:
        lodgings.close()


def _lodgings(before: Lodgings | None, recipe: Recipe) -> Lodgings:
    """Those of the replay before where they are of the same slot; nothing stands there ahead of cases that run apart."""
    slot = os.fsencode(recipe.slot)
    if before is not None and (before.slot != slot or recipe.apart):
        before.close()
    if before is None or before.slot != slot:
        return Lodgings(slot)
    before.renew()
    return before


def _replay(workshop: Workshop, inbox: _Inbox, answers: BinaryIO, remains: Remains) -> Message | None:
    """Run the cases that come in, up to the next recipe, which is returned; None when the pipe is closed."""
    runner: Runner = TraceRunner(workshop) if workshop.recipe.runner == "trace" else ExecRunner(workshop)
    while (message := inbox.take()) is not None and message[0] != "recipe":
        if message[0] == "rest":
            workshop.lodgings.close()
            _write(answers, framed(("rested",)))
            continue
        upcoming = None if workshop.recipe.apart else inbox.peek()
        if upcoming is not None and upcoming[0] == "case":
            workshop.lodgings.lay_ahead(as_case(upcoming).id)
        _write(answers, framed(_answer(runner, message, remains)))
    return message


class _Inbox:
    """Messages as they come in."""

    def __init__(self, control: int) -> None:
        self._control = control
        self._buffer = bytearray()
        self._messages: deque[Message] = deque()

    def take(self) -> Message | None:
        """The next message, waited for; None when the pipe is closed."""
        while not self._messages:
            if not self._read():
                return None
        return self._messages.popleft()

    def peek(self) -> Message | None:
        """The message after the last one taken, if it is there already."""
        while not self._messages and select.select((self._control,), (), (), 0)[0] and self._read():
            pass
        return self._messages[0] if self._messages else None

    def _read(self) -> bool:
        piece = os.read(self._control, _READ)
        self._buffer += piece
        self._messages.extend(unframed(self._buffer))
        return bool(piece)


_SHOWN = 500
"""Characters of a system error that are told."""


def _answer(runner: Runner, message: Message, remains: Remains) -> Message:
    index = message[1]
    try:
        try:
            records = runner.run(as_case(message))
        except (GateError, OSError):
            remains.clear()  # what it finds is the cause
            raise
        remains.clear()
        return done_message(index, records)
    except GateError as error:
        return ("failed", index, type(error).__name__, error.what, error.next_step)
    except OSError as error:
        failure = _failure(message[2], error)
        return ("failed", index, "ReplayError", failure.what, failure.next_step)


def _failure(case: str, error: OSError) -> ReplayError:
    if error.errno == errno.ENAMETOOLONG:
        return ReplayError(
            f"case {case}: a step left a path that is longer than this system takes",
            next_step="It cannot be recorded: let the program nest its folders less deeply.",
        )
    return ReplayError(
        f"case {case}: the machine failed: {str(error)[:_SHOWN]} (not caused by this patch)",
        next_step="Mend the cause and run again.",
    )


def _write(answers: BinaryIO, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[answers.write(view) :]


def _stop(_number: int, _frame: FrameType | None) -> Never:
    _ignore_signals()
    raise Stopped


def _ignore_signals() -> None:
    for number in _ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN)


if __name__ == "__main__":
    main(int(sys.argv[1]), user_namespace=int(sys.argv[2]))
