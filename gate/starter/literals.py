"""Texts in the string literals of a repository's tests that read like files of a kind: what its authors feed to it.

Told by the syntax tree: nothing is run. Most projects test their functions with texts and hold few files, so that without these a
starter pack would reach little of what the program does with its input.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from textwrap import dedent

from gate.corpus.transcripts.private_names import private_variable
from gate.starter.text_kinds import is_of

SHORTEST = 6
"""Characters of a text; a shorter one is a word."""
LONGEST = 8 * 1024
_MOST = 4_000
"""Texts of one file of tests."""


def texts_in(source: bytes, suffix: str) -> tuple[str, ...]:
    """The texts of one Python file that read like a file of `suffix`, in the order of the lines, each once.

    Indentation that all lines share is taken away. Docstrings, f-strings, the messages of assertions, what UTF-8 cannot hold and what
    stands under a name such as `password` are left out; so is everything where the source cannot be parsed. At most so many strings of a
    file are looked at that hostile sources cost little.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found: dict[str, None] = {}
    for literal in islice(_literals(tree), _MOST):
        text = dedent(literal).lstrip("\n") if literal.startswith(("\n", " ", "\t")) else literal
        if len(text.strip()) >= SHORTEST and is_plain(text) and is_of(text, suffix):
            found[text] = None
    return tuple(found)


def is_plain(text: str) -> bool:
    """Whether a file can hold the text: short enough, no NUL, no half of a surrogate pair."""
    return len(text) <= LONGEST and not any(each == "\0" or "\ud800" <= each <= "\udfff" for each in text)


def _literals(tree: ast.AST) -> Iterator[str]:
    """Every string of the tree of fair length, those that are joined by `+` as one, in the order in which they stand."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        parts = _parts(node) if isinstance(node, ast.BinOp) else None
        if parts is not None:
            yield from [text for text in ["".join(parts)] if len(text) <= LONGEST]
        elif isinstance(node, ast.Constant):
            yield from [node.value] if isinstance(node.value, str) and len(node.value) <= LONGEST else []
        elif not isinstance(node, ast.JoinedStr):
            left_out = {id(each) for each in _left_out(node)}
            waiting += reversed([child for child in ast.iter_child_nodes(node) if id(child) not in left_out])


def _left_out(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that are no input: messages, docstrings, and values that go by the name of a secret."""
    found: list[ast.AST | None] = []
    match node:
        case ast.Assert():
            found = [node.msg]
        case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
            found = [
                each for each in node.body[:1] if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
            ]
        case ast.Assign() if any(map(_is_private, node.targets)):
            found = [node.value]
        case ast.AnnAssign() if _is_private(node.target):
            found = [node.value]
        case ast.keyword(arg=str() as name) if private_variable(name):
            found = [node.value]
        case ast.Dict():
            found = [
                value for key, value in zip(node.keys, node.values, strict=True) if key is not None and _is_private(key)
            ]
    return [each for each in found if each is not None]


def _is_private(node: ast.AST) -> bool:
    match node:
        case (
            ast.Name(id=name)
            | ast.Attribute(attr=name)
            | ast.Constant(value=str() as name)
            | ast.Subscript(slice=ast.Constant(value=str() as name))
        ):
            return private_variable(name)
    return False


def _parts(node: ast.BinOp) -> list[str] | None:
    """The strings of a sum of strings, left to right; None for any other. Walked down its left side, which may be long."""
    found: list[str] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        if (
            not isinstance(left.op, ast.Add)
            or not isinstance(left.right, ast.Constant)
            or not isinstance(left.right.value, str)
        ):
            return None
        found.append(left.right.value)
        left = left.left
    if not isinstance(left, ast.Constant) or not isinstance(left.value, str):
        return None
    return [left.value, *reversed(found)]
