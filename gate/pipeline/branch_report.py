"""Which branches of a source were taken, by the library `coverage`: it reads the source, and never runs it."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec


class Branch(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A jump from one line to another; `to` below 0 leaves the function that begins at that line."""

    line: int
    to: int


class FileBranches(msgspec.Struct, frozen=True, kw_only=True):
    """One file."""

    file: str
    loaded: bool
    """Whether any process ran it at all; if not, the rest is empty."""
    branches: int = 0
    unreached: tuple[Branch, ...] = ()
    """By line."""
    fault: str = ""
    """Why it could not be analysed; empty where it could."""


def branches_of(name: str, source: bytes, arcs: Iterable[tuple[int, int]]) -> FileBranches:
    """What of `source` the `arcs` (from line, to line) leave out. Without any, the file was not loaded."""
    taken = list(arcs)
    if not taken:
        return FileBranches(file=name, loaded=False)
    try:
        told = _report(source, taken)
    except Exception as error:  # the library's own faults on a source of another Python
        return FileBranches(file=name, loaded=True, fault=f"{type(error).__name__}")
    unreached = sorted((line, to) for line, to in told.missing_branches)
    return FileBranches(
        file=name,
        loaded=True,
        branches=told.summary.num_branches,
        unreached=tuple(Branch(line=line, to=to) for line, to in unreached),
    )


class _Summary(msgspec.Struct, frozen=True, kw_only=True):
    num_branches: int


class _File(msgspec.Struct, frozen=True, kw_only=True):
    summary: _Summary
    missing_branches: tuple[tuple[int, int], ...]


class _Whole(msgspec.Struct, frozen=True, kw_only=True):
    files: dict[str, _File]


def _report(source: bytes, arcs: list[tuple[int, int]]) -> _File:
    coverage = importlib.import_module("coverage")  # optional: only --branches needs it
    with tempfile.TemporaryDirectory(prefix="gate-branches-") as folder:
        file, report = Path(folder).resolve() / "source.py", Path(folder) / "report.json"
        file.write_bytes(source)
        measured = coverage.Coverage(data_file=None, branch=True, config_file=False, messages=False)
        measured.get_data().add_arcs({str(file): arcs})
        measured.json_report(morfs=[str(file)], outfile=str(report))
        (told,) = msgspec.json.decode(report.read_bytes(), type=_Whole).files.values()
    return told
