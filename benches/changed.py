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
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from flipping import Flipping, Gate, make_work
from others import Judge, others
from rows import Job, Row
from turns import command_line, ends, serve, turns, whys

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
            name = {"percent": percent, "change": situation.name}
            judges += [(name, tool, situation) for tool in (Gate(work, folder), *others(work, folder, asked.tools))]
    yield from turns(judges, asked, once)


def table(rows: Sequence[Row]) -> Iterator[str]:
    """A line for each tool in each situation; runs without a verdict say why beneath it."""
    yield "noise  change    tool       runs     0    1    2    3  named  else"
    kinds = dict.fromkeys((row["change"], row["percent"], row["tool"]) for row in rows)
    for change, percent, tool in sorted(kinds, key=lambda kind: (kind[0], kind[1], kind[2] != Gate.name)):
        same = [row for row in rows if (row["change"], row["percent"], row["tool"]) == (change, percent, tool)]
        told = (
            f"{sum(row['named'] for row in same):>5} {sum(row['else'] for row in same):>5}" if tool == Gate.name else ""
        )
        yield f"{percent:>3} %  {change:8}  {tool:10} {len(same):>4}  {ends(same)}  {told}"
        yield from whys(same)


def main() -> None:
    """The command line."""
    parser = command_line(__doc__, steps="8 to 1000")
    parser.add_argument("--only", nargs="*", metavar="CHANGE", help="names of the first column above; none: all")
    asked = parser.parse_args()
    if asked.quick:
        asked.runs, asked.tool_runs, asked.steps, asked.percents = 1, 1, 10, (10,)
    serve(asked, jobs, table)


if __name__ == "__main__":
    main()
