"""Building a tree and starting its program, sandboxed, at the path where it will be replayed."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from gate.diff.escape import escaped, escaped_name
from gate.domain import Case, CaseId, Step
from gate.errors import BuildError, GateError
from gate.hashing.pack import Pack
from gate.parser.parsed import ParsedProgram
from gate.replay.build import Source, expand, make_build, read_source, standing
from gate.replay.engine import LocalEngine
from gate.replay.environment import step_environment
from gate.replay.fixtures import lay_template
from gate.replay.interface import Recipe
from gate.replay.proof import Standing, prove
from gate.replay.sandbox import Sandbox
from gate.replay.sandbox_hidden import hidden_folders
from gate.replay.slot import Slot, claim_slot
from gate.starter.ways import Way

UNKNOWN_OPTION = "--gate-no-such-option"
"""An option that no program has."""

_SKIPPED = frozenset(
    {
        ".git",
        ".gate",
        ".hg",
        ".tox",
        ".nox",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        "__pycache__",
        "node_modules",
    }
)
_SECONDS = 20.0
_KEPT = 1 << 16
_DID_NOT_LOAD = re.compile(rb"^Traceback \(most recent call last\):", re.MULTILINE)

Say = Callable[[str], None]
"""Takes one line about what is being done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """One start of the program."""

    status: str
    stdout: bytes
    stderr: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A way that works."""

    way: Way
    parsed: ParsedProgram
    help: Started
    """With `--help`."""
    unknown: Started
    """With an option that the program does not have."""
    alone: Started
    """Without words."""


Read = Callable[..., ParsedProgram]
"""`gate.parser.reading.read_program`."""


def try_ways(tree: Path, candidates: Sequence[Way], *, root: Path, sandbox: Sandbox, read: Read, say: Say) -> Tried:
    """The first of the ways in which the program of `tree` is built, proven and started, with what its parser says.

    `root` is the project's folder: its slot is used, so that the build stands where the gate will have it. Raises the error of the last
    way where none works, and what the reader raises.
    """
    last: GateError | None = None
    for way in candidates:
        try:
            with _copy(tree) as copy, claim_slot(root) as slot:
                walls = _walls(sandbox, (root, tree, copy), slot)
                return _try(way, read_source("baseline", copy), slot, walls, read=read, say=say)
        except BuildError as error:
            last = error
            if way is not candidates[-1]:
                say(f"does not work: {' '.join(way.program.argv)}: {error.what.splitlines()[0]}")
    if last is None:
        raise ValueError("no way to try")
    raise last


@contextmanager
def _copy(tree: Path) -> Iterator[Path]:
    """The tree without what no build needs: environments, caches and the folders of version control."""

    def left_out(folder: str, names: list[str]) -> set[str]:
        return {name for name in names if name in _SKIPPED or Path(folder, name, "pyvenv.cfg").is_file()}

    with tempfile.TemporaryDirectory(prefix="gate-init-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(tree, copy, symlinks=True, ignore=left_out)
        yield copy


def _walls(sandbox: Sandbox, places: Sequence[Path], slot: Slot) -> Sandbox:
    if not sandbox.active:
        return sandbox
    hidden, _ = hidden_folders(places)
    return replace(sandbox, hidden=(*hidden, slot.root.parents[1]))


def _try(way: Way, source: Source, slot: Slot, walls: Sandbox, *, read: Read, say: Say) -> Tried:
    home, parked = slot.root / "build-home", slot.parked("baseline")
    with tempfile.TemporaryDirectory(prefix="gate-init-") as scratch:
        if way.build.command:
            say(
                f"building: {way.build.command[2] if way.build.command[:2] == ('sh', '-c') else ' '.join(way.build.command)}"
            )
        make_build(
            source,
            way.build,
            parked=parked,
            place=slot.build,
            home=home,
            log=Path(scratch) / "build.log",
            sandbox=walls,
        )
        empty = Path(scratch) / "empty"
        empty.mkdir()
        lay_template(empty, Pack(), slot)
        with standing(parked, at=slot.build):
            recipe = _recipe(way, slot)
            environment = step_environment(recipe, home=str(empty), tmp=str(empty))
            prove(
                Standing(
                    side="baseline",
                    build=slot.build,
                    work=empty,
                    sources=(source.tree,),
                    environment=environment,
                    sandbox=walls,
                ),
                way.program,
                _CASES,
            )
            helped, unknown, alone = _starts(recipe, walls)
            _require_started(way, helped)
            parsed = read(
                recipe.argv,
                environment=environment,
                folder=empty,
                sandbox=walls,
                readable=(slot.build,),
                timeout=_SECONDS,
            )
        return Tried(way=way, parsed=parsed, help=helped, unknown=unknown, alone=alone)


def _recipe(way: Way, slot: Slot) -> Recipe:
    return Recipe(
        argv=tuple(expand(word, build=slot.build) for word in way.program.argv),
        path=tuple(str(slot.build / folder) for folder in way.program.path),
        env={name: expand(text, build=slot.build) for name, text in way.program.env.items()},
        timeout=_SECONDS,
        keep_bytes=_KEPT,
        slot=str(slot.root),
        aliases=slot.aliases,
        run=0,
    )


def _case(number: int, words: Sequence[str]) -> Case:
    return Case(id=CaseId(f"start-{number}"), steps=(Step(argv=tuple(map(os.fsencode, words)), stdin=b""),))


_WORDS = (("--help",), (UNKNOWN_OPTION,), ())
_CASES = tuple(_case(number, words) for number, words in enumerate(_WORDS) if words)
"""What a proof looks at: it needs no more than that there are steps."""


def _starts(recipe: Recipe, walls: Sandbox) -> tuple[Started, ...]:
    """What came of each of `_WORDS`. The whole command line is the step's: a step without a word would be none."""
    cases = tuple(_case(number, (*recipe.argv, *words)) for number, words in enumerate(_WORDS))
    bare = replace(recipe, argv=(), programs=tuple(word for word in recipe.argv[:1] if word.startswith("/")))
    with LocalEngine(workers=1, sandbox=walls) as engine:
        runs = engine.replay(bare, cases, on_case=lambda: None)
    return tuple(
        Started(
            status=records[0].fields["status"].data.decode("utf-8", "replace"),
            stdout=records[0].fields["stdout"].data,
            stderr=records[0].fields["stderr"].data,
        )
        for records in runs
    )


def _require_started(way: Way, helped: Started) -> None:
    """Refuse a way in which the program does not come as far as its own words."""
    broken = helped.status.startswith("cannot start") or helped.status in {"timeout", "overflow"}
    if not broken and not (helped.status != "0" and _DID_NOT_LOAD.search(helped.stderr)):
        return
    told = helped.stderr.decode("utf-8", "replace").strip().splitlines()
    last = f": {escaped(told[-1][:300].encode())}" if told else ""
    raise BuildError(
        f"{escaped_name(' '.join(way.program.argv))} --help: expected the program to start, got {helped.status}{last}",
        next_step="Name the program with --program, or make the build by hand: docs/config.md, [build] and [program].",
    )
