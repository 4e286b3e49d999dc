"""Where a program of ours ends: its two streams, its faults, and the exit code that stands for them.

The codes 0, 1 and 3 are verdicts, so nothing but a verdict may end in one. Whatever else happens is 2, and 130 after Ctrl-C.
"""

from __future__ import annotations

import errno
import io
import os
import select
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from gate.errors import GateError
from gate.exit_codes import ExitCode

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer
    from typer import Typer

DEBUG = "GATE_DEBUG"
"""The variable that, when set, has an internal fault told with its traceback."""

INTERRUPTED = 130
"""The exit code after Ctrl-C."""

NO_VERDICT = "there is no verdict"
"""What is true of most commands after Ctrl-C."""

_PIPE_WIDTH = 120
_LEAST_WIDTH = 60


def say(text: str) -> None:
    """Talk to the person: standard error."""
    sys.stderr.write(text + "\n")


def put(text: str) -> None:
    """Give a result: standard output, at once, so that it stands in order with what other processes say."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def report_width() -> int:
    """Columns of the terminal that standard output is, at least 60; 120 where it is none."""
    return max(shutil.get_terminal_size().columns, _LEAST_WIDTH) if sys.stdout.isatty() else _PIPE_WIDTH


def in_colour() -> bool:
    """Whether standard output is a terminal that knows colours, and nobody set NO_COLOR."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and "NO_COLOR" not in os.environ


def finish(code: ExitCode) -> SystemExit:
    """What a command raises to end with `code`."""
    return SystemExit(code)


@contextmanager
def judging(*, interrupted: str = NO_VERDICT, of_patch: bool = False) -> Iterator[None]:
    """Run a command's one call; an error that forbids a verdict is told in two lines and ends in exit code 2.

    `interrupted` says what is true after Ctrl-C; the innermost block counts. `of_patch`: a patch is judged, and is not the cause of what
    the system refuses.
    """
    try:
        yield
    except GateError as error:
        say(f"error: {error.diagnostics()}")
        raise finish(ExitCode.INVALID) from error
    except OSError as error:
        say(
            f"error: {_told(error)}\n{'Not caused by this patch: mend' if of_patch else 'Mend'} the cause and run again."
        )
        raise finish(ExitCode.INVALID) from error
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(*error.args or (interrupted,)) from None


def conclude(name: str, load: Callable[[], Typer]) -> NoReturn:
    """Run the program `name`, whose commands `load` gives, on the words of the command line, and end the process.

    Ends in the code that a command raised with `finish`, else in 0 for a command that came to its end. A usage error, an error of
    the program itself, and a result that could not be written are 2. A reader of the result that went away changes nothing.
    """
    for ending in ("SIGTERM", "SIGHUP"):  # as Ctrl-C: what runs is ended, and nothing is left behind
        number = getattr(signal, ending, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)
    output = _take_over()
    code = _concluded(name, load)
    sys.stdout.flush()
    if output.fault is not None and code != INTERRUPTED:
        say(f"error: standard output: expected to write the result there, got: {_reason(output.fault)}")
        say("Not caused by this patch, and no verdict: mend where the output goes and run again.")
        code = ExitCode.INVALID
    sys.exit(int(code))


def _end(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _concluded(name: str, load: Callable[[], Typer]) -> int:
    try:
        with judging():
            return _invoked(name, load)
    except KeyboardInterrupt as error:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the second one must not cut this short
        say(f"interrupted: {str(error) or NO_VERDICT}")
        return INTERRUPTED
    except BaseException as error:
        if isinstance(error, SystemExit) and isinstance(error.code, ExitCode):
            return error.code
        if os.environ.get(DEBUG):
            say(traceback.format_exc().rstrip("\n"))
        say(f"error: {name} itself failed, not caused by this patch: {type(error).__name__}: {error}")
        say(f"There is no verdict. Run again with {DEBUG}=1 and report the traceback.")
        return ExitCode.INVALID


def _invoked(name: str, load: Callable[[], Typer]) -> ExitCode:
    """Typer's own ending is passed by: it gives Ctrl-C and a broken pipe the exit code 1."""
    import typer  # noqa: PLC0415 - late, so that an installation without it is told, and is no verdict
    from typer.main import get_command  # noqa: PLC0415

    usage_errors: tuple[type[typer.BadParameter], ...] = typer.BadParameter.__bases__
    try:
        command = get_command(load())
        with command.make_context(name, sys.argv[1:]) as context:
            command.invoke(context)
    except typer.Exit as ended:  # after --help and --version
        return ExitCode.CLEAN if ended.exit_code == 0 else ExitCode.INVALID
    except usage_errors as error:
        error.show()
        return ExitCode.INVALID
    return ExitCode.CLEAN


def _told(error: OSError) -> str:
    """The file and what is wrong with it, where the system names one; of a tree that could not be copied, the first one."""
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list):
        _, place, why = error.args[0][0]
        return f"{place}: {why}"
    return f"{os.fsdecode(error.filename)}: {_reason(error)}" if error.filename is not None else _reason(error)


def _reason(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    return reason[0].lower() + reason[1:]


class _Descriptor(io.FileIO):
    """An open descriptor to which a write never raises: a reader that went away is no fault, any other failure is kept."""

    fault: OSError | None = None
    _gone = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write what the descriptor takes; once it takes no more, pretend."""
        while not self._gone and self.fault is None:
            try:
                written = super().write(data)
                if written is not None:
                    return written
                select.select((), (self,), ())  # somebody made it non-blocking
            except BrokenPipeError:
                self._gone = True
            except OSError as error:
                self.fault = error
        return memoryview(data).nbytes


def _take_over() -> _Descriptor:
    """Make both standard streams UTF-8, with escapes for what is not, and safe to write to; gives what is under the output."""
    output = _opened(1, missing=sys.stdout is None)
    errors = _opened(2, missing=sys.stderr is None)
    sys.stdout, sys.stderr = _as_text(output), _as_text(errors)
    return output


def _opened(number: int, *, missing: bool) -> _Descriptor:
    if not missing:
        return _Descriptor(number, "wb", closefd=False)
    nowhere = _Descriptor(os.devnull, "wb")  # the number itself may by now belong to another file
    nowhere.fault = OSError(errno.EBADF, "it is closed")
    return nowhere


def _as_text(descriptor: _Descriptor) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(descriptor), encoding="utf-8", errors="backslashreplace", line_buffering=True
    )
