"""Judges mutants by a corpus: as `gate run` does, but case by case, and no further than the first delta.

The baseline is built once and its golden is kept. A mutant is the baseline's build with one file replaced wherever it stands in it:
for a package of plain Python that is what building the mutated tree gives. `agrees` of mutants.py holds this to whole runs.

Cases go by `telling`, and only those that run the mutated statement on the baseline: another cannot show it. Of a case that
differs in its first run, the second run and the confirming ones of both sides are made, and `gate.diff` compares them all.
"""

from __future__ import annotations

import py_compile
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib.util import cache_from_source
from pathlib import Path
from typing import Self

import msgspec
from mutant_corpora import Corner
from mutant_lines import Lines, hook_environment, lay_hook, read_lines
from rows import Row
from telling import telling_order

from gate.config.load import load_project
from gate.config.model import Project
from gate.corpus.format import read_corpus
from gate.diff.compare import compare_cases
from gate.diff.evidence import gather
from gate.domain import Case, CaseId
from gate.errors import GateError
from gate.pipeline.events import silence
from gate.pipeline.golden import by_case, golden
from gate.pipeline.inputs import Inputs, read_inputs
from gate.pipeline.sides import Sides
from gate.pipeline.stage import stage
from gate.replay.build import read_source
from gate.replay.place import case_folder
from gate.replay.sandbox import SandboxMode
from gate.replay.store import Run

STEP_SECONDS = 8.0
"""A mutant that hangs is to hang no longer."""
FIRST, MOST = 2, 16
"""Cases that are run at a time: few at first, since most mutants show early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One mutant."""

    id: str
    file: str
    """From the folder that holds the package on."""
    line: int
    operator: str
    source: str
    """The whole mutated file."""
    entered: bool = False
    """Whether it stands in a function that a command line of any corpus enters, or in none: as it was when the sample was drawn."""

    @property
    def told(self) -> Row:
        """What its rows say of it."""
        return {"file": self.file, "line": self.line, "operator": self.operator, "entered": self.entered}


class Bench:
    """The baseline of a corner, replayed and ready to be held against mutants while a `with` block runs."""

    def __init__(self, corner: Corner, *, sandbox: SandboxMode = "auto") -> None:
        self._corner = corner
        self._sandbox = sandbox
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        project = short(load_project(self._corner.project))
        self._inputs = read_inputs(project)
        sources = {"baseline": read_source("baseline", self._corner.tree)}
        with ExitStack() as stack:
            self._sides = stack.enter_context(
                stage(self._inputs, sources, workers=None, listen=silence, sandbox=self._sandbox)
            )
            self._prepare()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stack.close()

    def _prepare(self) -> None:
        slot = self._sides.slot
        self._sides.prepare("baseline", self._inputs.cases)
        compile_all(slot.parked("baseline"))
        shutil.copytree(slot.parked("baseline"), slot.parked("candidate"), symlinks=True)
        self._sides.proofs["candidate"] = self._sides.proofs["baseline"]
        self._golden, _ = golden(self._inputs, self._sides)
        corpus = read_corpus(self._inputs.project.corpus_file)
        known = {case.id: case for case in self._inputs.cases}
        self._order = [known[name] for name in telling_order(corpus, self._golden[0])]

    def judge(self, mutant: Mutant, lines: Mapping[str, Lines], *, first: Sequence[str] = ()) -> Row:
        """Whether a delta shows. `lines`: what each case runs; cases that it does not know run everything. `first`: ids to begin with."""
        began = time.monotonic()
        cases = [case for case in self._order if _reaches(lines.get(case.id), mutant)]
        cases.sort(key=lambda case: case.id not in first)
        told: Row = {"caught": False, "reaching": len(cases), "run": 0}
        if cases:
            with self._in_place(mutant):
                try:
                    told = {**told, **self._look(cases)}
                except GateError as error:
                    told = {**told, "invalid": str(error)[:300]}
        return {**told, "seconds": round(time.monotonic() - began, 1)}

    def _look(self, cases: Sequence[Case]) -> Row:
        done, size = 0, FIRST
        while done < len(cases):
            part = cases[done : done + size]
            [new] = self._sides.replay("candidate", part, (0,), purpose="replaying")
            done, size = done + len(part), min(2 * size, MOST)
            for case, records in zip(part, new, strict=True):
                old = tuple(run[self._place(case)] for run in self._golden)
                if any(records != run for run in old) and (field := self._delta(case, (records,))):
                    return {"caught": True, "run": done, "by": case.id, "field": field}
        return {"run": done}

    def _delta(self, case: Case, first: Run) -> str | None:
        """The first field that steadily differs in that case, as the gate confirms it; None: none does. `first`: a run of the mutant."""
        replay = self._inputs.project.config.replay
        old = list(self._golden)
        new = [first, *self._sides.replay("candidate", [case], range(1, replay.repeats), purpose="replaying")]
        if not self._compare(case, old, new):
            return None
        more_old: list[Run] = []
        for seed in range(replay.repeats, replay.repeats + replay.confirm):
            more_old += self._sides.replay("baseline", [case], (seed,), purpose="confirming")
            new += self._sides.replay("candidate", [case], (seed,), purpose="confirming")
        return self._compare(case, old, new, more_old)

    def _compare(self, case: Case, old: Sequence[Run], new: Sequence[Run], more: Sequence[Run] = ()) -> str | None:
        place = self._place(case)
        seen = list(by_case(old))
        seen[place] = (*seen[place], *(run[0] for run in more))
        candidate = tuple(run[0] for run in new)
        noise = self._inputs.noise
        found = compare_cases([(seen[place], candidate)], noise, gather(seen, noise))
        return next((change.field for delta in found.deltas for change in delta.changes), None)

    def _place(self, case: Case) -> int:
        return self._inputs.cases.index(case)

    @contextmanager
    def _in_place(self, mutant: Mutant) -> Iterator[None]:
        """Let the candidate's build be the mutant's while the block runs. Raises RuntimeError where the build has no such file."""
        package, _, _ = mutant.file.partition("/")
        original = (self._corner.tree / self._corner.program.root / mutant.file).read_bytes()
        build = self._sides.slot.parked("candidate")
        found = [
            file
            for file in build.rglob(Path(mutant.file).name)
            if file.as_posix().endswith(f"/{mutant.file}") and file.read_bytes() == original
        ]
        if not found:
            raise RuntimeError(f"{package}: the build holds no {mutant.file}")
        for file in found:
            _write(file, mutant.source.encode())
        try:
            yield
        finally:
            for file in found:
                _write(file, original)


