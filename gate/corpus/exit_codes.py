"""Exit codes that a Python source names as constants: `sys.exit(3)`, `raise SystemExit(4)`, `ctx.exit(5)`."""

from __future__ import annotations

import ast

import msgspec

_FIRST_WORD = frozenset({"exit", "_exit", "quit", "Exit", "SystemExit"})
"""What a function that ends the program is called; whatever it belongs to (sys, os, a context, a parser, typer)."""

_KEYWORDS = frozenset({"code", "status", "exit_code"})


class NamedCode(msgspec.Struct, frozen=True, kw_only=True):
    """A code, and where it is named first."""

    code: int
    """As the system gives it: 0 to 255."""
    file: str
    line: int


def named_codes(source: bytes, *, file: str) -> tuple[NamedCode, ...]:
    """The codes in one source, each once, by code. Raises ValueError where it is no Python of this version.

    Only whole numbers that stand in the call count; the number that a variable holds is not followed.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"expected Python, got: {type(error).__name__}") from error
    found: dict[int, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in _FIRST_WORD:
            code = _code(node)
            if code is not None:
                found[code] = min(node.lineno, found.get(code, node.lineno))
    return tuple(NamedCode(code=code, file=file, line=line) for code, line in sorted(found.items()))


def _name(called: ast.expr) -> str:
    if isinstance(called, ast.Attribute):
        return called.attr
    return called.id if isinstance(called, ast.Name) else ""


def _code(call: ast.Call) -> int | None:
    told = [*call.args[:1], *(word.value for word in call.keywords if word.arg in _KEYWORDS)]
    return _number(told[0]) if told else None


def _number(told: ast.expr) -> int | None:
    if isinstance(told, ast.UnaryOp) and isinstance(told.op, ast.USub):
        number = _number(told.operand)
        return None if number is None else -number % 256
    if isinstance(told, ast.Constant) and type(told.value) is int:
        return told.value % 256
    return None
