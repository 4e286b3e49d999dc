"""Flaky but unchanged: how often is a verdict red though nothing changed, and what does the answer cost?

    python benches/flaky.py [--runs 100] [--steps 100] [--case-steps 1] [--tools TOOLS/bin] [--tool-runs 100]

Each step flips with the same chance, independently in every run, on both sides alike: the candidate is the baseline's program in
another tree. A run that ends in 1 is a false alarm. `expected 1` is what the arithmetic of docs/confirm.md says: for a chance p and n
runs of each side, 1 - (1 - p^n (1-p)^n - (1-p)^n p^n) ^ steps. Other tools stand beside it in the same run, see others.py.

    0 1 2 3     how many runs ended in that exit code (the meaning of each code is the tool's own)
    spawns      starts of the program, as a multiple of a plain A/A/B run: three times the steps
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from flipping import Flipping, Gate, Work, make_work
from others import Judge, others

from gate.config.model import Replay
from gate.errors import GateError

PERCENTS = (2, 5, 10, 20)


def measure(judge: Judge, work: Work, runs: int) -> tuple[Counter[int], float]:
    """Exit codes of the runs, and spawns as a multiple of three times the steps."""
    codes: Counter[int] = Counter()

    def once() -> None:
        try:
            codes[judge.judge()] += 1
        except GateError as error:
            codes[2] += 1
            print(f"    no verdict: {error}", flush=True)

    spawns = sum(work.spawns(once) for _ in range(runs))
    return codes, spawns / (3 * work.steps * runs)


def expected_red(percent: int, steps: int) -> float:
    """The share of runs that the gate flags by chance: a step must show one value in all runs of one side, the other in the other."""
    runs = Replay().repeats + Replay().confirm
    chance = percent / 100
    return 1 - (1 - 2 * (chance * (1 - chance)) ** runs) ** steps


def row(judge: Judge, percent: int, codes: Counter[int], spawns: float, expected: str) -> str:
    """One line of the table."""
    ends = " ".join(f"{codes[code]:>4}" for code in (0, 1, 2, 3))
    return f"{percent:>3} %  {judge.name:10} {codes.total():>4}  {ends}  {spawns:>6.2f}  {expected}"


def table(
    percents: Sequence[int], *, runs: int, steps: int, case_steps: int, tools: Path | None, tool_runs: int
) -> Counter[int]:
    """Print the table as it grows. Returns the gate's exit codes over all rates."""
    print(f"{steps} steps, {case_steps} a case; each flips by chance; nothing changed", flush=True)
    print("flips  tool       runs     0    1    2    3  spawns  expected 1", flush=True)
    total: Counter[int] = Counter()
    for percent in percents:
        does = Flipping(percent=percent)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            work = make_work(folder / "work", does, does, steps=steps)
            gate = Gate(work, folder, case_steps=case_steps)
            codes, spawns = measure(gate, work, runs)
            total += codes
            print(row(gate, percent, codes, spawns, f"{runs * expected_red(percent, steps):.2f}"), flush=True)
            for other in others(work, folder, tools):
                codes, spawns = measure(other, work, tool_runs)
                print(row(other, percent, codes, spawns, ""), flush=True)
    return total


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--steps", type=int, default=100, help="at most 1000")
    parser.add_argument("--case-steps", type=int, default=1, help="steps of one case, which is run again as a whole")
    parser.add_argument("--percents", type=int, nargs="+", default=PERCENTS)
    parser.add_argument("--tools", type=Path, help="a folder of programs with the other tools")
    parser.add_argument("--tool-runs", type=int, help="runs of each other tool, where it is not `--runs`")
    parser.add_argument("--quick", action="store_true", help="tiny numbers, to see that the bench works")
    asked = parser.parse_args()
    runs, steps, percents = (2, 10, (5, 10)) if asked.quick else (asked.runs, asked.steps, asked.percents)
    tool_runs = runs if asked.quick else asked.tool_runs or runs
    table(percents, runs=runs, steps=steps, case_steps=asked.case_steps, tools=asked.tools, tool_runs=tool_runs)


if __name__ == "__main__":
    main()
