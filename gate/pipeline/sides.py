"""The two sides at one replay path: built once, proven, and replayed in turn."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from gate.config.model import Project
from gate.domain import Case
from gate.errors import ReplayError
from gate.pipeline.events import CaseDone, Listener, Remark, StageStarted
from gate.replay.build import SideName, Source, build_key, expand, make_build, standing
from gate.replay.environment import step_environment
from gate.replay.interface import Engine, Recipe
from gate.replay.proof import Proof, Standing, prove
from gate.replay.sandbox import NO_SANDBOX, Sandbox
from gate.replay.sandbox_walls import ROOM
from gate.replay.slot import PARKING, Slot
from gate.replay.store import LocalStore, Run
from gate.replay.tree import kill_strays

_OWN = re.compile(rf"s[0-9](?:\.lock)?|{PARKING}|[0-9a-f]{{12}}")
"""Names of slots, their locks and parkings, and of projects: other gates make them while this one runs."""


@dataclass(slots=True, kw_only=True)
class Sides:
    """Replays either side on demand. Only one build stands at the replay path at a time: they never run side by side."""

    project: Project
    sources: Mapping[SideName, Source]
    slot: Slot
    engine: Engine
    sandbox: Sandbox = NO_SANDBOX
    store: LocalStore
    run_folder: Path
    listen: Listener
    proofs: dict[SideName, Proof] = field(default_factory=dict)
    """Of each side that was prepared."""

    def prepare(self, side: SideName, cases: Sequence[Case]) -> None:
        """Build the side if it is not built yet, and prove that its own code is what runs. Raises BuildError."""
        if side not in self.proofs:
            self._build(side)
            with self._standing(side):
                recipe = self._recipe(0)
                proof = prove(
                    Standing(
                        side=side,
                        build=self.slot.build,
                        work=self.project.fixtures,
                        sources=tuple(source.tree for source in self.sources.values()),
                        environment=step_environment(recipe, home=str(self._home), tmp=str(self._home)),
                        sandbox=self.sandbox,
                    ),
                    self.project.config.program,
                    cases,
                )
            self.proofs[side] = proof

    def replay(self, side: SideName, cases: Sequence[Case], seeds: Sequence[int], *, purpose: str) -> tuple[Run, ...]:
        """Run the cases once for each of the numbers, from which each case has its hash seed.

        Raises ReplayError when a step writes into the build.
        """
        self.prepare(side, cases)
        return self.cast(side, [(self._recipe(seed), cases) for seed in seeds], purpose=purpose)

    def cast(self, side: SideName, rounds: Sequence[tuple[Recipe, Sequence[Case]]], *, purpose: str) -> tuple[Run, ...]:
        """Run the cases of each round by its own recipe; the side must have been prepared. Raises ReplayError as `replay`."""
        with self._standing(side):
            before, around = _fingerprint(self.slot.build), _around(self.slot.root, self.sandbox)
            runs = tuple(self._once(side, recipe, cases, purpose) for recipe, cases in rounds)
            after = _fingerprint(self.slot.build)
            strange = sorted(_around(self.slot.root, self.sandbox) - around)
        if strange:
            raise ReplayError(
                f"{side}: a step wrote outside of its directories: {strange[0]}",
                next_step="Remove it, and let the program write to its working directory, home or TMPDIR: nothing else is compared.",
            )
        if touched := sorted(before.items() ^ after.items()):
            raise ReplayError(
                f"{side}: a step wrote into the build: {os.fsdecode(touched[0][0])}",
                next_step="Cases must not share state through the build: let the program write to its working directory or home.",
            )
        return runs

    def recipe(self, run: int) -> Recipe:
        """How the cases of the run of that number are run, to be cast as it is or changed."""
        return self._recipe(run)

    @contextmanager
    def housed(self, side: SideName) -> Iterator[None]:
        """Let the home in which a side was built, if it was built in this run, stand where it stood then; never the other side's."""
        away = self.slot.parked(side).with_name(f"{self.slot.parked(side).name}-home")
        moved = away.is_dir()
        if moved:
            away.rename(self._home)
        try:
            yield
        finally:
            if moved:
                self._home.rename(away)

    @contextmanager
    def _standing(self, side: SideName) -> Iterator[None]:
        with self.housed(side), standing(self.slot.parked(side), at=self.slot.build):
            yield

    def _once(self, side: SideName, recipe: Recipe, cases: Sequence[Case], purpose: str) -> Run:
        self.listen(StageStarted(name=f"{purpose}: {side}", total=len(cases)))
        return self.engine.replay(recipe, cases, on_case=lambda: self.listen(CaseDone()))

    def _recipe(self, run: int) -> Recipe:
        config = self.project.config
        build = self.slot.build
        return Recipe(
            runner=config.program.runner,
            argv=tuple(expand(word, build=build) for word in config.program.argv),
            path=tuple(str(build / folder) for folder in config.program.path),
            env={name: expand(text, build=build) for name, text in config.program.env.items()},
            timeout=config.replay.timeout,
            keep_bytes=config.replay.keep_bytes,
            limit_bytes=config.replay.limit_bytes,
            ignore=config.replay.ignore_files,
            ignore_content=config.replay.ignore_content,
            slot=str(self.slot.root),
            aliases=self.slot.aliases,
            run=run,
        )

    @property
    def _home(self) -> Path:
        """The home of build commands and proofs."""
        return self.slot.root / "build-home"

    def _build(self, side: SideName) -> None:
        source, build = self.sources[side], self.project.config.build
        parked = self.slot.parked(side)
        key = build_key(source, build, at=self.slot.build, sandbox=self.sandbox)
        if build.command and self.store.fetch_build(key, to=parked):
            return
        self.listen(StageStarted(name=f"building: {side}"))
        try:
            make_build(
                source,
                build,
                parked=parked,
                place=self.slot.build,
                home=self._home,
                log=self.run_folder / f"build-{side}.log",
                sandbox=self.sandbox,
            )
        finally:
            if build.command:
                kill_strays(str(self.slot.root))  # a build's daemon would serve both sides
            if self._home.is_dir():
                self._home.rename(parked.with_name(f"{parked.name}-home"))
        if build.command:
            self.store.keep_build(key, parked)
            self.listen(Remark(text=f"{side}: built"))


def _around(slot: Path, sandbox: Sandbox) -> set[Path]:
    """What stands in the slot and in the folders above it that are the gate's own; the locks and slots of other gates apart.

    In the slot nothing is exempt but, with a sandbox, the rooms of its workers: no step can write beside them, and each worker looks
    at its own.
    """
    inside = {path for path in slot.iterdir() if not (sandbox.active and ROOM.fullmatch(path.name))}
    above = (slot.parent, slot.parent.parent)
    names = ((folder, name) for folder in above for name in os.listdir(folder))  # noqa: PTH208 - thousands, other gates' by far the most
    return inside | {folder / name for folder, name in names if not _OWN.fullmatch(name)}


Stamp = tuple[int, int, int, int, int]


def _fingerprint(root: Path) -> dict[bytes, Stamp]:
    """Size, times, inode and mode of everything below `root`: a change of content changes the change time."""
    found: dict[bytes, Stamp] = {}
    todo = [os.fsencode(root)]
    while todo:
        with os.scandir(todo.pop()) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                found[entry.path] = (
                    status.st_size,
                    status.st_mtime_ns,
                    status.st_ctime_ns,
                    status.st_ino,
                    status.st_mode,
                )
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
    return found
