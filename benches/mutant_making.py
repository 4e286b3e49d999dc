"""Makes mutants with cosmic-ray. A script of its own, which runs in an environment of its own: only that library is imported.

Standard input is JSON: `files` (path, and the lines that were executed), `seed`, `most`. Standard output is a JSON array: file, line,
operator, occurrence, id and the mutated source, in the order of a rank drawn from the seed and the mutant alone, so that the sample
moves little when other lines become eligible.

At most one mutant a line is taken until no line is left, since eleven ways to replace one `+` are about one mutant. Left out are
mutants that do not compile, and those that compile to the same code once annotations are taken away: nobody can see these.
"""

from __future__ import annotations

import ast
import json
import marshal
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any


class _Bare(ast.NodeTransformer):
    """Takes annotations away."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        node.returns = None
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        node.annotation = ast.Constant(value=0)
        return self.generic_visit(node)


def code_of(source: str) -> bytes | None:
    """What the source compiles to without annotations; None: it does not compile. Line numbers count not at all."""
    try:
        tree = _Bare().visit(ast.parse(source))
        for node in ast.walk(tree):
            for name in node._attributes:  # the four that say where it stands
                setattr(node, name, 1)
        return marshal.dumps(compile(tree, "mutant", "exec", dont_inherit=True), 2)
    except (SyntaxError, ValueError):
        return None


def operators() -> dict[str, Any]:
    """All operators that need no words of their own."""
    import cosmic_ray.plugins  # noqa: PLC0415 - code_of is tested where there is no such library

    found = {name: cosmic_ray.plugins.get_operator(name) for name in sorted(cosmic_ray.plugins.operator_names())}
    return {name: kind() for name, kind in found.items() if not kind.arguments()}


def places(file: str, source: str, seed: int) -> Iterator[tuple[str, int, str, str, int]]:
    """Rank, line, file, operator and occurrence of every mutation that could be made."""
    from cosmic_ray.ast import ast_nodes, get_ast  # noqa: PLC0415

    nodes = list(ast_nodes(get_ast(source)))
    for name, operator in operators().items():
        if name.endswith("NoOp"):
            continue
        occurrence = 0
        for node in nodes:
            for (line, _), _ in operator.mutation_positions(node):
                rank = sha256(f"{seed} {file} {name} {occurrence}".encode()).hexdigest()
                yield rank, line, file, name, occurrence
                occurrence += 1


def mutants(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """At most `most` mutants, in rank order; a second one of a line only after every line has had its turn."""
    from cosmic_ray.mutating import mutate_code  # noqa: PLC0415

    texts = {file["path"]: Path(file["path"]).read_text(encoding="utf-8") for file in told["files"]}
    executed = {(file["path"], line) for file in told["files"] for line in file["lines"]}
    base = {name: (file["name"], code_of(texts[name])) for file in told["files"] for name in [file["path"]]}
    found = sorted(
        (rank, line, path, name, occurrence)
        for path, text in texts.items()
        for rank, line, _, name, occurrence in places(base[path][0], text, told["seed"])
        if (path, line) in executed
    )
    known, taken = set[str](), dict[tuple[str, int], int]()
    for turn in range(3):
        for rank, line, path, name, occurrence in found:
            if rank in known or taken.get((path, line), 0) > turn or sum(taken.values()) == told["most"]:
                continue
            known.add(rank)
            source = mutate_code(texts[path], operators()[name], occurrence)
            code = None if source is None else code_of(source)
            if code is None or code == base[path][1]:
                continue
            taken[path, line] = taken.get((path, line), 0) + 1
            yield {
                "id": rank[:10],
                "file": base[path][0],
                "line": line,
                "operator": name.rpartition("/")[2],
                "source": source,
            }


if __name__ == "__main__":
    json.dump(list(mutants(json.load(sys.stdin))), sys.stdout)
