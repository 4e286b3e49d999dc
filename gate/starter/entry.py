"""Whether a Python file, when it is started, calls what a console script calls: told by its syntax tree, nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

_SOURCE_BYTES = 1 << 18
_FURTHEST = 5
"""Modules that hand a name on to one another."""

_Bound = dict[str, str]
"""Dotted paths by the names that a module's imports bind."""


def calls(base: Path, module: str, *, target: str, function: str) -> bool:
    """Whether the start of `module`, in the folder `base`, calls `function` of the module `target` at its top level.

    Imports are followed within `base`, also where a module hands the name on. False where the file is not there, is no Python or is
    large: what cannot be compared is another program.
    """
    file = _file(base, module)
    tree = None if file.name == "__init__.py" else _tree(file)  # Python starts no package by that file
    if tree is None or not function:
        return False
    bound = _imports(tree, module, package=False)
    wanted = _origin(base, f"{target}.{function}")
    return any(_origin(base, _dotted(call.func, bound, module)) == wanted for call in _top_calls(tree))


def _file(base: Path, module: str) -> Path:
    path = base.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _tree(file: Path) -> ast.Module | None:
    try:
        if not file.is_file() or file.stat().st_size > _SOURCE_BYTES:
            return None
        return ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _top(statement: ast.AST) -> Iterator[ast.AST]:
    """What runs when the module does: all but the bodies of functions and classes."""
    yield statement
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from _top(child)


def _top_calls(tree: ast.Module) -> Iterator[ast.Call]:
    return (node for node in _top(tree) if isinstance(node, ast.Call))


def _imports(tree: ast.Module, module: str, *, package: bool) -> _Bound:
    bound: _Bound = {}
    for node in _top(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                bound[each.asname or each.name.partition(".")[0]] = (
                    each.name if each.asname else each.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            source = _absolute(node, module, package=package)
            bound |= {each.asname or each.name: f"{source}.{each.name}" for each in node.names}
    return bound


def _absolute(node: ast.ImportFrom, module: str, *, package: bool) -> str:
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    kept = parts[: len(parts) - node.level + package]
    return ".".join([*kept, *([node.module] if node.module else [])])


def _dotted(called: ast.expr, bound: _Bound, module: str) -> str:
    """The dotted path of what is called; empty for what is no name."""
    if isinstance(called, ast.Attribute):
        owner = _dotted(called.value, bound, module)
        return f"{owner}.{called.attr}" if owner else ""
    if isinstance(called, ast.Name):
        return bound.get(called.id, f"{module}.{called.id}")
    return ""


def _origin(base: Path, dotted: str) -> str:
    """The path where a name is made, as far as modules of `base` hand it on by import."""
    for _ in range(_FURTHEST):
        module, _, name = dotted.rpartition(".")
        tree = _tree(_file(base, module)) if module else None
        if tree is None:
            return dotted
        further = _imports(tree, module, package=_file(base, module).name == "__init__.py").get(name)
        if further is None or further == dotted:
            return dotted
        dotted = further
    return dotted
