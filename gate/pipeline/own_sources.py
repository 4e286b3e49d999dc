"""The Python files of a tree that are the program's own: no tests, no libraries, nothing of the judge."""

from __future__ import annotations

import fnmatch
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gate.config.model import Project
from gate.corpus.exit_codes import NamedCode, named_codes

_NOT_OWN = frozenset(
    {"__pycache__", "node_modules", "site-packages", "test", "tests", "testing", "doc", "docs", "examples", "benches"}
)
_NOT_OWN_FILES = ("test_*.py", "*_test.py", "conftest.py", "setup.py", "noxfile.py")
_LARGEST = 1 << 21
_MOST = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSource:
    """One file."""

    name: str
    """Its path below the tree, with `/`."""
    data: bytes


def own_sources(tree: Path, project: Project) -> tuple[OwnSource, ...]:
    """The files below `tree`, by name. At most 5000, of at most 2 MiB each; the rest is left out.

    Left out as well: links, hidden folders, virtual environments, folders of installed libraries, tests and documents, `setup.py`, and the
    folders of the judge.
    """
    config = project.config
    judge = {config.folder, config.fixtures, config.properties}
    found = sorted(_files(tree, judge))[:_MOST]
    return tuple(OwnSource(name=name, data=data) for name in found if (data := _read(tree / name)) is not None)


def codes_of(sources: tuple[OwnSource, ...]) -> tuple[NamedCode, ...]:
    """The exit codes that the sources name, each once, by code; a source that is no Python of this version names none."""
    found: dict[int, NamedCode] = {}
    for source in sources:
        try:
            for each in named_codes(source.data, file=source.name):
                found.setdefault(each.code, each)
        except ValueError:
            continue
    return tuple(found[code] for code in sorted(found))


def _files(tree: Path, judge: set[str]) -> Iterator[str]:
    for folder, folders, files in os.walk(tree):
        here = Path(folder).relative_to(tree)
        folders[:] = sorted(name for name in folders if _is_own(tree, here / name, judge))
        for name in files:
            if name.endswith(".py") and not any(fnmatch.fnmatchcase(name, each) for each in _NOT_OWN_FILES):
                yield (here / name).as_posix()


def _is_own(tree: Path, folder: Path, judge: set[str]) -> bool:
    hidden = folder.name.startswith(".") or folder.name in _NOT_OWN or folder.as_posix() in judge
    return not hidden and not (tree / folder / "pyvenv.cfg").exists()


def _read(file: Path) -> bytes | None:
    found = file.lstat()
    if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
        return None
    return file.read_bytes()
