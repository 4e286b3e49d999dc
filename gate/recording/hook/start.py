"""Begins to record in a process of Python. Whatever fails here is noted and changes nothing."""

from __future__ import annotations

import os
import sys
from typing import Any

from .folder import Folder
from .inputs import descriptor, listen
from .parsers import WATCHED, Parsers
from .subject import Subject
from .watch import Recorder


def begin(path: str) -> None:
    """Record in this process, into the recording at `path`."""
    folder = Folder(path)
    try:
        _begin(folder)
    except Exception as error:
        folder.fault(error)


def _begin(folder: Folder) -> None:
    subject = Subject(os.path.join(folder.path, "subject"))
    folder.root = subject.root
    recorder = Recorder(folder, subject, environment(folder.path))
    found = subject.process(_words())
    parsers = Parsers(recorder, process=found is not None)
    if found is not None:
        _process(recorder, *found)
        os.register_at_fork(after_in_child=recorder.forked)
        return
    os.register_at_fork(after_in_child=recorder.forked)
    for name in WATCHED:
        if name in sys.modules:
            parsers.wrap(sys.modules[name])
    sys.meta_path.insert(0, _Finder(parsers))


def _process(recorder: Recorder, name: str, argv: list[str]) -> None:
    """This process is an invocation."""
    import atexit

    recorder.busy = True
    try:
        stdin = descriptor(0, recorder.subject.starter)
        recorder.start(how="process", program=name, argv=argv, stdin=stdin)
        if stdin.get("note") == "pipe":
            listen(lambda data: recorder.more({"input": data}))
        atexit.register(recorder.end)
    finally:
        recorder.busy = False


def _words() -> list[str]:
    """The command line of this process, the interpreter first."""
    found = getattr(sys, "orig_argv", None)
    if found is not None:
        return list(found)
    with open("/proc/self/cmdline", "rb") as stream:
        return [os.fsdecode(word) for word in stream.read().split(b"\0")[:-1]]


def environment(path: str) -> dict[str, str]:
    """The variables that the recorded command was started with."""
    with open(os.path.join(path, "environment"), "rb") as stream:
        pairs = [os.fsdecode(each).partition("=") for each in stream.read().split(b"\0") if each]
    return {name: text for name, _, text in pairs}


class _Finder:
    """Has a module of `WATCHED` wrapped once it is imported; finds nothing itself."""

    def __init__(self, parsers: Parsers) -> None:
        self._parsers = parsers

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """The spec that the other finders give, with a loader that wraps."""
        if name not in WATCHED:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None and finder is not self else None
            if spec is not None:
                self._watch(spec)
                return spec
        return None

    def _watch(self, spec: Any) -> None:
        original = spec.loader.exec_module
        parsers = self._parsers

        def exec_module(module: Any) -> None:
            original(module)
            try:
                parsers.wrap(module)
            except Exception as error:
                parsers._recorder.folder.fault(error)

        try:
            spec.loader.exec_module = exec_module
        except AttributeError:  # a loader that takes none: its module is not watched
            return
