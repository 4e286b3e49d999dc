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
    columns = ("A/A", "delta", "unst.", "s", "|", "A/B", "known", "found", "also", "unst.", "s")
    print(f"{'pair':32}", *(f"{name:>5}" for name in columns))
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
    also = len(other.changed - pair.known)
    cells = (same.exit_code, len(same.changed), len(same.unstable), f"{middle - began:.1f}", "|")
    cells = (*cells, other.exit_code, len(pair.known), len(found), also, len(other.unstable), f"{ended - middle:.1f}")
    print(f"{pair.name:32}", *(f"{cell:>5}" for cell in cells), flush=True)
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
