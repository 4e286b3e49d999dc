"""Real programs in two released versions: is what is known found, in how many groups is it shown, and is the old one ever red?

    python benches/pairs.py --out ROWS.jsonl [--rounds 20] [NAME…]      run what is not in ROWS yet
    python benches/pairs.py --out ROWS.jsonl --table                    print what is

`AUDITOR_PAIRS` names the folder of the pairs (tests/pairs/pair_project.py). First each pair runs old against new, then round by
round old against itself, so that a bench that is stopped has about as many rounds of each. Every fifth round starts from nothing;
those between judge against the golden that the one before has kept, as in daily use.

    known    deltas that are known, and of these those found at the very case, step and field
    steps    steps that differ, and the groups in which the report shows them
    A/A      runs of the old version against itself: how many ended red (1), how many abstained (3), how many gave no verdict (2)
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from rows import Job, Row, fill, read_rows

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "pairs"))

from judge_pair import Place, run_pair
from pair_project import Pair, find_python, pair_files, read_pair

from gate.errors import GateError

FRESH = 5
"""Of so many rounds of old against itself one starts from nothing."""


def measure(pair: Pair, turn: int, folder: Path) -> Row:
    """Run one job below `folder`. A run without a verdict is a row, too."""
    began = time.monotonic()
    afresh = turn == 0 or turn % FRESH == 1 or not (folder / pair.name).exists()
    try:
        seen = run_pair(pair, folder / pair.name, against_itself=turn > 0, workers=1, afresh=afresh)
    except GateError as error:
        return {"exit": 2, "why": str(error), "known": len(pair.known), "missed": _words(pair.known)}
    return {
        "exit": seen.exit_code,
        "checks": seen.checks,
        "known": len(pair.known),
        "missed": _words(pair.known - seen.changed),
        "changed": _words(seen.changed) if turn else len(seen.changed),
        "steps": len(seen.comparison.deltas),
        "groups": seen.groups,
        "unstable": _words(seen.unstable),
        "afresh": afresh,
        "seconds": round(time.monotonic() - began, 1),
    }


def _words(places: frozenset[Place]) -> list[str]:
    return [f"{case}/{step} {field}" for case, step, field in sorted(places)]


def jobs(pairs: Sequence[Pair], rounds: int, folder: Path) -> Iterator[Job]:
    """Each pair with its rounds: 0 is old against new, the others old against itself."""
    for turn in range(rounds + 1):
        for pair in pairs:
            yield {"pair": pair.name, "round": turn}, partial(measure, pair, turn, folder)


def table(rows: Sequence[Row]) -> Iterator[str]:
    """A line a pair, what was missed or wavered beneath it, and the sums."""
    yield f"{'pair':30} known found  steps groups    A/A  red  abst. invalid"
    sums = [0] * 8
    for name in sorted({row["pair"] for row in rows}):
        other = next((row for row in rows if row["pair"] == name and row["round"] == 0), {})
        same = [row for row in rows if row["pair"] == name and row["round"] > 0]
        known = other.get("known", 0)
        ends = [sum(row["exit"] == code for row in same) for code in (1, 3, 2)]
        found = known - len(other.get("missed", ()))
        cells = [known, found, other.get("steps", 0), other.get("groups", 0), len(same), *ends]
        sums = [total + cell for total, cell in zip(sums, cells, strict=True)]
        yield _line(name, cells)
        yield from _named(other, same)
    yield _line("all", sums)


def _line(name: str, cells: Sequence[int]) -> str:
    return f"{name:30} " + " ".join(
        f"{cell:>{width}}" for cell, width in zip(cells, (5, 5, 6, 6, 6, 4, 6, 7), strict=True)
    )


def _named(other: Row, same: Sequence[Row]) -> Iterator[str]:
    if other.get("missed"):
        yield "    missed: " + ", ".join(other["missed"])
    if other.get("unstable"):
        yield "    old against new abstains: " + ", ".join(other["unstable"])
    for word in ("changed", "unstable"):
        places = [place for row in same for place in row.get(word, ())]
        if places:
            told = ", ".join(f"{place} ({places.count(place)})" for place in sorted(set(places)))
            yield f"    A/A {word}: {told}"
    for why in sorted({row["why"] for row in (other, *same) if "why" in row}):
        yield f"    no verdict: {why}"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts of names; none: all pairs")
    parser.add_argument(
        "--out", type=Path, required=True, help="JSON Lines, one a run; a run that has its line is not run again"
    )
    parser.add_argument("--rounds", type=int, default=20, help="runs of the old version against itself")
    parser.add_argument("--table", action="store_true", help="run nothing")
    asked = parser.parse_args()
    pairs = [read_pair(file) for file in pair_files()]
    wanted = [pair for pair in pairs if not asked.names or any(name in pair.name for name in asked.names)]
    here = [pair for pair in wanted if find_python(pair.told["python"])]
    for pair in wanted:
        if pair not in here:
            print(f"{pair.name}: left out, no Python {pair.told['python']} here")
    if not asked.table:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            fill(asked.out, jobs(here, asked.rounds, Path(folder)))
    print("\n".join(table(read_rows(asked.out))))


if __name__ == "__main__":
    main()
