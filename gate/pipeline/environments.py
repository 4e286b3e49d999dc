"""What two builds run on beside their own code: it has to be the same, or a difference says nothing about the patch."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from gate.diff.escape import escaped
from gate.errors import BuildError
from gate.files import write_atomically
from gate.hashing.pack import OWN_NAMES
from gate.pipeline.events import Remark
from gate.pipeline.golden import golden_key
from gate.pipeline.inputs import Inputs
from gate.pipeline.sides import Sides
from gate.replay.build import SideName
from gate.replay.distributions import distributions

INTERPRETER_FILES = (".python-version", "pyproject.toml", "environment.yml")
"""Files by which a patch may choose another interpreter; names, as `DEPENDENCY_FILES`."""

DEPENDENCY_FILES = (
    *INTERPRETER_FILES,
    *("setup.cfg", "setup.py", "requirements*.txt", "constraints*.txt", "Pipfile", "Pipfile.lock"),
    *("poetry.lock", "uv.lock", "pdm.lock", "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml"),
    *("go.mod", "go.sum", "Cargo.toml", "Cargo.lock", "Gemfile", "Gemfile.lock"),
)
"""Files by which a patch may choose what its build fetches, anywhere in the tree; `*` stands for any text."""

_NAMED = 10


class Environment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one build runs on."""

    interpreters: tuple[str, ...] = ()
    """What each Python that the steps start says of itself; sorted."""
    distributions: dict[str, tuple[str, ...]] = {}
    """Versions by normalised name of what building fetched: not what the tree brings, nor the tree's own distribution."""


def require_alike(inputs: Inputs, sides: Sides, *, known: Environment | None = None) -> Environment:
    """Raise BuildError where the sides run on different interpreters or fetched different distributions, and the patch did not ask for it.

    Where the patch changes a file that says what is fetched, the difference is the patch's: a remark, and what it does is a delta. The
    candidate must have been prepared. Where the baseline need not be replayed, what it ran on when its golden was made counts. Returns
    what the baseline runs on; nothing is held against the candidate again where that is `known`.
    """
    old = _of_baseline(inputs, sides)
    if old == known:
        return old
    new = _standing(sides, "candidate")
    _settle(sides, _interpreters(old, new), INTERPRETER_FILES, "run on different interpreters")
    _settle(sides, _distributions(old, new), DEPENDENCY_FILES, "were built with different dependencies")
    return old


def _of_baseline(inputs: Inputs, sides: Sides) -> Environment:
    file = sides.store.root / "cache" / "environments" / f"{golden_key(inputs, sides)}.json"
    if "baseline" not in sides.proofs:
        with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            return msgspec.json.decode(file.read_bytes(), type=Environment)
        sides.prepare("baseline", inputs.cases)
    found = _standing(sides, "baseline")
    write_atomically(file, msgspec.json.encode(found) + b"\n")
    return found


def _standing(sides: Sides, side: SideName) -> Environment:
    source = sides.sources[side]
    if not sides.project.config.build.command:
        return Environment(interpreters=sides.proofs[side].interpreters)
    trees = tuple(source.tree for source in sides.sources.values())
    found = distributions(sides.slot.parked(side), source=source.tree, place=sides.slot.build, own=trees)
    return Environment(interpreters=sides.proofs[side].interpreters, distributions=found)


def _interpreters(old: Environment, new: Environment) -> tuple[str, ...]:
    """One line where each side starts an interpreter that the other does not: a step that only one side can do is no matter of these."""
    gone = [each for each in old.interpreters if each not in new.interpreters]
    come = [each for each in new.interpreters if each not in old.interpreters]
    return (f"{_told(gone)} on the baseline, {_told(come)} on the candidate",) if gone and come else ()


def _distributions(old: Environment, new: Environment) -> tuple[str, ...]:
    names = sorted({*old.distributions, *new.distributions})
    pairs = ((name, old.distributions.get(name, ()), new.distributions.get(name, ())) for name in names)
    return tuple(
        f"{_told([name])} {_told(before) or 'none'} on the baseline, {_told(after) or 'none'} on the candidate"
        for name, before, after in pairs
        if before != after
    )


def _settle(sides: Sides, found: tuple[str, ...], files: tuple[str, ...], what: str) -> None:
    if not found:
        return
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    told = "; ".join(found[:_NAMED]) + more
    trees = {side: _texts(source.tree, files) for side, source in sides.sources.items()}
    if changed := _changed(trees["baseline"], trees["candidate"]):
        sides.listen(Remark(text=f"note: the patch changes {_told(changed[:_NAMED])}; the two sides {what}: {told}"))
        return
    raise BuildError(
        f"the two sides {what}, which the patch did not ask for: {told}",
        next_step="Nothing was compared. Pin them in a file of the tree (a lock file, exact versions), change that file in the patch, or "
        f"build both sides anew on one day: remove {sides.store.root / 'cache'}.",
    )


def _told(words: Iterable[str]) -> str:
    return ", ".join(escaped(word.encode("utf-8", "surrogateescape")) for word in words)


def _texts(tree: Path, names: tuple[str, ...]) -> dict[str, bytes]:
    """The files of a tree that have one of the names, by path."""
    found: dict[str, bytes] = {}
    skipped = {os.fsdecode(name) for name in OWN_NAMES} | {".git"}
    for folder, folders, files in os.walk(tree):
        if Path(folder) == tree:
            folders[:] = [name for name in folders if name not in skipped]
        for name in files:
            path = Path(folder, name)
            if any(fnmatchcase(name, pattern) for pattern in names) and path.is_file():
                found[os.path.relpath(path, tree)] = path.read_bytes()
    return found


def _changed(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> list[str]:
    return sorted(path for path in {*old, *new} if old.get(path) != new.get(path))
