"""A real change under noise: is it found? And a candidate that has become random: is it ever passed?

    python benches/changed.py --out ROWS.jsonl [--runs 100] [--steps 100] [--tools TOOLS/bin] [--tool-runs 100]
    python benches/changed.py --out ROWS.jsonl --table       print what is there, run nothing

    word      one step that never flips says another word in the candidate, while all others flip
    status    one step that flips ends in 3 in the candidate, while its output goes on flipping
    third     one step that flips says, in the candidate, steadily what the baseline never said
    all 50 %  the baseline is steady; in the candidate every step is random
    one 50 %  the baseline is steady; in the candidate one step is random

`named`: runs that say what is, at that very check: for `word` and `status` a delta; for `third` a delta where the baseline happened not
to waver, else that the candidate shows a value that the baseline never did; for the others a verdict that is not 0, and nothing said
to waver on the baseline. A random step is a delta, not unstable, where the candidate shows its new value in all five runs (1 in 32).
`else`: runs that flag a step that was not changed. What another tool's 1 is about is not looked at; flaky.py has its false alarms.

`one 50 %` is passed where both first runs of the candidate happen to say what the baseline says: 1 in 2 ^ replay.repeats.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from flipping import Flipping, Gate, make_work
from others import Judge, others
from rows import Job, Row, fill, read_rows

from gate.errors import GateError
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
    everywhere: bool = False
    """Whether every step was changed."""


def delta(field: str) -> Callable[[Scorecard], bool]:
    """Whether a run is red for that field of the step."""

    def told(card: Scorecard) -> bool:
        changes = [(row.case, change.field) for row in card.deltas for change in row.changes]
        return card.exit_code == 1 and (CASE, field) in changes

    return told


def flags_another(card: Scorecard) -> bool:
    """Whether a run flags a step that is not the one that was changed."""
    return any(row.case != CASE for row in card.deltas)


def delta_or_new_value(card: Scorecard) -> bool:
    """Whether a run is red for the step, or abstains at it and says that the candidate shows what the baseline never did."""
    return delta("stdout")(card) or any(check.case == CASE and check.new_values for check in card.unstable)


def became_random(card: Scorecard) -> bool:
    """Whether a run is not clean, and says of no check that it wavers on the baseline."""
    return card.exit_code != 0 and all(check.side == "candidate" for check in card.unstable)


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
        Situation(name="third", old=noise, new=Flipping(percent=percent, moved=LABEL), told=delta_or_new_value),
    )


RANDOM = (
    Situation(name="all 50 %", old=Flipping(), new=Flipping(percent=50), told=became_random, everywhere=True),
    Situation(name="one 50 %", old=Flipping(), new=Flipping(percent=50, alone=LABEL), told=became_random),
)


def once(judge: Judge, situation: Situation) -> Row:
    """How one run ended; of the gate also whether it says what is, and whether it flags anything else."""
    if not isinstance(judge, Gate):
        return {"exit": judge.judge()}
    try:
        card = judge.run().scorecard
    except GateError as error:
        return {"exit": 2, "named": False, "else": False, "why": str(error)}
    another = not situation.everywhere and flags_another(card)
    return {"exit": card.exit_code, "named": situation.told(card), "else": another}


def jobs(stack: ExitStack, asked: argparse.Namespace) -> Iterator[Job]:
    """One run of each tool in each situation, then the next of each."""
    judges = []
    for percent in (0, *asked.percents):
        for situation in situations(percent) if percent else RANDOM:
            if asked.only and situation.name not in asked.only:
                continue
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory())).resolve()
            work = make_work(folder / "work", situation.old, situation.new, steps=asked.steps)
            tools = (Gate(work, folder), *others(work, folder, asked.tools))
            judges += [(percent, situation, tool) for tool in tools]
    for turn in range(asked.runs):
        for percent, situation, judge in judges:
            if judge.name == Gate.name or turn < (asked.tool_runs or asked.runs):
                name = {"percent": percent, "change": situation.name, "tool": judge.name, "turn": turn}
                yield name, partial(once, judge, situation)


def table(rows: Sequence[Row]) -> Iterator[str]:
    """A line for each tool in each situation; runs without a verdict say why beneath it."""
    yield "noise  change    tool       runs     0    1    2    3  named  else"
    kinds = dict.fromkeys((row["change"], row["percent"], row["tool"]) for row in rows)
    for change, percent, tool in sorted(kinds, key=lambda kind: (kind[0], kind[1], kind[2] != Gate.name)):
        same = [row for row in rows if (row["change"], row["percent"], row["tool"]) == (change, percent, tool)]
        codes = Counter(row["exit"] for row in same)
        ends = " ".join(f"{codes[code]:>4}" for code in (0, 1, 2, 3))
        told = (
            f"{sum(row['named'] for row in same):>5} {sum(row['else'] for row in same):>5}" if tool == Gate.name else ""
        )
        yield f"{percent:>3} %  {change:8}  {tool:10} {len(same):>4}  {ends}  {told}"
        yield from (f"    no verdict: {why}" for why in sorted({row["why"] for row in same if "why" in row}))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="JSON Lines, one a run; none: they are not kept")
    parser.add_argument("--table", action="store_true", help="run nothing")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--steps", type=int, default=100, help="8 to 1000")
    parser.add_argument("--percents", type=int, nargs="*", default=(2, 5, 10, 20))
    parser.add_argument("--only", nargs="*", metavar="CHANGE", help="names of the first column above; none: all")
    parser.add_argument("--tools", type=Path, help="a folder of programs with the other tools")
    parser.add_argument("--tool-runs", type=int, help="runs of each other tool, where it is not `--runs`")
    parser.add_argument("--quick", action="store_true", help="tiny numbers, to see that the bench works")
    asked = parser.parse_args()
    if asked.quick:
        asked.runs, asked.tool_runs, asked.steps, asked.percents = 1, 1, 10, (10,)
    with ExitStack() as stack:
        out = asked.out or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "rows.jsonl"
        if not asked.table:
            fill(out, jobs(stack, asked))
        sys.stdout.writelines(f"{line}\n" for line in table(read_rows(out)))


if __name__ == "__main__":
    main()
