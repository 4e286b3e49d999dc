"""Branches of the baseline's own Python files that no case reaches. For people; no verdict comes of it."""

from __future__ import annotations

import importlib.util
import json
import secrets
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import msgspec

from gate.domain import Case
from gate.errors import ReplayError
from gate.pipeline import branch_hook
from gate.pipeline.branch_report import FileBranches, branches_of
from gate.pipeline.own_sources import OwnSource
from gate.pipeline.sides import Sides
from gate.replay.interface import Recipe
from gate.replay.store import Run

_LIBRARY = "coverage"
_FIELD = "files:$TMPDIR/gate-branches-{nonce}-"
_KEPT = 1 << 26


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What a process of the program wrote. Untrusted: the program could have written it."""

    arcs: dict[int, tuple[tuple[int, int], ...]] = {}
    """Jumps from line to line, by the number of the file."""
    fault: str = ""
    """Why there are none; empty where there are."""


class Branches(msgspec.Struct, frozen=True, kw_only=True):
    """The report."""

    files: tuple[FileBranches, ...]
    """By name."""
    processes: int
    """Python processes that were measured to their end."""
    fault: str = ""
    """Why one could not be measured, the first; empty where none said so."""


def require_library() -> Path:
    """The folder of the library that measures. Raises ReplayError where it is not installed beside the gate."""
    found = importlib.util.find_spec(_LIBRARY)
    if found is None or found.origin is None:
        raise ReplayError(
            "--branches: expected the library coverage beside the gate, found none",
            next_step="Install it in the environment of the gate: pip install coverage",
        )
    return Path(found.origin).parent


def unreached_branches(sides: Sides, cases: Sequence[Case], own: Sequence[OwnSource]) -> Branches:
    """Run the cases once on the baseline with each Python process of its steps measured.

    A start hook lies in the build (this run's copy of it), in a folder of a name that no tree can hold, and comes first on PYTHONPATH;
    what it finds, a process writes to its own TMPDIR, of which nothing is compared here. A program that looks for its hook can forge that.
    Not measured: interpreters that ignore PYTHONPATH (`-I`, `-E`), processes that end by a signal or `os._exit`, forked children, and files
    whose content in the build is not the tree's. Raises ReplayError as a replay does.
    """
    library = require_library()
    sides.prepare("baseline", cases)
    parked = sides.slot.parked("baseline")
    places = _places(parked, own)
    names = [str(sides.slot.build / place) for place in places]
    nonce = secrets.token_hex(16)
    hook = _new_folder(parked, nonce)
    try:
        _lay_hook(hook, library, names, nonce)
        (run,) = sides.cast("baseline", [(_measuring(sides, hook.name), cases)], purpose="measuring branches")
    finally:
        shutil.rmtree(hook, ignore_errors=True)
    told = list(told_in(run, nonce))
    arcs: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for each in told:
        for number, pairs in each.arcs.items():
            if 0 <= number < len(names):
                arcs[places[Path(names[number]).relative_to(sides.slot.build)]].update(pairs)
    return Branches(
        files=tuple(branches_of(source.name, source.data, arcs.get(source.name, set())) for source in own),
        processes=sum(not each.fault for each in told),
        fault=next((each.fault for each in told if each.fault), ""),
    )


def _measuring(sides: Sides, hook: str) -> Recipe:
    recipe = sides.recipe(0)
    path = (str(sides.slot.build / hook), *filter(None, [recipe.env.get("PYTHONPATH")]))
    return replace(
        recipe,
        env={**recipe.env, "PYTHONPATH": ":".join(path)},
        ignore=(),
        ignore_content=(),
        keep_bytes=max(_KEPT, recipe.keep_bytes),
        timeout=recipe.timeout * 4,
    )


def _places(build: Path, own: Iterable[OwnSource]) -> dict[Path, str]:
    """Where the own files stand in the build, at their own path or installed: files of the same name and content."""
    wanted = {(Path(source.name).name, sha256(source.data).digest()): source.name for source in own}
    sizes = {(Path(source.name).name, len(source.data)) for source in own}
    found: dict[Path, str] = {}
    for file in sorted(build.rglob("*.py")):
        if file.is_file() and (file.name, file.stat().st_size) in sizes:
            name = wanted.get((file.name, sha256(file.read_bytes()).digest()))
            if name is not None:
                found[file.relative_to(build)] = name
    for source in own:  # files of equal content, as empty ones are: each at its own path is itself
        if Path(source.name) in found:
            found[Path(source.name)] = source.name
    return found


def _new_folder(parked: Path, nonce: str) -> Path:
    """A folder of our own in the build: what the tree holds, links out of it among that, was there before the name was thought of."""
    folder = parked / f".gate-branches-{nonce}"
    folder.mkdir(mode=0o755)
    return folder


def _lay_hook(folder: Path, library: Path, files: Sequence[str], nonce: str) -> None:
    shutil.copytree(library, folder / "library" / _LIBRARY, ignore=shutil.ignore_patterns("__pycache__", "htmlfiles"))
    (folder / "settings.json").write_text(json.dumps({"files": files, "nonce": nonce}))
    source = Path(branch_hook.__file__).read_text(encoding="utf-8")
    (folder / "sitecustomize.py").write_text(f"{source}\n\nstart(os.path.dirname(os.path.abspath(__file__)))\n")


def told_in(run: Run, nonce: str) -> Iterator[Told]:
    """The reports that processes left in a run: those under names with the nonce. One that is no report is told as a fault."""
    for records in run:
        for record in records:
            for name, held in record.fields.items():
                if name.startswith(_FIELD.format(nonce=nonce)):
                    yield _decoded(held.data)


def _decoded(data: bytes) -> Told:
    try:
        return msgspec.json.decode(data, type=Told)
    except (msgspec.MsgspecError, RecursionError):
        return Told(fault="a process wrote no whole report")
