"""Calls that parse a command line: argparse, optparse, click and what is built on it."""

from __future__ import annotations

import functools
import os
import sys
from typing import Any, Callable

from .inputs import given
from .subject import Subject
from .watch import Recorder

WATCHED = {
    "argparse": (("ArgumentParser", "parse_known_args"), ("ArgumentParser", "parse_known_intermixed_args")),
    "optparse": (("OptionParser", "parse_args"),),
    "click.core": (("BaseCommand", "main"), ("Command", "main")),
    "typer._click.core": (("Command", "main"),),
    "typer.core": (("TyperCommand", "main"), ("TyperGroup", "main")),
}
"""Module to classes and their methods; what a release of it does not have is passed by."""


class Parsers:
    """Wraps the methods of `WATCHED` in the modules that are imported. A call inside of another is part of it."""

    def __init__(self, recorder: Recorder, *, process: bool) -> None:
        """`process`: this process is an invocation itself, so that calls in it are no others."""
        self._recorder = recorder
        self._process = process
        self._depth = 0
        self._last: tuple[int, int, tuple[int, ...]] = (0, 0, ())

    def wrap(self, module: Any) -> None:
        """Wrap what a module that was just imported has."""
        for class_, method in WATCHED[module.__name__]:
            held = vars(module).get(class_)  # `getattr` would have a module warn of a name that it gives up
            original = vars(held).get(method) if isinstance(held, type) else None
            if callable(original) and not hasattr(original, "_gate_recorded"):
                setattr(held, method, self._wrapped(original, ends=method == "main"))

    def _wrapped(self, original: Callable[..., Any], *, ends: bool) -> Callable[..., Any]:
        @functools.wraps(original)
        def call(parser: Any, *words: Any, **named: Any) -> Any:
            began = False
            if not self._depth and not self._process:
                began = self._seen(parser, words[0] if words else named.get("args"), named.get("prog_name"), ends=ends)
            self._depth += 1
            try:
                return original(parser, *words, **named)
            finally:
                self._depth -= 1
                if began and ends:
                    self._ended()

        call._gate_recorded = True  # type: ignore[attr-defined]
        return call

    def _ended(self) -> None:
        try:
            self._recorder.busy = True
            self._recorder.end()
        except Exception as error:
            self._recorder.folder.fault(error)
        finally:
            self._recorder.busy = False

    def _seen(self, parser: Any, args: Any, prog: object, *, ends: bool) -> bool:
        recorder = self._recorder
        recorder.busy = True
        try:
            return self._recorded(parser, args, prog, ends=ends)
        except Exception as error:
            recorder.folder.fault(error)
            return False
        finally:
            recorder.busy = False

    def _recorded(self, parser: Any, args: Any, prog: object, *, ends: bool) -> bool:
        recorder = self._recorder
        subject = recorder.subject
        caller, frames = subject.caller(sys._getframe(3))
        if caller is None and not (ends and _of_project(parser, subject.packages)):
            return False
        if not ends and frames and self._goes_on(frames):
            return False
        name = _of_root(subject, parser) or subject.program(prog or getattr(parser, "prog", None), frames)
        if name is None:
            return False
        if isinstance(args, (str, bytes)):
            return False
        words = sys.argv[1:] if args is None else list(args)
        if not all(isinstance(word, (str, bytes, os.PathLike)) for word in words):
            recorder.start(how="call", program=name, argv=[], stdin={"stdin": None, "note": "words"})
            return True
        argv = [os.fsdecode(word) for word in words]
        if ends and name:
            argv = [*_path_to(_root(subject, name, parser), parser), *argv]
        none: dict[str, object] = {"stdin": None}
        recorder.start(
            how="call", program=name, argv=argv, stdin=none if sys.stdin is sys.__stdin__ else given(sys.stdin)
        )
        return True

    def _goes_on(self, frames: list[Any]) -> bool:
        """Whether this call is of the same run of the program as the last one: a program may parse twice.

        The outmost function is the same, and it or what it called has gone on since.
        """
        last = self._last
        self._last = (id(frames[-1]), id(frames[-1].f_code), tuple(frame.f_lasti for frame in reversed(frames)))
        return last[:2] == self._last[:2] and self._last[2] > last[2]


def _of_project(command: Any, packages: dict[str, str], depth: int = 4) -> bool:
    """Whether a function that a command calls is of the project."""
    module = getattr(getattr(command, "callback", None), "__module__", None)
    if isinstance(module, str) and module.partition(".")[0] in packages:
        return True
    return depth > 0 and any(_of_project(each, packages, depth - 1) for each in _inner(command).values())


def _inner(command: Any) -> dict[str, Any]:
    """The commands of a group, by their words. Any object of the project may be asked: one that makes up its attributes has none."""
    try:
        held = vars(command).get("commands")
    except Exception:
        return {}
    return held if isinstance(held, dict) else {}


def _root(subject: Subject, name: str, command: Any) -> Any:
    """What the program's console script calls; where it is not loaded, an object of the project that the command is below."""
    root = subject.root_command(name)
    if root is not None:
        return root
    modules = [each for key, each in list(sys.modules.items()) if key.partition(".")[0] in subject.packages]
    for module in modules:
        for value in list(vars(module).values()) if isinstance(module, type(sys)) else ():
            if _path_to(value, command):
                return value
    return command


def _of_root(subject: Subject, command: Any) -> str | None:
    """The program that is recorded whose console script calls the command, or one that the command is below."""
    for name in subject.targets:
        root = subject.root_command(name)
        if subject.names.get(name) and root is not None and (root is command or _path_to(root, command)):
            return name
    return None


def _path_to(root: Any, command: Any, depth: int = 4) -> list[str]:
    """The words that lead from the program to one of its commands; none where it is the program, or is not found below it."""
    if root is command or depth == 0:
        return []
    for name, each in _inner(root).items():
        if each is command:
            return [name]
        if below := _path_to(each, command, depth - 1):
            return [name, *below]
    return []
