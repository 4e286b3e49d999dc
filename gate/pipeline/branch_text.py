"""The report on branches, as lines for people."""

from __future__ import annotations

from collections.abc import Iterator

from gate.diff.escape import escaped_name
from gate.pipeline.branch_report import Branch, FileBranches
from gate.pipeline.branches import Branches


def branch_lines(found: Branches) -> Iterator[str]:
    """A count, then what is not reached, file by file. `12->exit`: the function that line 12 stands in is never left from there."""
    loaded = [each for each in found.files if each.loaded and not each.fault]
    total, missing = sum(each.branches for each in loaded), sum(len(each.unreached) for each in loaded)
    yield f"branches: {total - missing} of {total} reached in {len(loaded)} of {len(found.files)} Python files of the program itself"
    if not found.files:
        yield "  the tree has no Python file of its own: tests, libraries and hidden folders do not count"
    if not found.processes:
        yield f"  no process was measured{f': {escaped_name(found.fault)}' if found.fault else ''}"
    elif found.fault:
        yield f"  a process was not measured: {escaped_name(found.fault)}"
    for each in found.files:
        yield from _file(each)


def _file(each: FileBranches) -> Iterator[str]:
    name = escaped_name(each.file)
    if not each.loaded:
        yield f"  {name}: never loaded"
    elif each.fault:
        yield f"  {name}: could not be analysed: {escaped_name(each.fault)}"
    elif each.unreached:
        missing = ", ".join(map(_branch, each.unreached))
        yield f"  {name}: {each.branches - len(each.unreached)} of {each.branches} reached; not: {missing}"


def _branch(branch: Branch) -> str:
    return f"{branch.line}->{branch.to if branch.to > 0 else 'exit'}"
