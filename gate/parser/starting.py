"""Starting a program to ask it something: in the sandbox, in private folders, with limits, nothing believed of what it does."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from gate.replay.sandbox import Sandbox
from gate.replay.sandbox_layout import program_places, tool_folders

MOST_PRINTED = 1 << 22
"""Bytes of a stream that are kept; a program that prints more is ended."""

_PACKAGE = Path(__file__).resolve().parent.parent
_READ = 1 << 16

_ASKED = {
    "COLUMNS": "160",  # long lines are wrapped less
    "GIT_PAGER": "cat",
    "LC_ALL": "C.UTF-8",
    "LINES": "100",
    "MANPAGER": "cat",
    "MANWIDTH": "160",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONIOENCODING": "utf-8",
    "TERM": "dumb",
    "TERMINAL_WIDTH": "160",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a program that was asked did."""

    status: str
    """Exit number, `signal NAME`, `timeout`, `overflow`, or `cannot start: …`."""
    stdout: bytes = b""
    stderr: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Where a program is asked. Folders are absolute paths that exist."""

    environment: Mapping[str, str]
    """Its whole environment, but for what makes an answer readable, HOME and TMPDIR."""
    folder: Path
    """Its working directory."""
    sandbox: Sandbox
    readable: tuple[Path, ...]
    private: Path
    """The only folder that it can write."""
    until: float
    """When all asking ends, in the time of `time.monotonic`."""

    def left(self) -> float:
        """Seconds until then; 0 when it is past."""
        return max(0.0, self.until - time.monotonic())

    def ask(self, argv: Sequence[str], *, seconds: float, stdin: bytes = b"") -> Told:
        """Start `argv` with `stdin` as its input, for `seconds` at most, and wait until it and its process group are gone."""
        seconds = min(seconds, self.left())
        if seconds <= 0:
            return Told(status="timeout")
        with tempfile.TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            return self._asked(argv, given, seconds)

    def _asked(self, argv: Sequence[str], given: BinaryIO, seconds: float) -> Told:
        try:
            process = subprocess.Popen(
                self._wrapped(argv),
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                env=self._variables(),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return Told(status=f"cannot start: {getattr(error, 'strerror', None) or error}")
        try:
            return _watched(process, time.monotonic() + seconds)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()

    def _variables(self) -> dict[str, str]:
        homes = {"HOME": str(self.private / "home"), "TMPDIR": str(self.private / "tmp")}
        return {**self.environment, **_ASKED, **homes}

    def _wrapped(self, argv: Sequence[str]) -> list[str]:
        path = self.environment.get("PATH", "").split(os.pathsep)
        tools = tool_folders(path, hidden=self.sandbox.hidden)
        places = program_places(argv[:2], apart=self.private, hidden=self.sandbox.hidden)
        shown = [self.folder, *self.readable, *tools, *places, _PACKAGE]
        inside = [each for each in shown if each.is_absolute() and not each.is_relative_to(self.private)]
        return self.sandbox.wrap(argv, writable=[self.private], readable=inside)


@contextmanager
def asking(
    *, environment: Mapping[str, str], folder: Path | None, sandbox: Sandbox, readable: Sequence[Path], seconds: float
) -> Iterator[Asking]:
    """A place to ask a program for `seconds` in all; what is private is taken away at the end. `folder` None: an empty one."""
    with tempfile.TemporaryDirectory(prefix="gate-ask-", ignore_cleanup_errors=True) as private:
        for name in ("home", "tmp", "desk"):
            (Path(private).resolve() / name).mkdir()
        yield Asking(
            environment=environment,
            folder=Path(private).resolve() / "desk" if folder is None else folder.absolute(),
            sandbox=sandbox,
            readable=tuple(readable),
            private=Path(private).resolve(),
            until=time.monotonic() + seconds,
        )


def _watched(process: subprocess.Popen[bytes], until: float) -> Told:
    """Drain both streams until the process has ended and they are closed; or until time or room is used up."""
    kept: dict[int, bytearray] = {}
    told = Told(status="")
    with selectors.DefaultSelector() as selector:
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            selector.register(stream, selectors.EVENT_READ)
            kept[stream.fileno()] = bytearray()
        streams = list(kept)
        while selector.get_map() and not told.status:
            told = replace(told, status=_taken_in(selector, kept, until - time.monotonic()))
    if not told.status:
        try:
            process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            told = replace(told, status="timeout")
    return Told(
        status=told.status or _status(process.returncode),
        stdout=bytes(kept[streams[0]]),
        stderr=bytes(kept[streams[1]]),
    )


def _taken_in(selector: selectors.BaseSelector, kept: Mapping[int, bytearray], left: float) -> str:
    """Read what is there; `timeout`, `overflow`, or nothing."""
    ready = selector.select(max(0.0, left)) if left > 0 else []
    if not ready:
        return "timeout" if left <= 0 else ""
    for key, _ in ready:
        piece = os.read(key.fd, _READ)
        if not piece:
            selector.unregister(key.fileobj)
        kept[key.fd] += piece[: MOST_PRINTED - len(kept[key.fd])]
        if piece and len(kept[key.fd]) >= MOST_PRINTED:
            return "overflow"
    return ""


def _status(code: int) -> str:
    if code >= 0:
        return str(code)
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