def measure(corner: Corner, data: Path) -> dict[str, Lines]:
    """What each case runs on the baseline, by its id; a case of which a process left no measurement is left out."""
    shutil.rmtree(data, ignore_errors=True)
    project = short(load_project(corner.project))
    held = project.config.program
    folders = [lay_hook(corner.workshop.root / "hook"), corner.workshop.measuring()]
    path = ":".join([*folders, *filter(None, [held.env.get("PYTHONPATH", "")])])
    env = {**held.env, **hook_environment(data, corner.program.package), "PYTHONPATH": path}
    program = msgspec.structs.replace(held, env=env)
    measured = replace(project, config=msgspec.structs.replace(project.config, program=program))
    inputs: Inputs = read_inputs(measured)
    with stage(inputs, {"baseline": read_source("baseline", corner.tree)}, workers=None, listen=silence) as sides:
        run_once(sides, inputs)
    told: dict[str, Lines] = {}
    for case in inputs.cases:
        lines, processes = read_lines(data / case_folder(CaseId(case.id)), corner.program.package)
        if processes >= len(case.steps):
            told[case.id] = lines
    return told


def run_once(sides: Sides, inputs: Inputs) -> None:
    """Replay the baseline once; nothing is kept."""
    sides.replay("baseline", inputs.cases, (0,), purpose="measuring")


def short(project: Project) -> Project:
    """The project with a time limit for steps that a mutant which hangs does not hold up."""
    replay = msgspec.structs.replace(project.config.replay, timeout=min(project.config.replay.timeout, STEP_SECONDS))
    return replace(project, config=msgspec.structs.replace(project.config, replay=replay))


def compile_all(build: Path) -> None:
    """Compile the build's own modules, as an installation does: a step cannot keep what it compiled."""
    for file in build.rglob("*.py"):
        if not file.is_symlink() and not Path(cache_from_source(str(file))).exists():
            py_compile.compile(str(file), doraise=False, quiet=2)


def _write(file: Path, data: bytes) -> None:
    for cached in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        cached.unlink()
    file.write_bytes(data)
    py_compile.compile(str(file), doraise=False, quiet=2)


def _reaches(lines: Lines | None, mutant: Mutant) -> bool:
    return lines is None or mutant.line in lines.get(mutant.file, ())
