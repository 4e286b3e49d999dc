"""Texts in the string literals of a repository's tests that read like files of a kind: what its authors feed to it.

Told by the syntax tree: nothing is run. Most projects test their functions with texts and hold few files, so that without these a
starter pack would reach little of what the program does with its input.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import dedent

from gate.starter.text_kinds import is_of

SHORTEST = 6
"""Characters of a text; a shorter one is a word."""
LONGEST = 8 * 1024
_MOST = 4_000
"""Texts of one file of tests."""


def texts_in(source: bytes, suffix: str) -> tuple[str, ...]:
    """The texts of one Python file that read like a file of `suffix`, in the order of the lines, each once.

    Indentation that all lines share is taken away. Docstrings, f-strings and what stands in an assertion's message are left out; so is
    everything where the source cannot be parsed. Empty for a kind of which nothing is known.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found: dict[str, None] = {}
    for literal in _literals(tree):
        if len(found) == _MOST:
            break
        text = dedent(literal).lstrip("\n") if literal.startswith(("\n", " ", "\t")) else literal
        if len(text.strip()) >= SHORTEST and len(text) <= LONGEST and "\0" not in text and is_of(text, suffix):
            found[text] = None
    return tuple(found)


def _literals(tree: ast.AST) -> Iterator[str]:
    """Every string of the tree, those that are joined by `+` as one, in the order in which they stand."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if (text := _constant(node)) is not None:
            yield text
            continue
        if isinstance(node, ast.JoinedStr):
            continue
        left_out = [node.msg] if isinstance(node, ast.Assert) else []
        children = [
            child
            for child in ast.iter_child_nodes(node)
            if child not in left_out and not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant))
        ]
        waiting += reversed(children)


def _constant(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _constant(node.left), _constant(node.right)
        return None if left is None or right is None else left + right
    return None
