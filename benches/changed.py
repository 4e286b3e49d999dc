"""A real change under noise: is it found? And a candidate that has become random: is it ever passed?

    python benches/changed.py [--runs 100] [--steps 100] [--tools TOOLS/bin] [--tool-runs 100]

    word      one step that never flips says another word in the candidate, while all others flip
    status    one step that flips ends in 3 in the candidate, while its output goes on flipping
    third     one step that flips says, in the candidate, steadily what the baseline never said
    all 50 %  the baseline is steady; in the candidate every step is random
    one 50 %  the baseline is steady; in the candidate one step is random

`named`: runs whose verdict is what it should be, at that very check: for `word` and `status` 1 with that delta; for `third` 3 (the
baseline wavers there), with the remark that the value is new; for the others 3 with checks that became unstable, and no other.
`else`: runs that flagged a step which was not changed. What another tool's 1 is about is not looked at: flaky.py has its false alarms.
`one 50 %` is passed where both first runs of the candidate happen to say what the baseline says: 1 in 2 ^ replay.repeats.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from flipping import Flipping, Gate, make_work
from others import others

from gate.report.scorecard import Scorecard

LABEL = "label-007"
CASE = "case-007"


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Two builds, and how a verdict about them reads that says what is."""

    name: str
    old: Flipping
    new: Flipping
    told: Callable[[Scorecard], bool]


def delta(field: str) -> Callable[[Scorecard], bool]:
    """Whether a run is red for that field of the step."""

    def told(card: Scorecard) -> bool:
        changes = [(row.case, change.field) for row in card.deltas for change in row.changes]
        return card.exit_code == 1 and (CASE, field) in changes

    return told


def flags_another(card: Scorecard) -> bool:
    """Whether a run flags a step that does in the candidate what it did in the baseline."""
    return any(row.case != CASE for row in card.deltas)


def new_value(card: Scorecard) -> bool:
    """Whether a run abstains at the step and says that the candidate shows what the baseline never did."""
    return card.exit_code == 3 and any(check.case == CASE and check.new_values for check in card.unstable)


def became_unstable(card: Scorecard) -> bool:
    """Whether a run abstains for nothing but what wavers on the candidate alone."""
    return card.exit_code == 3 and {check.side for check in card.unstable} == {"candidate"}


def situations(percent: int) -> tuple[Situation, ...]:
    """Those with noise at that rate."""
    noise = Flipping(percent=percent)
    quiet = Flipping(percent=percent, steady=LABEL)
    return (
        Situation(
            name="word",
            old=quiet,
            new=Flipping(percent=percent, steady=LABEL, moved=LABEL),
            told=delta("stdout"),
        ),
        Situation(name="status", old=noise, new=Flipping(percent=percent, failing=LABEL), told=delta("status")),
        Situation(name="third", old=noise, new=Flipping(percent=percent, moved=LABEL), told=new_value),
    )


RANDOM = (
    Situation(name="all 50 %", old=Flipping(), new=Flipping(percent=50), told=became_unstable),
    Situation(name="one 50 %", old=Flipping(), new=Flipping(percent=50, alone=LABEL), told=became_unstable),
)


def table(
    percents: Sequence[int], names: Sequence[str], *, runs: int, steps: int, tools: Path | None, tool_runs: int
) -> dict[tuple[str, int], Counter[int | str]]:
    """Print the table as it grows. Returns the gate's exit codes, and how many were `named`, by situation and rate."""
    print(f"{steps} steps, one a case", flush=True)
    print("noise  change    tool       runs     0    1    2    3  named  else", flush=True)
    told: dict[tuple[str, int], Counter[int | str]] = {}
    for percent in (*percents, 0):
        for situation in situations(percent) if percent else RANDOM:
            if names and situation.name not in names:
                continue
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name).resolve()
                work = make_work(folder / "work", situation.old, situation.new, steps=steps)
                gate = Gate(work, folder)
                cards = [gate.run().scorecard for _ in range(runs)]
                codes = Counter[int | str](card.exit_code for card in cards)
                codes["named"] = sum(map(situation.told, cards))
                codes["else"] = sum(map(flags_another, cards))
                told[situation.name, percent] = codes
                print(_row(situation, percent, gate.name, codes, f"{codes['named']:>5} {codes['else']:>5}"), flush=True)
                for other in others(work, folder, tools):
                    ends = Counter[int | str](other.judge() for _ in range(tool_runs))
                    print(_row(situation, percent, other.name, ends, ""), flush=True)
    return told


def _row(situation: Situation, percent: int, tool: str, codes: Counter[int | str], named: str) -> str:
    ends = " ".join(f"{codes[code]:>4}" for code in (0, 1, 2, 3))
    runs = sum(codes[code] for code in (0, 1, 2, 3))
    return f"{percent:>3} %  {situation.name:8}  {tool:10} {runs:>4}  {ends}  {named}"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--steps", type=int, default=100, help="8 to 1000")
    parser.add_argument("--percents", type=int, nargs="*", default=(2, 5, 10, 20))
    parser.add_argument("--only", nargs="*", default=(), metavar="CHANGE", help="names of the first column above; none: all")
    parser.add_argument("--tools", type=Path, help="a folder of programs with the other tools")
    parser.add_argument("--tool-runs", type=int, help="runs of each other tool, where it is not `--runs`")
    parser.add_argument("--quick", action="store_true", help="tiny numbers, to see that the bench works")
    asked = parser.parse_args()
    runs, steps, percents = (1, 10, (10,)) if asked.quick else (asked.runs, asked.steps, asked.percents)
    tool_runs = runs if asked.quick else asked.tool_runs or runs
    table(percents, asked.only, runs=runs, steps=steps, tools=asked.tools, tool_runs=tool_runs)


if __name__ == "__main__":
    main()
