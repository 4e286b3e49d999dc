"""The property files as values: which there are, and which tests each one pins. They are read, never run."""

from __future__ import annotations

import ast
import codecs
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from gate.errors import PropertyError

_FILE = re.compile(r"test_(.+)\.py")
_COLLECTED = re.compile(r"test_.*\.py|.*_test\.py")
"""What pytest would collect when it is run by hand."""

_NAME = re.compile(r"[A-Za-z0-9_]+")
_CONSTANTS = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr)


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """One invariant: a file `test_NAME.py` right in the properties folder."""

    name: str
    file: str
    """The file's name."""
    tests: tuple[str, ...]
    """Pinned ids, sorted: `test_a`, `TestC::test_m`; `TestC` alone where its tests come from somewhere else, too. At least one.
    Each needs at least one test that ran, and each test that ran has to lie under one."""
    statement: str
    """The docstring of the file: the invariant in words. Empty where it has none."""


def read_properties(folder: Path) -> tuple[Property, ...]:
    """The properties in `folder`, sorted by name. A missing folder holds none.

    Sub-folders and other files are helper modules. Raises PropertyError with file and line for a file that is not UTF-8 or not
    Python, has no test, defines one name twice, or takes a test from another module; and for one that looks like a test file and
    would not vote: in a sub-folder, or named `NAME_test.py`.
    """
    if not folder.is_dir():
        if folder.exists():
            raise PropertyError(
                f"{folder}: expected a folder of property files, found a file", next_step="Make it a folder."
            )
        return ()
    _hold_to_names(folder)
    found = []
    for path in sorted(folder.iterdir(), key=lambda entry: entry.name):
        named = _FILE.fullmatch(path.name)
        if named is not None and not path.is_dir():
            found.append(_read(path, named.group(1)))
    return tuple(found)


def _hold_to_names(folder: Path) -> None:
    for top, names, files in os.walk(folder):
        names.sort()
        for file in sorted(files):
            right = Path(top) == folder and _FILE.fullmatch(file)
            if _COLLECTED.fullmatch(file) and not right:
                _refuse(
                    Path(top, file).relative_to(folder).as_posix(),
                    1,
                    "expected test files right in the folder as test_NAME.py, got one that pytest collects and the gate does not",
                    "Put it right in the folder as test_NAME.py, or rename the helper.",
                )


def _read(path: Path, name: str) -> Property:
    if not _NAME.fullmatch(name):
        _refuse(
            path.name,
            1,
            f"expected a name of letters, digits and underscores after 'test_', got {name!r}",
            "Rename it.",
        )
    if path.is_symlink() or not path.is_file():
        _refuse(path.name, 1, "expected a file, found something else", "Put the property itself there.")
    data = path.read_bytes().removeprefix(codecs.BOM_UTF8)  # Python passes over it as well
    try:
        tree = ast.parse(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        _refuse(path.name, line, "expected UTF-8, got other bytes", "Save the file as UTF-8.")
    except SyntaxError as error:
        _refuse(path.name, error.lineno or 1, f"expected Python, got a syntax error: {error.msg}", "Mend the file.")
    except ValueError as error:
        _refuse(path.name, 1, f"expected Python, got something else: {error}", "Mend the file.")
    tests = _pinned(tree.body, path.name)
    if not tests:
        _refuse(
            path.name, 1, "expected at least one test, found none", "Name its functions test_… or its classes Test…."
        )
    return Property(name=name, file=path.name, tests=tuple(sorted(tests)), statement=ast.get_docstring(tree) or "")


def _pinned(body: Sequence[ast.stmt], file: str, prefix: str = "") -> list[str]:
    """The ids that the statements of a module or a class define."""
    ids: list[str] = []
    lines: dict[str, int] = {}
    for name, statement in _definitions(body):
        if name in lines:
            _refuse(
                file,
                statement.lineno,
                f"{prefix + name!r} is defined twice: line {lines[name]} has it already, and only the last one would run",
                "Give each test a name of its own.",
            )
        lines[name] = statement.lineno
        ids += _ids(statement, prefix + name, file)
    return ids


def _ids(statement: ast.stmt, name: str, file: str) -> list[str]:
    if isinstance(statement, ast.AsyncFunctionDef):
        _refuse(
            file, statement.lineno, f"{name!r} is an async test, which pytest does not run", "Use asyncio.run in it."
        )
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        _refuse(
            file,
            statement.lineno,
            f"{name!r} comes from another module, and would be collected as a test of this property",
            "Import it under a name that does not begin with test or Test, or define the test here.",
        )
    if isinstance(statement, ast.ClassDef) and not statement.bases and not statement.keywords:
        return _pinned(statement.body, file, f"{name}::")
    return [name]


def _definitions(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """What is bound to a name that pytest collects, also below `if`, `try`, `with`, `for` and `match`."""
    for statement in body:
        for name in _bound(statement):
            if name.startswith(("test", "Test")):
                yield name, statement
        for inner in _blocks(statement):
            yield from _definitions(inner)


def _bound(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            if name.startswith("test"):
                yield name
        case ast.ClassDef(name=name):
            if name.startswith("Test"):
                yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
        case ast.Assign(targets=targets, value=given) if not isinstance(given, _CONSTANTS):
            for target in targets:
                yield from _names(target)
        case ast.AnnAssign(target=ast.Name(id=name), value=given) if given is not None and not isinstance(
            given, _CONSTANTS
        ):
            yield name
        case _:
            return


def _names(target: ast.expr) -> Iterator[str]:
    """The names that an assignment binds; none for an attribute or an item."""
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=members) | ast.List(elts=members):
            for member in members:
                yield from _names(member)
        case ast.Starred(value=inner):
            yield from _names(inner)
        case _:
            return


def _blocks(statement: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, None) or ()
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _refuse(file: str, line: int, why: str, next_step: str) -> NoReturn:
    raise PropertyError(f"{file}:{line}: {why}", next_step=next_step)
