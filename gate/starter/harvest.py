"""Files of a repository that a starter pack may be made of."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from gate.corpus.transcripts.credentials import secret_in
from gate.corpus.transcripts.private_names import private_path
from gate.domain import Step
from gate.starter.literals import texts_in
from gate.starter.sample import Sample
from gate.starter.skipped import CACHES, MADE, is_environment
from gate.starter.tracked import tracked

_DATA = frozenset(
    [
        "tests",
        "test",
        "testing",
        "testdata",
        "test_data",
        "examples",
        "example",
        "samples",
        "sample",
        "data",
        "docs",
        "doc",
        "fixtures",
        "demo",
        "demos",
        "corpus",
    ]
)
_SKIPPED = CACHES | MADE
_LARGEST = 8 * 1024
_LARGEST_TEST = 256 * 1024
_MOST_TEXTS = 3_000
_MOST_LOOKED_AT = 20_000
_MOST_READ = 600
_ABOUT = (
    "author",
    "contributor",
    "maintainer",
    "changelog",
    "changes",
    "license",
    "licence",
    "copying",
    "readme",
    "history",
    "conftest",
)
"""Beginnings of names of files about the project, with names of people."""


def candidates(tree: Path, suffixes: frozenset[str]) -> tuple[Sample, ...]:
    """Small text files with one of `suffixes` in the tree's folders of tests, examples, documents and data, sorted by path.

    In a work tree of git only what git tracks. Never a dotfile or one below a dot folder, never a link, never what looks like a secret,
    by its name or its content. Bounded: of very large trees the first folders in the order of names.
    """
    found = []
    for path in _files(tree):
        inside = PurePosixPath(path.relative_to(tree).as_posix())
        if path.suffix.lower() not in suffixes or not _DATA.intersection(part.lower() for part in inside.parts[:-1]):
            continue
        if path.name.lower().startswith(_ABOUT) or private_path(str(inside)):
            continue
        if (data := _read(path)) is not None and not secret_in(Step(argv=(data,))):
            found.append(Sample(path=inside, data=data))
            if len(found) == _MOST_READ:
                break
    return tuple(found)


def texts_of_tests(tree: Path, suffix: str) -> tuple[str, ...]:
    """The texts in the tests of the tree that read like files of `suffix` (gate.starter.literals), each once, in the order of paths
    and lines. The same files are looked at as for `candidates`; what looks like a secret is left out."""
    found: dict[str, None] = {}
    read = 0
    for path in _files(tree):
        if len(found) >= _MOST_TEXTS:
            break
        inside = PurePosixPath(path.relative_to(tree).as_posix())
        if path.suffix.lower() != ".py" or not _is_test(inside) or private_path(str(inside)):
            continue
        if (data := _read(path, most=_LARGEST_TEST)) is not None:
            found |= dict.fromkeys(
                text for text in texts_in(data, suffix) if not secret_in(Step(argv=(text.encode(),)))
            )
            read += 1
            if read == _MOST_READ:
                break
    return tuple(found)


def _is_test(path: PurePosixPath) -> bool:
    inside = any(part.lower() in ("tests", "test", "testing") for part in path.parts[:-1])
    return inside or path.stem.startswith("test_") or path.stem.endswith("_test")


def suffixes_of_data(tree: Path) -> tuple[str, ...]:
    """The suffixes of files in folders of test and example data, the most frequent first; those of code and documents apart."""
    seen: dict[str, int] = {}
    for path in _files(tree):
        parts = path.relative_to(tree).parts[:-1]
        if _DATA.intersection(part.lower() for part in parts) and not {"docs", "doc"}.intersection(parts):
            seen[path.suffix.lower()] = seen.get(path.suffix.lower(), 0) + 1
    code = {
        "",
        ".py",
        ".pyc",
        ".pyi",
        ".md",
        ".rst",
        ".cfg",
        ".toml",
        ".sh",
        ".png",
        ".svg",
        ".gz",
        ".zip",
        ".lock",
        ".in",
    }
    return tuple(sorted(set(seen) - code, key=lambda suffix: (-seen[suffix], suffix)))


def _files(tree: Path) -> Iterator[Path]:
    """Those that may be looked at, in the order of folders and names."""
    known = tracked(tree)
    looked_at = 0
    for folder, folders, files in os.walk(tree, followlinks=False):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in _SKIPPED and not is_environment(Path(folder) / name)
        )
        for name in sorted(files):
            looked_at += 1
            if looked_at > _MOST_LOOKED_AT:
                return
            path = Path(folder) / name
            if not name.startswith(".") and (known is None or path.relative_to(tree).as_posix() in known):
                yield path


def _read(path: Path, *, most: int = _LARGEST) -> bytes | None:
    """The content of a text file of at most `most` bytes; None for any other."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as stream:
        data = stream.read(most + 1) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
    return (
        None if not data or len(data) > most or b"\0" in data or data.startswith(b"version https://git-lfs") else data
    )
