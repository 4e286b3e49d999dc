"""Flaky but unchanged: how often is a verdict red though nothing changed, and what does the answer cost?

    python benches/flaky.py --out ROWS.jsonl [--runs 100] [--steps 100] [--case-steps 1] [--tools TOOLS/bin] [--tool-runs 100]
    python benches/flaky.py --out ROWS.jsonl --table         print what is there, run nothing

Each step flips with the same chance, independently in every run, on both sides alike: the candidate is the baseline's program in
another tree. A run that ends in 1 is a false alarm. Other tools stand beside the gate in the same run, see others.py. What is in
ROWS is not run again, so a bench that was stopped goes on; all rates grow alike.

    0 1 2 3     how many runs ended in that exit code (the meaning of each code is the tool's own)
    spawns      starts of the program, as a multiple of a plain A/A/B run: three times the steps
    simple      how many of the gate's runs would end in 1 if 5 runs of each side were all: for a chance p, one run ends so with
                1 - (1 - 2 (p (1-p))^5) ^ steps. Where the gate runs more often than that before it is red, it stays below
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from flipping import Flipping, Gate, Work, make_work
from others import Judge, others
from rows import Job, Row
from turns import command_line, ends, serve, turns, whys

from gate.config.model import Replay
from gate.errors import GateError


def once(judge: Judge, work: Work) -> Row:
    """How one run ended, and what it spawned. A run without a verdict is one that ended in 2."""
    told: dict[str, object] = {}

    def run() -> None:
        try:
            told["exit"] = judge.judge()
        except GateError as error:
            told.update(exit=2, why=str(error))

    spawns = work.spawns(run)
    return {**told, "spawns": spawns}


def jobs(stack: ExitStack, asked: argparse.Namespace) -> Iterator[Job]:
    """One run of each tool at each rate, then the next of each."""
    judges = []
    for percent in asked.percents:
        does = Flipping(percent=percent)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory())).resolve()
        work = make_work(folder / "work", does, does, steps=asked.steps)
        name = {"percent": percent, "steps": asked.steps, "case_steps": asked.case_steps}
        tools = (Gate(work, folder, case_steps=asked.case_steps), *others(work, folder, asked.tools))
        judges += [(name, tool, work) for tool in tools]
    yield from turns(judges, asked, once)


def expected_red(percent: int, steps: int) -> float:
    """The share of runs that are red by chance: a step shows one value in all runs of one side, the other in those of the other."""
    runs = Replay().repeats + Replay().confirm
    chance = percent / 100
    return 1 - (1 - 2 * (chance * (1 - chance)) ** runs) ** steps


def table(rows: Sequence[Row]) -> Iterator[str]:
    """A line for each tool at each rate; runs without a verdict say why beneath it."""
    yield "flips  tool        case  runs     0    1    2    3  spawns  simple"
    kinds = dict.fromkeys((row["percent"], row["case_steps"], row["tool"], row["steps"]) for row in rows)
    for percent, case_steps, tool, steps in sorted(kinds, key=lambda kind: (kind[0], kind[1], kind[2] != Gate.name)):
        same = [row for row in rows if (row["percent"], row["case_steps"], row["tool"]) == (percent, case_steps, tool)]
        spawns = sum(row["spawns"] for row in same) / (3 * steps * len(same))
        simple = f"{len(same) * expected_red(percent, steps):6.2f}" if tool == Gate.name else ""
        yield f"{percent:>3} %  {tool:10}  {case_steps:>4}  {len(same):>4}  {ends(same)}  {spawns:>6.2f}  {simple}"
        yield from whys(same)


def main() -> None:
    """The command line."""
    parser = command_line(__doc__, steps="at most 1000")
    parser.add_argument("--case-steps", type=int, default=1, help="steps of one case, which is run again as a whole")
    asked = parser.parse_args()
    if asked.quick:
        asked.runs, asked.tool_runs, asked.steps, asked.percents = 2, 2, 10, (5, 10)
    serve(asked, jobs, table)


if __name__ == "__main__":
    main()
