"""The sample of mutants of a program, drawn once and kept: equal for all corpora and for the suite.

Eligible is a mutation of a file that the command line imports or that a case loads, in a statement that runs in the program's own
suite or in a case of any corpus. Only the statements that our own corpora reach would flatter them; only those that the suite
reaches would flatter the suite. Left out are mutants with which the command line's module cannot be imported: whatever runs the program
catches them.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from mutant_corpora import Corner
from mutant_judge import Mutant, measure
from mutant_lines import Lines, functions_entered, sources, union, whole_statements
from mutant_programs import Program, Workshop
from mutant_suite import imported, imports, suite_lines

FURTHER = 4
"""So many times as many mutants as are asked for are made: some cannot be imported, and some are where no command line comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The mutants of one program, and what runs which of its statements."""

    mutants: tuple[Mutant, ...]
    lines: dict[str, dict[str, Lines]]
    """By corpus, then by case."""

    def of(self, most: int) -> tuple[Mutant, ...]:
        """The first mutants, up to `most` that are in functions that a command line enters; the others come on top."""
        held: list[Mutant] = []
        for mutant in self.mutants:
            if sum(each.entered for each in held) == most:
                break
            held.append(mutant)
        return tuple(held)


def sample_of(workshop: Workshop, program: Program, places: Sequence[Corner], *, seed: int, most: int) -> Sample:
    """The sample, made where it is not kept yet or is too small."""
    texts = sources(workshop.tree(program) / program.root, program.package, program.apart)
    lines = {corner.corpus: _case_lines(corner, texts) for corner in places}
    of_suite = _kept(workshop.home(program) / "suite-lines.json", lambda: _whole(
        suite_lines(workshop, program, workshop.home(program) / "suite-data"), texts
    ))  # fmt: skip
    of_cases = union(part for cases in lines.values() for part in cases.values())
    file = workshop.home(program) / f"mutants-{seed}.json"
    mutants = _read_mutants(file)
    if sum(mutant.entered for mutant in mutants) < most:
        loaded = imported(workshop, program) | of_cases.keys()
        eligible = {name: held for name, held in union([of_suite, of_cases]).items() if name in loaded & texts.keys()}
        entered = {name: functions_entered(texts[name], held) for name, held in of_cases.items()}
        mutants = _make(workshop, program, eligible, entered, seed=seed, most=most)
        file.write_text(json.dumps([asdict(mutant) for mutant in mutants]))
    return Sample(mutants=mutants, lines=lines)


def _make(
    workshop: Workshop, program: Program, eligible: Lines, entered: Lines, *, seed: int, most: int
) -> tuple[Mutant, ...]:
    root = workshop.tree(program) / program.root
    files = [{"path": str(root / name), "name": name, "lines": sorted(held)} for name, held in eligible.items()]
    told = json.dumps({"files": files, "seed": seed, "most": FURTHER * most})
    script = Path(__file__).with_name("mutant_making.py")
    done = subprocess.run([workshop.tools_python(), script], input=told, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    held: list[Mutant] = []
    for row in json.loads(done.stdout):
        mutant = Mutant(**row, entered=row["line"] in entered.get(row["file"], ()))
        if imports(workshop, program, mutant):
            held.append(mutant)
        if (found := sum(mutant.entered for mutant in held)) == most:
            return tuple(held)
    raise RuntimeError(f"{program.name}: expected {most} mutants in functions that a command line enters, got {found}")


def _read_mutants(file: Path) -> tuple[Mutant, ...]:
    return tuple(Mutant(**row) for row in json.loads(file.read_text())) if file.exists() else ()


def _case_lines(corner: Corner, texts: dict[str, str]) -> dict[str, Lines]:
    file = corner.folder / "lines.json"
    if not file.exists():
        told = {case: _whole(lines, texts) for case, lines in measure(corner, corner.folder / "data").items()}
        file.write_text(json.dumps({case: _plain(lines) for case, lines in told.items()}))
    return {case: _lines(held) for case, held in json.loads(file.read_text()).items()}


def _kept(file: Path, make: object) -> Lines:
    if not file.exists():
        assert callable(make)
        file.write_text(json.dumps(_plain(make())))
    return _lines(json.loads(file.read_text()))


def _whole(lines: Lines, texts: dict[str, str]) -> Lines:
    return {name: whole_statements(texts[name], held) for name, held in lines.items() if name in texts}


def _plain(lines: Lines) -> dict[str, list[int]]:
    return {name: sorted(held) for name, held in lines.items()}


def _lines(held: dict[str, list[int]]) -> Lines:
    return {name: frozenset(lines) for name, lines in held.items()}
