"""Which lines of a program run: by its suite, and by each case of a corpus.

The library `coverage` measures every Python process that starts with a hook of ours first on PYTHONPATH. A process that left no
measurement is not taken for one that ran nothing: its case counts as one that runs every line.
"""

from __future__ import annotations

import ast
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

Lines = dict[str, frozenset[int]]
"""Numbers of the lines that ran, by the file's path below the folder that holds the package."""

HOOK = '''"""Measures this process."""
import atexit, os
def _start():
    import coverage
    case = os.environ.get("BENCH_CASE") or os.path.basename(os.path.dirname(os.getcwd()))
    place = os.path.join(os.environ["BENCH_LINES"], case)
    os.makedirs(place, exist_ok=True)
    held = coverage.Coverage(
        data_file=os.path.join(place, "data"), data_suffix=True, config_file=False, include=[os.environ["BENCH_FILES"]],
        messages=False,
    )
    held._warn_no_data = False
    held.start()
    def end():
        held.stop()
        held.save()
    atexit.register(end)
_start()
'''


def lay_hook(folder: Path) -> str:
    """The folder for PYTHONPATH that measures each process."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text(HOOK)
    return str(folder)


def hook_environment(data: Path, package: str, case: str = "") -> Mapping[str, str]:
    """What the hook reads: where it writes, which files it measures, and whose process it is (else the working directory says so)."""
    return {"BENCH_LINES": str(data), "BENCH_FILES": f"*/{package}/*", "BENCH_CASE": case}


def read_lines(folder: Path, package: str) -> tuple[Lines, int]:
    """The lines that the processes of one case ran, and how many processes there were."""
    import coverage  # noqa: PLC0415 - of the bench's own environment, see `measuring`

    held: dict[str, set[int]] = defaultdict(set)
    files = sorted(folder.glob("data*")) if folder.is_dir() else []
    for file in files:
        data = coverage.CoverageData(basename=str(file))
        data.read()
        for measured in data.measured_files():
            name = below_package(measured, package)
            if name is not None:
                held[name].update(data.lines(measured) or ())
    return {name: frozenset(lines) for name, lines in held.items()}, len(files)


def below_package(file: str, package: str) -> str | None:
    """The path from the folder that holds the package on; None: it is not the package's."""
    parts = Path(file).parts
    if package not in parts[:-1]:
        return None
    start = len(parts) - 1 - list(reversed(parts)).index(package)
    return "/".join(parts[start:])


def whole_statements(source: str, lines: Iterable[int]) -> frozenset[int]:
    """The lines with all other lines of their statements; of a compound statement the head counts, not its body."""
    ran = set(lines)
    for first, last in _statements(ast.parse(source)):
        if not ran.isdisjoint(range(first, last + 1)):
            ran.update(range(first, last + 1))
    return frozenset(ran)


def functions_entered(source: str, lines: Iterable[int]) -> frozenset[int]:
    """All lines of the functions in which any of these lines stands, heads apart, and all lines of the module that are in no function."""
    ran, entered = set(lines), set(range(1, source.count("\n") + 2))
    functions = [
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    bodies = [range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1) for node in functions]
    for body in bodies:
        entered -= set(body)
    for body in bodies:
        if not ran.isdisjoint(body):
            entered |= set(body)
    return frozenset(entered)


def union(parts: Iterable[Lines]) -> Lines:
    """Every line that any of them has."""
    held: dict[str, set[int]] = defaultdict(set)
    for part in parts:
        for name, lines in part.items():
            held[name] |= lines
    return {name: frozenset(lines) for name, lines in held.items()}


def sources(folder: Path, package: str, apart: Sequence[str]) -> dict[str, str]:
    """The package's own files, its tests apart, by their path below `folder`."""
    found = sorted((folder / package).rglob("*.py"))
    names = {file.relative_to(folder).as_posix(): file for file in found}
    return {
        name: file.read_text("utf-8") for name, file in names.items() if not name.startswith(tuple(apart) or os.sep)
    }


def _statements(tree: ast.AST) -> Iterator[tuple[int, int]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            continue
        body = getattr(node, "body", None)
        first = min((mark.lineno for mark in getattr(node, "decorator_list", ())), default=getattr(node, "lineno", 0))
        if isinstance(node, ast.match_case):
            first = node.pattern.lineno
        last = max(first, body[0].lineno - 1) if body else getattr(node, "end_lineno", first) or first
        yield first, last
