"""Would a corpus from `gate init` alone have shown what is known to have changed between two releases?

    python benches/init_pairs.py --out ROWS.jsonl [NAME…]     run what is not in ROWS yet
    python benches/init_pairs.py --out ROWS.jsonl --table     print what is

`AUDITOR_PAIRS` names the folder of the pairs (tests/pairs/pair_project.py). Of a pair nothing is taken but its two environments and the
names of its programs: for each that is known to differ a project is made by `gate init --program bin/NAME --baseline OLD`, `gate corpus
draw`, `thin`, `freeze` and `gate pin`, and `gate run` holds the old release against the new one. The hand-written sessions say what is
known.

A known delta *shows* when the run has a step of the same program with the same edit in the same field (edits.py says what that is), so
that another delta of the same release seldom counts. `program` counts the steps that differ in a field in which that
program is known to differ, whatever they say, and `any` all that differ: what a person would have had to look at. The row has some.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from edits import Edits, edits_of, known_places, program_of, words_of
from rows import Job, Row, fill, read_rows

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "pairs"))

from judge_pair import run_pair
from pair_project import Pair, environment, find_python, pair_files, read_pair

from gate.config.load import load_project
from gate.corpus.format import read_corpus
from gate.diff.findings import Delta
from gate.errors import GateError
from gate.report.scorecard import read_deltas

SHOWN = 300
"""Characters of a value in a row."""
_INTERPRETERS = frozenset({"python", "sh"})


def measure(pair: Pair, folder: Path) -> Row:
    """One pair, below `folder`."""
    began = time.monotonic()
    told = pair.told
    programs = [word.removeprefix("bin/") for word in told["program"]]
    try:
        known = _known(pair, programs, folder / pair.name / "known")
    except GateError as error:
        return {"exits": {}, "why": str(error)}
    exits, said, found, cases = {}, {}, list[tuple[str, Delta]](), 0
    of_known = {program for program, _, _ in known.values()}
    for program in (name for name in programs if name in of_known and name not in _INTERPRETERS):
        project = folder / pair.name / program
        project.mkdir(parents=True)
        name, done = _run(pair, program, project)
        exits[program] = f"{name} {done.returncode}"
        if name != "run" or done.returncode == 2:
            said[program] = (done.stdout + done.stderr)[-500:]
            continue
        cases += len(read_corpus(load_project(project).corpus_file).cases)
        found += [(program, delta) for delta in read_deltas(project / ".gate" / "latest" / "scorecard.json")]
    inputs = _inputs(folder / pair.name)
    shown = [place for place, edits in known.items() if _shows(edits, found, inputs)]
    return {
        "exits": exits,
        "said": said,
        "cases": cases,
        "known": len(known),
        "shown": sorted(shown),
        "program": sum(_alike(known.values(), program, delta) for program, delta in found),
        "any": len(found),
        "sample": [_told(program, delta) for program, delta in found[:10]],
        "seconds": round(time.monotonic() - began, 1),
    }


def _known(pair: Pair, programs: Sequence[str], folder: Path) -> dict[str, tuple[str, Delta, frozenset[str]]]:
    """By place: the program, the step as it differs, and its fields that are known to differ."""
    seen = run_pair(pair, folder, against_itself=False, workers=None)
    fields = known_places(pair.known)
    held = {}
    for delta in seen.comparison.deltas:
        program = program_of(pair.told, delta, programs)
        if (delta.case, delta.step) in fields and program is not None:
            held[f"{delta.case}/{delta.step}"] = (program, delta, fields[delta.case, delta.step])
    return held


def _shows(
    known: tuple[str, Delta, frozenset[str]], found: Iterable[tuple[str, Delta]], inputs: frozenset[str]
) -> bool:
    program, delta, fields = known
    wanted: Edits = edits_of(delta, inputs, only=fields)
    return any(name == program and not wanted.isdisjoint(edits_of(other, inputs)) for name, other in found)


def _alike(known: Iterable[tuple[str, Delta, frozenset[str]]], program: str, delta: Delta) -> bool:
    fields = {change.field.partition(":")[0] for change in delta.changes}
    return any(name == program and not fields.isdisjoint(held) for name, _, held in known)


def _run(pair: Pair, program: str, project: Path) -> tuple[str, subprocess.CompletedProcess[str]]:
    """Every command in turn, as far as they end in 0: the last one, and how it ended."""
    old, new = (str(environment(pair, pair.told[side])) for side in ("old", "new"))
    steps = (
        ("init", ("init", "--program", f"bin/{program}", "--baseline", old)),
        ("draw", ("corpus", "draw")),
        ("thin", ("corpus", "thin", "--baseline", old)),
        ("freeze", ("corpus", "freeze", "--baseline", old)),
        ("pin", ("pin",)),
        ("run", ("run", "--baseline", old, "--candidate", new)),
    )
    ended = ("nothing", subprocess.CompletedProcess[str]((), 0))
    for name, words in steps:
        ended = name, _gate(words, project)
        if ended[1].returncode != 0:
            break
    return ended


def _gate(words: Sequence[str], project: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).with_name("gate"), *words],
        cwd=project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="backslashreplace",
        check=False,
    )


def _inputs(folder: Path) -> frozenset[str]:
    """The words that the cases bring: of both corpora and of both fixture packs."""
    texts: list[bytes] = []
    for project in (folder / "known", *(path for path in folder.iterdir() if path.name != "known")):
        if not (project / "gate.toml").exists() or not load_project(project).corpus_file.exists():
            continue
        held = load_project(project)
        for case in read_corpus(held.corpus_file).cases:
            texts += [word for step in case.steps for word in (*step.argv, step.stdin or b"") if word[:1] != b"-"]
        files = [file for file in held.fixtures.rglob("*") if file.is_file()]
        texts += [file.read_bytes() for file in files] + [file.name.encode() for file in files]
    return words_of(texts)


def _told(program: str, delta: Delta) -> Row:
    changes = [
        {
            "field": change.field,
            "old": None if change.old is None else change.old.text.decode("utf-8", "backslashreplace")[:SHOWN],
            "new": None if change.new is None else change.new.text.decode("utf-8", "backslashreplace")[:SHOWN],
        }
        for change in delta.changes
    ]
    return {"program": program, "case": delta.case, "step": delta.step, "changes": changes}


def table(rows: Sequence[Row]) -> Iterator[str]:
    """A line a pair, and the sum."""
    yield f"{'pair':30} cases  known  shown program   any  seconds"
    for row in rows:
        if not row.get("known"):
            yield f"{row['pair']:30} no verdict: {row.get('why') or row['exits']}"
            continue
        numbers = (row["cases"], row["known"], len(row["shown"]), row["program"], row["any"])
        cells = " ".join(f"{cell:>{width}}" for cell, width in zip(numbers, (5, 6, 6, 7, 5), strict=True))
        yield f"{row['pair']:30} {cells} {row['seconds']:8.1f}"
        yield from (f"    {program}: {ended}" for program, ended in row["exits"].items() if program in row["said"])
    shown = sum(bool(row.get("shown")) for row in rows)
    yield f"pairs that show at least one known delta: {shown} of {len(rows)}"


def jobs(pairs: Iterable[Pair], folder: Path) -> Iterator[Job]:
    """One a pair."""
    for pair in pairs:
        yield {"pair": pair.name}, partial(measure, pair, folder)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts of names; none: all pairs")
    parser.add_argument(
        "--out", type=Path, required=True, help="JSON Lines, one a pair; a pair that has its line is not run again"
    )
    parser.add_argument("--table", action="store_true", help="run nothing")
    asked = parser.parse_args()
    pairs = [read_pair(file) for file in pair_files()]
    wanted = [pair for pair in pairs if not asked.names or any(name in pair.name for name in asked.names)]
    if not asked.table:
        here = [pair for pair in wanted if find_python(pair.told["python"])]
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            fill(asked.out, jobs(here, Path(folder)))
    print("\n".join(table(read_rows(asked.out))))


if __name__ == "__main__":
    main()
