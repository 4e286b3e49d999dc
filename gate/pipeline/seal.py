"""The sealed task: what an agent is told of its judge before it starts, as a value and as its text.

Everything is read from the judge as it stands and nothing is run: the statements are docstrings, read by AST. The same judge
gives the same bytes.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import msgspec

from gate.config.model import Project
from gate.exit_codes import ExitCode
from gate.hashing.pins import Pins, read_pins
from gate.hashing.properties import Property, read_properties
from gate.pipeline.forbidden import state_paths
from gate.pipeline.judge import require_pinned
from gate.policy.wording import escape_unprintable
from gate.voting.freeze_set import FreezeSet, read_freeze_set

SEAL_VERSION = 1
"""Of the JSON form."""

_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")
"""Where a statement keeps further statements."""

_UNSTATED = "(nobody wrote down what it states)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A test or a property, and what it states in words."""

    name: str
    """The id of a test, the name of a property."""
    words: str | None
    """The docstring; None where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedProperty:
    """One invariant."""

    file: str
    """Relative to the repository."""
    states: Statement
    tests: tuple[Statement, ...]
    frozen: bool
    """Whether it has lost its vote: the run then ends in 3 at best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """The sealed task."""

    base: str
    """The commit, in full, whose judge this is."""
    command: tuple[str, ...]
    """What judges the patch, run at the top of the repository."""
    properties: tuple[SealedProperty, ...]
    judge: tuple[str, ...]
    """The judge's own paths, relative to the repository, and the `.gate` that no commit may hold."""
    control: tuple[str, ...]
    """Globs of the files that decide whether the judge runs."""
    digests: Mapping[str, str]

    @property
    def unstated(self) -> tuple[str, ...]:
        """The properties that do not say in words what they hold the patch to."""
        return tuple(found.states.name for found in self.properties if found.states.words is None)


def seal(project: Project, *, base: str, inside: Path, judge: Iterable[str], control: Iterable[str]) -> Seal:
    """The sealed task for a patch on the commit `base`, whose judge `project` is.

    `inside` is the project's folder relative to the repository; `judge` are the paths of the judge relative to the project,
    `control` globs relative to the repository. Raises DriftError where a pin does not hold, PinsError without usable pins,
    PropertyError for properties or a freeze set that cannot be used.
    """
    require_pinned(project)
    freeze_set = read_freeze_set(project.freeze_file)
    place = () if inside == Path() else ("--project", inside.as_posix())
    return Seal(
        base=base,
        command=("gate", "run", *place, "--base", base, "--head", "HEAD"),
        properties=tuple(_sealed(project, inside, found, freeze_set) for found in read_properties(project.properties)),
        judge=(*((inside / path).as_posix() for path in judge), *state_paths(PurePosixPath(inside.as_posix()))),
        control=tuple(control),
        digests=_digests(read_pins(project.pins_file)),
    )


def statements(source: bytes) -> dict[str, str | None]:
    """The docstring of every function and class by its id (`TestC::test_m`), of the module by `""`. Raises SyntaxError.

    `TestX = Machine.TestCase` states what `Machine` states.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the property's own spelling, which is not judged here
        tree = ast.parse(source)
    found = {"": ast.get_docstring(tree)}
    for name, node in _definitions(tree.body, ""):
        if isinstance(node, ast.Assign):
            root = node.value.value if isinstance(node.value, ast.Attribute) else node.value
            found[name] = found.get(root.id) if isinstance(root, ast.Name) else None
        else:
            found[name] = ast.get_docstring(node)
    return found


def _definitions(
    body: list[ast.stmt], prefix: str
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            yield from _definitions(node.body, f"{prefix}{node.name}::")
        elif isinstance(node, ast.Assign):
            yield from ((prefix + target.id, node) for target in node.targets if isinstance(target, ast.Name))
        else:
            for block in _BLOCKS:
                yield from _definitions(getattr(node, block, []), prefix)


def _sealed(project: Project, inside: Path, found: Property, freeze_set: FreezeSet) -> SealedProperty:
    words = statements((project.properties / found.file).read_bytes())
    return SealedProperty(
        file=(inside / project.config.properties / found.file).as_posix(),
        states=Statement(name=found.name, words=words[""]),
        tests=tuple(Statement(name=test, words=words.get(test)) for test in found.tests),
        frozen=freeze_set.find(found.name) is not None,
    )


def _digests(pins: Pins) -> dict[str, str]:
    properties = {} if pins.properties is None else {"properties": pins.properties.digest}
    found = {**pins.judge, "fixtures": pins.fixtures.digest, **properties}
    return dict(sorted(found.items()))


def render_json(sealed: Seal) -> str:
    """The sealed task for a program. No trailing newline."""
    told = {
        "seal": SEAL_VERSION,
        **msgspec.to_builtins(sealed),
        "exit_codes": {str(int(code)): code.sentence for code in ExitCode},
    }
    return json.dumps(told, indent=2)


def render_markdown(sealed: Seal) -> str:
    """The sealed task for a reader. No trailing newline. Docstrings are quoted line by line, so that none ends its quotation."""
    return "\n".join(
        (
            "# Sealed task",
            "",
            f"This is the judge of your patch, as commit `{sealed.base}` holds it. A green test of your own is no evidence here.",
            "",
            *_invariants(sealed.properties),
            "## Paths that the patch may not touch",
            "",
            "A patch that touches one of them together with anything else ends in 2, whatever it does.",
            "",
            *(f"- {_code(path)}" for path in (*sealed.judge, *sealed.control)),
            "",
            "## Pinned digests",
            "",
            *(f"- {name}: {_code(digest)}" for name, digest in sealed.digests.items()),
            "",
            "## The command that judges",
            "",
            "Run at the top of the repository, after your commit:",
            "",
            f"    {escape_unprintable(shlex.join(sealed.command))}",
            "",
            "Besides the invariants, every change of behaviour on the frozen corpus that the policy does not allow is flagged.",
            "",
            "| exit code | meaning |",
            "| --- | --- |",
            *(f"| {int(code)} | {code.sentence} |" for code in ExitCode),
            "",
            "Only 0 is accepted.",
        )
    )


def _invariants(properties: tuple[SealedProperty, ...]) -> Iterator[str]:
    yield from ("## Invariants", "")
    if not properties:
        yield from ("No property is written down: the corpus alone judges.", "")
    for found in properties:
        yield from (f"### {escape_unprintable(found.states.name)}", "", f"In {_code(found.file)}.", "")
        if found.frozen:
            yield from ("Frozen: it has no vote until it is repaired, and a run ends in 3 at best.", "")
        yield from (*_quoted(found.states.words), "")
        for test in found.tests:
            yield from (f"- {_code(test.name)}", "", *(f"  {line}" for line in _quoted(test.words)), "")


def _quoted(words: str | None) -> Iterator[str]:
    yield from (f"> {escape_unprintable(line)}".rstrip() for line in (words or _UNSTATED).splitlines())


def _code(text: str) -> str:
    """Text as code, whatever backticks are in it."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{escape_unprintable(text)}{fence}"
