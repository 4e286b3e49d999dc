"""What replay costs: a 500-step corpus through the gate, against a bare loop that spawns and reads the same pipes.

    python benches/replay.py [--steps 500] [--rounds 5] [--fixtures 3]

Goal: the gate takes at most 1.15 times the loop, the set-up of fresh directories apart. The best of the rounds counts on
both sides, gate and loop in turn, since other work on the machine only ever adds time.

    gate    one replay by workers that live, as in a run of the gate from its second replay on
    set-up  the same replay of cases without steps: the same directories made and removed, the recipe and the cases sent
    start   what a first replay takes longer: its workers start
    loop    as many processes as there are workers, each with its share of the steps
    ratio   (gate - set-up) / loop: what a step costs. It leaves out set-up and start
    whole   gate / loop: leaves out the start alone

`--fixtures 400` is a pack such as `gate record` makes of a test-suite's files, three to a folder: set-up is what it is felt in.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from gate.domain import Case, CaseId, Step
from gate.hashing.pack import scan_pack
from gate.replay.engine import LocalEngine
from gate.replay.environment import step_environment
from gate.replay.fixtures import lay_template
from gate.replay.interface import Recipe
from gate.replay.slot import claim_slot

STEPS_A_CASE = 5
SMALL_PACK = 3
"""Fixtures of the usual pack."""
PYTHON_PROGRAM = "import sys\nprint('hello', *sys.argv[1:])\n"


def bare_loop(job: tuple[Sequence[Sequence[str]], dict[str, str], str]) -> None:
    """Spawn and read, nothing else."""
    steps, env, folder = job
    for argv in steps:
        subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=env,
            start_new_session=True,
        ).communicate()


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def corpus(argv: Sequence[str], steps: int) -> list[Case]:
    """Cases of a few steps each, `steps` in all."""
    step = Step(argv=tuple(os.fsencode(word) for word in argv))
    return [Case(id=CaseId(f"case-{n:04d}"), steps=(step,) * STEPS_A_CASE) for n in range(steps // STEPS_A_CASE)]


def measure(argv: Sequence[str], recipe: Recipe, steps: int, workers: int, rounds: int) -> tuple[float, ...]:
    """Best seconds of the gate, of its set-up, of that with the start of the workers, and of the loop."""
    cases = corpus(argv, steps)
    empty = [Case(id=case.id, steps=()) for case in cases]
    with (
        tempfile.TemporaryDirectory() as folder,
        multiprocessing.Pool(workers) as pool,
        LocalEngine(workers=workers) as engine,
    ):
        env = step_environment(recipe, home=folder, tmp=folder)
        jobs = [([argv] * (steps // workers), env, folder)] * workers
        work: tuple[Callable[[], object], ...] = (
            lambda: engine.replay(recipe, cases, on_case=lambda: None),
            lambda: engine.replay(recipe, empty, on_case=lambda: None),
            lambda: LocalEngine(workers=workers).replay(recipe, empty, on_case=lambda: None),
            lambda: pool.map(bare_loop, jobs, chunksize=1),
        )
        for one in work:  # once unmeasured: files are read, processes are there
            one()
        taken = [[seconds(one) for one in work] for _ in range(rounds)]
    return tuple(min(column) for column in zip(*taken, strict=True))


def fixtures(folder: Path, count: int) -> Path:
    """A pack of `count` files, three to a folder; the first three stand at its top."""
    names = ("orders.json", "prices.csv", "notes.txt")
    for number in range(count):
        within = folder / f"recorded/{number // 3:08d}" if number >= len(names) else folder
        within.mkdir(parents=True, exist_ok=True)
        (within / names[number % 3]).write_text(names[number % 3] * 100)
    return folder


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--fixtures", type=int, default=SMALL_PACK)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, claim_slot(Path(name)) as slot:
        pack = fixtures(Path(name) / "fixtures", options.fixtures)
        lay_template(pack, scan_pack(pack), slot)
        program = Path(name) / "program.py"
        program.write_text(PYTHON_PROGRAM)
        true = shutil.which("true") or "/bin/true"
        programs = {"native": [true], "python": [sys.executable, "-S", str(program)]}
        recipe = Recipe(slot=str(slot.root), aliases=slot.aliases)
        print(
            f"{options.steps} steps, {STEPS_A_CASE} a case, {options.fixtures} fixtures, best of {options.rounds}; seconds"
        )
        print("program  workers    gate  set-up   start    loop   ratio   whole")
        for label, argv in programs.items():
            for workers in (1, 2):
                gate, setup, cold, loop = measure(argv, recipe, options.steps, workers, options.rounds)
                print(
                    f"{label:7}  {workers:7}  {gate:6.3f}  {setup:6.3f}  {cold - setup:6.3f}  {loop:6.3f}"
                    f"  {(gate - setup) / loop:6.2f}  {gate / loop:6.2f}"
                )


if __name__ == "__main__":
    main()
