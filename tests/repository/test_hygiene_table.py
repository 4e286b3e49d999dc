"""Reported faults of replays, 1 to 32: each is in the table of docs/hygiene.md, and each test that stands there names it."""

import ast
import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
ROW = re.compile(r"(?m)^\| (\d+) [^|]*\|[^|]*\| ([^|]*) \|")
NAMED = re.compile(r"[Ff]aults? (\d+(?:(?:, | and )\d+)*)")
HYGIENE = range(1, 33)


def numbers(text):
    return {int(number) for match in NAMED.finditer(text) for number in re.findall(r"\d+", match[1])}


def named_by_tests():
    """What each test, and each file of tests as a whole, names: its docstring, and the comments beside its inputs."""
    named = {}
    for path in (REPOSITORY / "tests").rglob("test_*.py"):
        if path == Path(__file__):
            continue
        source = path.read_text()
        tree = ast.parse(source)
        whole = numbers(ast.get_docstring(tree) or "")
        named[path.stem] = whole
        lines = source.splitlines()
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                named[node.name] = whole | numbers("\n".join(lines[first - 1 : node.end_lineno]))
    return named


def rows():
    found = ROW.findall((REPOSITORY / "docs" / "hygiene.md").read_text())
    return {int(number): re.findall(r"`(test_\w+)`", held) for number, held in found}


def test_every_fault_of_a_replay_stands_in_the_table_with_a_test():
    assert list(rows()) == list(HYGIENE)
    assert [number for number, held in rows().items() if not held] == []


def test_each_test_in_the_table_is_there_and_names_its_fault():
    named = named_by_tests()
    missing = [(number, test) for number, held in rows().items() for test in held if number not in named.get(test, ())]
    assert missing == []


def test_every_fault_of_a_replay_is_named_by_a_test():
    assert set(HYGIENE) <= set().union(*named_by_tests().values())
