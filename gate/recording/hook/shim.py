"""Stands in for a program on PATH: notes the invocation, then becomes the real program."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys

from .folder import Folder
from .inputs import MOST_INPUT, descriptor
from .start import environment
from .subject import Subject
from .watch import Recorder


def run(path: str, name: str, words: list[str]) -> None:
    """Record into the recording at `path`, and replace this process by the program; does not return."""
    folder = Folder(path)
    own = os.path.realpath(os.path.join(path, "bin"))
    places = [
        place for place in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.realpath(place or ".") != own
    ]
    real = shutil.which(name, path=os.pathsep.join(places))
    if real is None:
        sys.stderr.write("%s: command not found\n" % name)
        os._exit(127)
    try:
        if not _records_itself(real):
            _record(folder, name, words)
    except Exception as error:
        folder.fault(error)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and what is executed would inherit that
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.execv(real, [name, *words])


def _records_itself(real: str) -> bool:
    """Whether the program is run by a Python that loads our hook, which sees more."""
    with open(real, "rb") as stream:
        head = b" ".join(stream.read(512).split(b"\n")[:3])
    first = head.split(b"\n")[0]
    return head.startswith(b"#!") and b"python" in head and not any(flag in first for flag in (b" -I", b" -E", b" -S"))


def _record(folder: Folder, name: str, words: list[str]) -> None:
    recorder = Recorder(folder, Subject(os.path.join(folder.path, "subject")), environment(folder.path))
    folder.root = recorder.subject.root
    stdin = descriptor(0, recorder.subject.starter)
    recorder.start(how="shim", program=name, argv=words, stdin=stdin)
    if stdin.get("note") == "pipe":
        _tee(recorder)


def _tee(recorder: Recorder) -> None:
    """Put a process between the pipe and the program, which copies what goes through. It is no child of the program."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        if os.fork() == 0:
            os.close(reader)
            _pump(recorder, writer)
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writer)
    os.dup2(reader, 0)
    os.close(reader)


def _pump(recorder: Recorder, writer: int) -> None:
    try:
        for number in range(1, 256):
            if number != writer:
                try:
                    os.close(number)  # whoever waits for the end of the program's output must not wait for this one
                except OSError:
                    continue
        _copy(recorder, writer)
    except OSError:
        pass
    finally:
        os._exit(0)


def _copy(recorder: Recorder, writer: int) -> None:
    """Until the input ends, or nobody reads any more."""
    kept = 0
    waiting = select.poll()
    waiting.register(0, select.POLLIN | select.POLLHUP)
    waiting.register(writer, 0)
    while True:
        ready = dict(waiting.poll())
        if writer in ready:
            return
        data = os.read(0, 1 << 16)
        if not data:
            return
        if kept <= MOST_INPUT:
            recorder.more({"input": data})
        kept += len(data)
        while data:
            data = data[os.write(writer, data) :]
