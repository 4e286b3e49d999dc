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
from gate.starter.skipped import CACHES, is_environment, is_special
from gate.starter.ways import Way

UNKNOWN_OPTION = "--gate-no-such-option"
"""An option that no program has."""

_SECONDS = 20.0
_KEPT = 1 << 16
_TRACEBACK = re.compile(rb"^Traceback \(most recent call last\):|^(?:Syntax|Indentation|Tab)Error: ", re.MULTILINE)
_MISSING = re.compile(rb"^ModuleNotFoundError: ", re.MULTILINE)
_DID_NOT_LOAD = re.compile(
    rb"^(?:\w+\.)*(?:ModuleNotFound|Import|Syntax|Indentation|Tab|PackageNotFound)Error\b", re.MULTILINE
)
_BY_HAND = "Name the program with --program, or make the build by hand: [build] and [program] of gate.toml."
_HANGS = "Let it print its help and end; or write gate.toml by hand (docs/config.md)."
_STATE_IT = (
    "If that is a package of others, state it in pyproject.toml, or without one in requirements.txt: an environment is built then that "
    "has it."
)


_NETWORK = {
    True: "it has a network: code of the tree and of what it installs can read all that you can, but for your home folder, and send it",
    False: "it has a network, and no sandbox: code of the tree and of what it installs can do all that you can",
}
"""By whether there is a sandbox."""


class _CrashedError(BuildError):
    """The program started and ended in a traceback of its own; it may be all that it does with `--help`."""


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
    again: Started
    """With `--help`, once more."""


Read = Callable[..., ParsedProgram]
"""`gate.parser.reading.read_program`."""


def try_ways(tree: Path, candidates: Sequence[Way], *, root: Path, sandbox: Sandbox, read: Read, say: Say) -> Tried:
    """The first of the ways in which the program of `tree` is built, proven and started, with what its parser says.

    `root` is the project's folder: its slot is used, so that the build stands where the gate will have it. Raises the error of the last
    way where none works, and what the reader raises. A program that ends in a traceback of its own counts where no other way is better.
    """
    last: GateError | None = None
    crashed: list[Way] = []

    def tried(way: Way, *, crash: bool) -> Tried:
        with _copy(tree) as copy, claim_slot(root) as slot:
            walls = _walls(sandbox, (root, tree, copy), slot)
            return _try(way, read_source("baseline", copy), slot, walls, read=read, say=say, crash=crash)

    for way in candidates:
        try:
            return tried(way, crash=False)
        except BuildError as error:
            last = error
            crashed += [way] if isinstance(error, _CrashedError) else []
            if way is not candidates[-1]:
                say(f"does not work: {' '.join(way.program.argv)}: {error.what.splitlines()[0]}")
    if crashed:
        return tried(crashed[-1], crash=True)
    if last is None:
        raise ValueError("no way to try")
    raise last


@contextmanager
def _copy(tree: Path) -> Iterator[Path]:
    """The tree without what no build needs: environments, caches, the folders of version control, and what is no file, folder or link."""

    def left_out(folder: str, names: list[str]) -> set[str]:
        return {
            name
            for name in names
            if name in CACHES or is_environment(Path(folder, name)) or is_special(Path(folder, name))
        }

    with tempfile.TemporaryDirectory(prefix="gate-init-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(tree, copy, symlinks=True, ignore=left_out)
        yield copy


def _walls(sandbox: Sandbox, places: Sequence[Path], slot: Slot) -> Sandbox:
    if not sandbox.active:
        return sandbox
    hidden, _ = hidden_folders(places)
    return replace(sandbox, hidden=(*hidden, slot.root.parents[1]))


def _try(way: Way, source: Source, slot: Slot, walls: Sandbox, *, read: Read, say: Say, crash: bool) -> Tried:
    home, parked = slot.root / "build-home", slot.parked("baseline")
    with tempfile.TemporaryDirectory(prefix="gate-init-") as scratch:
        if way.build.command:
            say(
                f"building: {way.build.command[2] if way.build.command[:2] == ('sh', '-c') else ' '.join(way.build.command)}"
            )
        if way.build.network:
            say(_NETWORK[walls.active])
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
            helped, unknown, alone, again = _starts(recipe, walls)
            _require_started(way, helped, crash=crash)
            parsed = read(
                recipe.argv,
                environment=environment,
                folder=empty,
                sandbox=walls,
                readable=(slot.build,),
                timeout=_SECONDS,
            )
        return Tried(way=way, parsed=parsed, help=helped, unknown=unknown, alone=alone, again=again)


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


_WORDS = (("--help",), (UNKNOWN_OPTION,), (), ("--help",))
_CASES = tuple(
    Case(id=CaseId(f"start-{number}"), steps=(Step(argv=tuple(map(os.fsencode, words)), stdin=b""),))
    for number, words in enumerate(_WORDS)
)


def _starts(recipe: Recipe, walls: Sandbox) -> tuple[Started, ...]:
    """What came of each of `_WORDS`."""
    with LocalEngine(workers=1, sandbox=walls) as engine:
        runs = engine.replay(recipe, _CASES, on_case=lambda: None)
    return tuple(
        Started(
            status=records[0].fields["status"].data.decode("utf-8", "replace"),
            stdout=records[0].fields["stdout"].data,
            stderr=records[0].fields["stderr"].data,
        )
        for records in runs
    )


def _require_started(way: Way, helped: Started, *, crash: bool) -> None:
    """Refuse a way in which the program does not come as far as its own words."""
    told = helped.stderr.decode("utf-8", "replace").strip().splitlines()
    last = f": {escaped(told[-1][:300].encode())}" if told else ""
    what = (
        f"{escaped_name(' '.join(way.program.argv))} --help: expected the program to start, got {helped.status}{last}"
    )
    if helped.status == "timeout":
        raise BuildError(f"{what} after {_SECONDS:g} s", next_step=_HANGS)
    if helped.status.startswith("cannot start") or helped.status == "overflow":
        raise BuildError(what, next_step=_BY_HAND)
    if helped.status == "0" or not _TRACEBACK.search(helped.stderr):
        return
    if _MISSING.search(helped.stderr):
        raise BuildError(what, next_step=_STATE_IT)
    if _DID_NOT_LOAD.search(helped.stderr):
        raise BuildError(what, next_step=_BY_HAND)
    if not crash:
        raise _CrashedError(what, next_step=_BY_HAND)
