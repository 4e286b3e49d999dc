"""The programs that faults are seeded in: the demo's own, and three real ones that stand wherever this project's tests run."""

from __future__ import annotations

import importlib.util
from functools import cache
from hashlib import sha256
from pathlib import Path

from auditor.demo.folder import shipped_files
from evals.errors import EvalsError
from evals.faults.fixtures import archives, pages
from evals.faults.properties import CALENDAR_PROPERTIES, MARKDOWN_PROPERTIES, TARFILE_PROPERTIES
from evals.faults.values import Fault, Files, Program


def _of_demo(folder: str) -> Files:
    shipped = shipped_files()
    return {name.removeprefix(folder): data for name, data in shipped.items() if name.startswith(folder)}


def _module(name: str) -> Files:
    """A module of one file."""
    file = _found(name)
    return {file.name: file.read_bytes()}


def _packages(*names: str) -> Files:
    """The sources of packages, each below its own name."""
    files: dict[str, bytes] = {}
    for name in names:
        root = _found(name).parent
        files |= {f"{name}/{path.relative_to(root).as_posix()}": path.read_bytes() for path in root.rglob("*.py")}
    return dict(sorted(files.items()))


def _found(name: str) -> Path:
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None or not Path(found.origin).is_file():
        raise EvalsError(
            f"{name}: expected a module of this environment, found none", next_step="Install the project anew."
        )
    return Path(found.origin)


def _kv() -> Files:
    return _of_demo("baseline/")


def _tarfile() -> Files:
    return _module("tarfile")


def _calendar() -> Files:
    return _module("calendar")


def _markdown() -> Files:
    return _packages("markdown_it", "mdurl")


def _kv_fixtures() -> Files:
    return {"far/README": b"A remote that is free.\n", "near/busy": b"5", "near/README": b"A remote that is busy.\n"}


PROGRAMS = {
    each.name: each
    for each in (
        Program(
            name="kv",
            files=_kv,
            runner="trace",
            argv=("{python}", "{build}/kv.py"),
            cases={
                "A": (("set", "c", "1"), ("set", "a", "2"), ("set", "b", "3"), ("set", "c", "4"), ("list",)),
                "B": (("set", "k", ""), ("get", "k"), ("delete", "k"), ("rename", "k", "j")),
                "C": (("set", "n", "naïve"), ("get", "n")),
                "D": (("set", "a", "1"), ("push", "near"), ("push", "near")),
                "E": (("set", "a", "1"), ("push", "far"), ("push", "far")),
            },
            fixtures=_kv_fixtures,
            properties=_of_demo("properties/"),
            env={"PYTHONHASHSEED": "3"},
        ),
        Program(
            name="tarfile",
            files=_tarfile,
            argv=("{python}", "{build}/tarfile.py"),
            cases={
                "A": (("-l", "notes.tar"), ("-v", "-l", "notes.tar")),
                "B": (("-t", "notes.txt"), ("-l", "notes.txt")),
                "C": (("-e", "notes.tar", "out"), ("-v", "-e", "newer.tar", "out")),
                "D": (("-l", "half.tar"),),
            },
            fixtures=archives,
            properties=TARFILE_PROPERTIES,
            env={"TZ": "EST5"},  # POSIX's own spelling: it needs no file of zones
        ),
        Program(
            name="calendar",
            files=_calendar,
            argv=("{python}", "{build}/calendar.py"),
            cases={
                "A": (("2024", "2"), ("-w", "4", "2023", "11")),
                "B": (("2024",), ("-m", "2", "2023")),
                "C": (("-t", "html", "2024"),),
                "D": (("-e", "utf-9", "2024", "1"), ("-L", "C", "2024"), ("2024", "x")),
            },
            fixtures=dict,
            properties=CALENDAR_PROPERTIES,
            env={},
        ),
        Program(
            name="markdown",
            files=_markdown,
            argv=("{python}", "-m", "markdown_it.cli.parse"),
            cases={
                "A": (("intro.md",), ("steps.md",)),
                "B": (("links.md", "uses.md"), ("uses.md",)),
                "C": (("cafe.md",), ("bytes.md",)),
                "D": (("absent.md",), ("steps.md", "cafe.md", "links.md")),
            },
            fixtures=pages,
            properties=MARKDOWN_PROPERTIES,
            env={"PYTHONPATH": "{build}", "PYTHONHASHSEED": "1", "LC_ALL": "POSIX"},
        ),
    )
}


@cache
def baseline(program: str) -> Files:
    """The files of a program as they stand here. Raises EvalsError where it is not here."""
    return PROGRAMS[program].files()


def source_digest(program: str) -> str:
    """SHA-256 of the program as it stands here: another version is another recording."""
    files = baseline(program)
    held = "".join(f"{name} {sha256(data).hexdigest()}\n" for name, data in sorted(files.items()))
    return sha256(held.encode()).hexdigest()


def candidate(fault: Fault) -> Files:
    """The program with the fault in it. Raises EvalsError where the old text does not stand exactly once in its file."""
    files = baseline(fault.program)
    text = files.get(fault.file, b"").decode("utf-8")
    if text.count(fault.old) != 1:
        raise EvalsError(
            f"{fault.id}: expected its old text once in {fault.file}, got it {text.count(fault.old)} times",
            next_step="This version of the program is another than the fault was written for.",
        )
    return {**files, fault.file: text.replace(fault.old, fault.new).encode()}
