"""Prints what the gate says about each pair: `python tests/pairs/report_pairs.py [NAME…]`."""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from judge_pair import run_pair
from pair_project import find_python, pair_files, read_pair


def main() -> None:
    """One row a pair: old against itself, then old against new."""
    wanted = sys.argv[1:]
    print(
        f"{'pair':32} {'A/A':>4} {'delta':>5} {'unst.':>5} {'s':>5} | {'A/B':>3} {'known':>5} {'found':>5} {'also':>5} {'unst.':>5} {'s':>5}"
    )
    with tempfile.TemporaryDirectory() as scratch:
        for file in pair_files():
            pair = read_pair(file)
            if wanted and not any(name in pair.name for name in wanted):
                continue
            if find_python(pair.told["python"]) is None:
                print(f"{pair.name:32} skipped: no Python {pair.told['python']} here")
                continue
            report(pair, Path(scratch))


def report(pair, scratch):
    """Print one row, and what was missed or wavered."""
    began = time.monotonic()
    same = run_pair(pair, scratch / "same", against_itself=True)
    middle = time.monotonic()
    other = run_pair(pair, scratch / "other", against_itself=False)
    ended = time.monotonic()
    found = pair.known & other.changed
    print(
        f"{pair.name:32} {same.exit_code:4} {len(same.changed):5} {len(same.unstable):5} {middle - began:5.1f} |"
        f" {other.exit_code:3} {len(pair.known):5} {len(found):5} {len(other.changed - pair.known):5} {len(other.unstable):5}"
        f" {ended - middle:5.1f}",
        flush=True,
    )
    for title, places in (
        ("A/A delta", same.changed),
        ("A/A unstable", same.unstable),
        ("missed", pair.known - found),
        ("also", other.changed - pair.known),
    ):
        if places:
            print(
                f"    {title}: " + ", ".join(f"{case}{step}:{field}" for case, step, field in sorted(places)),
                flush=True,
            )


if __name__ == "__main__":
    main()
