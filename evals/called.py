"""What a test of a library calls. Where there is no command line, the function is what a sentence of an intent can name."""

from __future__ import annotations

import ast
import builtins
import warnings


def called(code: str) -> str | None:
    """The name of the function whose call begins last, of a chain the last; built-in functions do not count.

    None for code that does not parse or calls none.

    One rule, not tuned to what a drafter makes of it; it is often not the function that matters.
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # an odd escape in somebody's test is no matter of ours
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return None
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    own = [(_place(node), name) for node in calls if (name := _name(node.func)) and not hasattr(builtins, name)]
    return max(own)[1] if own else None


def _place(node: ast.Call) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
