"""What the benches share that let tools judge in turn: their command line, the order of their runs, and the cells of their tables."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

from flipping import Gate
from others import Judge
from rows import Job, Row, fill, read_rows

_Work = TypeVar("_Work")


def command_line(doc: str | None, *, steps: str) -> argparse.ArgumentParser:
    """The options that all have. `steps`: the help of `--steps`."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="JSON Lines, one a run; none: they are not kept")
    parser.add_argument("--table", action="store_true", help="run nothing")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--steps", type=int, default=100, help=steps)
    parser.add_argument("--percents", type=int, nargs="*", default=(2, 5, 10, 20))
    parser.add_argument("--tools", type=Path, help="a folder of programs with the other tools")
    parser.add_argument("--tool-runs", type=int, help="runs of each other tool, where it is not `--runs`")
    parser.add_argument("--quick", action="store_true", help="tiny numbers, to see that the bench works")
    return parser


def serve(
    asked: argparse.Namespace,
    jobs: Callable[[ExitStack, argparse.Namespace], Iterable[Job]],
    table: Callable[[Sequence[Row]], Iterable[str]],
) -> None:
    """Run what is asked for, and print the table of all rows."""
    with ExitStack() as stack:
        out = asked.out or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "rows.jsonl"
        if not asked.table:
            fill(out, jobs(stack, asked))
        sys.stdout.writelines(f"{line}\n" for line in table(read_rows(out)))


def turns(
    judges: Sequence[tuple[Row, Judge, _Work]], asked: argparse.Namespace, once: Callable[[Judge, _Work], Row]
) -> Iterator[Job]:
    """One run of each judge, then the next of each; a tool that is not the gate may be asked less often. Each comes with what names it."""
    for turn in range(asked.runs):
        for name, judge, work in judges:
            if judge.name == Gate.name or turn < (asked.tool_runs or asked.runs):
                yield {**name, "tool": judge.name, "turn": turn}, lambda judge=judge, work=work: once(judge, work)


def ends(rows: Sequence[Row]) -> str:
    """Four cells: how many runs ended in 0, 1, 2 and 3."""
    codes = Counter(row["exit"] for row in rows)
    return " ".join(f"{codes[code]:>4}" for code in (0, 1, 2, 3))


def whys(rows: Iterable[Row]) -> Iterator[str]:
    """A line for each reason for which there was no verdict."""
    yield from (f"    no verdict: {why}" for why in sorted({row["why"] for row in rows if "why" in row}))
