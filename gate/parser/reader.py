"""Starts a Python program in this very interpreter, and writes down the parsers that it calls.

Run as a file by the program's own interpreter (`python reader.py REPORT NONCE KIND TARGET WORDS…`), which may be an old one:
standard library only, Python 3.8. KIND is `module`, `script` or `code`; WORDS are what the program gets.

Each parser becomes one line of JSON in the file REPORT, with NONCE in it: nothing that the program prints is taken for one. A parser
is *certain* when it parses all words of the command line (given none, or just those) and takes anything. Then the process
ends at once, before the program does its work. Others are written down as well and the program goes on: parsers that parse a part
(`parse_known_args`), words of their own (libraries), or that only print their help.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import optparse
import os
import runpy
import sys
from typing import Any, List, NamedTuple, Optional  # noqa: UP035 - Python 3.8

_CLICKS = ("click.core", "typer._click.core")
_MOST_REPORTS = 50


class Readers(NamedTuple):
    """What makes shapes of parsers, and the measure of a shape."""

    argparse: Any
    optparse: Any
    click: Any
    count: Any


class Report:
    """The file that parsers are written to."""

    def __init__(self, path: str, nonce: str, words: List[str], count: Any) -> None:  # noqa: UP006
        self._path = path
        self._nonce = nonce
        self._words = words
        self._count = count
        self._seen: List[Any] = []  # noqa: UP006
        self._busy = False

    def found(self, parser: Any, read: Any, args: Any, *, whole: bool, usage: Any = None) -> None:
        """Write a parser down, once; end the process where it is certain."""
        known = any(parser is each for each in self._seen)
        if self._busy or (known and not whole) or len(self._seen) >= _MOST_REPORTS:
            return
        self._seen.append(parser)
        self._busy = True
        try:
            program = read(parser)
            said = {"program": program, "usage": usage(parser) if usage else ""}
            certain = whole and self._is_ours(args) and self._count(program) > 0
        except Exception as error:
            said, certain = {"fault": f"{type(error).__name__}: {error}"[:500]}, False
        finally:
            self._busy = False
        self._write({"nonce": self._nonce, "certain": certain, **said})
        if certain:
            os._exit(0)

    def _is_ours(self, args: Any) -> bool:
        """Whether these are the words of the command line."""
        try:
            return args is None or [str(each) for each in args] == self._words
        except TypeError:
            return False

    def _write(self, told: Any) -> None:
        handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            rest = json.dumps(told, ensure_ascii=True).encode("ascii") + b"\n"
            while rest:
                rest = rest[os.write(handle, rest) :]
        finally:
            os.close(handle)


def _hook(owner: Any, name: str, report: Report, read: Any, *, whole: bool, place: int = 0, usage: Any = None) -> None:
    """Have `owner.name` write its parser down before it does what it does; `place`: of the words among its arguments; -1 for none."""
    original = vars(owner).get(name)
    if original is None:
        return

    def hooked(self: Any, *args: Any, **keywords: Any) -> Any:
        given = args[place] if 0 <= place < len(args) else keywords.get("args")
        report.found(self, read, given, whole=whole, usage=usage)
        return original(self, *args, **keywords)

    setattr(owner, name, hooked)


def _hook_argparse(report: Report, readers: Readers) -> None:
    owner = argparse.ArgumentParser
    for name in ("parse_args", "parse_intermixed_args"):
        _hook(owner, name, report, readers.argparse, whole=True)
    for name in ("parse_known_args", "parse_known_intermixed_args"):
        _hook(owner, name, report, readers.argparse, whole=False)
    for name in ("print_help", "print_usage", "format_help"):
        _hook(owner, name, report, readers.argparse, whole=False, place=-1)
    _hook(
        optparse.OptionParser, "parse_args", report, readers.optparse, whole=True, usage=lambda each: each.get_usage()
    )


def _hook_click(module: Any, report: Report, readers: Readers) -> None:
    owner = vars(module).get("BaseCommand") or module.Command
    context = module.Context

    def make_context(command: Any, name: str, parent: Any) -> Any:
        kind = getattr(command, "context_class", context)
        return kind(command, info_name=name, parent=parent, resilient_parsing=True, **command.context_settings)

    def read(command: Any) -> Any:
        return readers.click(command, make_context)

    inner = vars(owner)["make_context"]

    def hooked(self: Any, info_name: Any, args: Any, parent: Any = None, **extra: Any) -> Any:
        if parent is None:
            report.found(self, read, args, whole=True)
        return inner(self, info_name, args, parent, **extra)

    _hook(owner, "main", report, read, whole=True)
    owner.make_context = hooked  # for those whose `main` is one of their own, as Typer's


class _AfterImport:
    """A finder that finds nothing itself, and hooks click right after it was imported."""

    def __init__(self, report: Report, readers: Readers) -> None:
        self._report = report
        self._readers = readers

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[Any]:  # noqa: UP045
        if name not in _CLICKS:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                self._hook_after(spec.loader)
                return spec
        return None

    def _hook_after(self, loader: Any) -> None:
        run = loader.exec_module

        def exec_module(module: Any) -> None:
            run(module)
            _hook_click(module, self._report, self._readers)

        loader.exec_module = exec_module


def _load_readers() -> Readers:
    """Load our modules from their own folder, as the path is the program's; then make room for a program that is called as we are."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    spec = importlib.util.spec_from_file_location("gate", folder + "/__init__.py", submodule_search_locations=[folder])
    assert spec is not None
    assert spec.loader is not None
    sys.modules["gate"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    from gate.parser.shape_argparse import read_argparse, read_optparse  # noqa: PLC0415
    from gate.parser.shape_click import read_click  # noqa: PLC0415
    from gate.parser.shape_values import count  # noqa: PLC0415

    for name in [name for name in sys.modules if name == "gate" or name.startswith("gate.")]:
        del sys.modules[name]
    return Readers(argparse=read_argparse, optparse=read_optparse, click=read_click, count=count)


def _run(kind: str, target: str) -> None:
    safe = bool(getattr(sys.flags, "safe_path", False) or sys.flags.isolated)
    if not safe:
        sys.path[0] = os.path.dirname(os.path.realpath(target)) if kind == "script" else os.getcwd()  # noqa: PTH109, PTH120
    if kind == "module":
        runpy.run_module(target, run_name="__main__", alter_sys=True)
    elif kind == "script":
        runpy.run_path(target, run_name="__main__")
    else:
        exec(compile(target, "<string>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})


def main(path: str, nonce: str, kind: str, target: str, *words: str) -> None:
    """Run the program under the hooks. Its end is of no interest: what it said is in the report."""
    readers = _load_readers()
    report = Report(path, nonce, list(words), readers.count)
    _hook_argparse(report, readers)
    for name in _CLICKS:
        if name in sys.modules:
            _hook_click(sys.modules[name], report, readers)
    sys.meta_path.insert(0, _AfterImport(report, readers))
    sys.argv = [target if kind == "script" else "-c" if kind == "code" else "-m", *words]
    _run(kind, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
