"""How many mutants of real programs does a corpus catch, and does it ever cry wolf?

    python benches/mutants.py --out ROWS.jsonl [--work FOLDER]      run what is not in ROWS yet
    python benches/mutants.py --out ROWS.jsonl --table              print what is

For each program (mutant_programs.py) the corpora are made in projects of their own (mutant_corpora.py), a seeded sample of mutants is
made once and kept (mutant_making.py), and each corpus and the program's own suite judges each mutant (mutant_judge.py). `--programs`,
`--corpora`, `--mutants`, `--judges` narrow it; a second call with more goes on. docs/measured-corpus.md says how to read the tables.

    made     the commands from `gate init` to the end of the first `gate run`, their seconds and exit codes; edits made by hand
    mutant   caught: a delta, or for the suite a failure
    same     whole runs of the released program against itself (`--same N` each): exit codes
    agrees   a whole `gate run` on the mutated tree says the same as the short way (`--agrees N` mutants each)
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from mutant_corpora import CORPORA, Corner, call, make
from mutant_judge import Bench, Mutant
from mutant_programs import PROGRAMS, Program, Workshop
from mutant_sample import Sample, sample_of
from mutant_suite import judge_by_suite, mutated
from mutant_table import tables
from rows import Job, Row, fill, read_rows

from gate.config.load import load_project
from gate.errors import GateError

SUITE = "suite"


class Counter:
    """The corner that is open: a new one closes the one before."""

    def __init__(self) -> None:
        self._open: tuple[Corner, Bench] | None = None

    def of(self, corner: Corner) -> Bench:
        """The bench of that corner, replayed and ready."""
        if self._open is None or self._open[0] != corner:
            self.close()
            self._open = corner, Bench(corner).__enter__()
        return self._open[1]

    def close(self) -> None:
        """End what is open."""
        if self._open is not None:
            self._open[1].__exit__(None, None, None)
            self._open = None


def corners(workshop: Workshop, program: Program, corpora: Sequence[str]) -> list[Corner]:
    """One for each corpus that is asked for."""
    return [Corner(workshop=workshop, program=program, corpus=corpus) for corpus in corpora]


def made(places: Sequence[Corner]) -> Iterator[Job]:
    """The corpora; `hand` is there already."""
    for corner in places:
        if corner.corpus in CORPORA:
            yield {"what": "made", "program": corner.program.name, "corpus": corner.corpus}, partial(make, corner)


def judged(
    places: Sequence[Corner], sample: Sample, most: int, counter: Counter, hints: Sequence[Row]
) -> Iterator[Job]:
    """Each mutant by each corpus."""
    for corner in places:
        for mutant in sample.of(most):
            by = [row["by"] for row in hints if row.get("mutant") == mutant.id and row.get("by")]
            name = {"what": "mutant", "program": corner.program.name, "judge": corner.corpus, "mutant": mutant.id}
            yield name, partial(_by_corpus, counter, corner, sample, mutant, first=by)


def _by_corpus(counter: Counter, corner: Corner, sample: Sample, mutant: Mutant, *, first: Sequence[str]) -> Row:
    lines = sample.lines.get(corner.corpus, {})
    return {**counter.of(corner).judge(mutant, lines, first=first), **mutant.told}


def by_suite(place: Corner, sample: Sample, most: int) -> Iterator[Job]:
    """Each mutant by the program's own suite."""
    for mutant in sample.of(most):
        name = {"what": "mutant", "program": place.program.name, "judge": SUITE, "mutant": mutant.id}
        yield name, partial(judge_by_suite, place.workshop, place.program, mutant)


def same(places: Sequence[Corner], rounds: int) -> Iterator[Job]:
    """Whole runs of the released program against itself."""
    for turn in range(rounds):
        for corner in places:
            name = {"what": "same", "program": corner.program.name, "corpus": corner.corpus, "turn": turn}
            words = ("run", "--baseline", str(corner.tree), "--against-itself")
            yield name, partial(_exit, corner, words)


def agrees(places: Sequence[Corner], sample: Sample, rows: Sequence[Row], count: int) -> Iterator[Job]:
    """Whole runs on mutated trees, of caught mutants and of survivors in turn."""
    for corner in places:
        name = {"program": corner.program.name, "judge": corner.corpus}
        ends = {row["mutant"]: row["caught"] for row in rows if row["what"] == "mutant" and name.items() <= row.items()}
        known = {mutant.id: mutant for mutant in sample.mutants}
        caught = [known[id_] for id_, end in ends.items() if end and id_ in known]
        others = [known[id_] for id_, end in ends.items() if not end and id_ in known]
        turns = [mutant for pair in zip(caught, others, strict=False) for mutant in pair]
        rest = [mutant for mutant in (*caught, *others) if mutant not in turns]
        for mutant in (*turns, *rest)[:count]:
            job = {"what": "agrees", "program": corner.program.name, "corpus": corner.corpus, "mutant": mutant.id}
            yield job, partial(_whole, corner, mutant, caught=ends[mutant.id])


def _whole(corner: Corner, mutant: Mutant, *, caught: bool) -> Row:
    with mutated(corner.workshop, corner.program, mutant) as tree:
        row = _exit(corner, ("run", "--baseline", str(corner.tree), "--candidate", str(tree)))
    card = json.loads((corner.project / ".gate" / "latest" / "scorecard.json").read_bytes()) if row["exit"] != 2 else {}
    deltas = bool(card.get("deltas"))
    return {**row, "short": caught, "whole": deltas, "same": caught == deltas}


def _exit(corner: Corner, words: Sequence[str]) -> Row:
    done = call(corner, words)
    return {"exit": done.returncode, **({"said": done.stderr[-600:]} if done.returncode else {})}


def fill_in_turn(file: Path, jobs: Sequence[Job], workers: int) -> None:
    """As `fill`, so many at a time."""
    lock = threading.Lock()
    rows = read_rows(file)
    left = [job for job in jobs if not any(job[0].items() <= row.items() for row in rows)]

    def one(job: Job) -> None:
        row = {**job[0], **job[1]()}
        with lock, file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row) + "\n")

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(one, left))


def run_program(workshop: Workshop, program: Program, asked: argparse.Namespace) -> None:
    """All jobs of one program, in an order in which each finds what it rests on."""
    places = corners(workshop, program, asked.corpora)
    fill(asked.out, made(places))
    places = [corner for corner in places if _is_pinned(corner)]
    if not places:
        return
    sample = sample_of(workshop, program, places, seed=asked.seed, most=asked.mutants)
    if asked.suite:
        fill_in_turn(asked.out, list(by_suite(places[0], sample, asked.mutants)), asked.workers)
    _judge_all(places, sample, asked)
    fill(asked.out, same(places, asked.same))
    fill(asked.out, agrees(places, sample, read_rows(asked.out), asked.agrees))


def _is_pinned(corner: Corner) -> bool:
    """Whether there is a corpus to judge by. Where its making failed, the row says how."""
    return (corner.project / "gate.toml").exists() and load_project(corner.project).pins_file.exists()


def _judge_all(places: Sequence[Corner], sample: Sample, asked: argparse.Namespace) -> None:
    counter = Counter()
    try:
        for corner in places:
            fill(asked.out, judged([corner], sample, asked.mutants, counter, read_rows(asked.out)))
    finally:
        counter.close()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="JSON Lines; what has its line is not run again")
    parser.add_argument("--work", type=Path, default=Path("mutants-work"), help="what is fetched, built and made")
    parser.add_argument("--programs", nargs="*", default=[program.name for program in PROGRAMS])
    parser.add_argument("--corpora", nargs="*", default=list(CORPORA), help="init, record, both, or hand")
    parser.add_argument(
        "--mutants",
        type=int,
        default=40,
        help="of each program, in functions that a command line of a corpus enters; others that the suite reaches come on top",
    )
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--same", type=int, default=0, help="whole runs against itself, of each corpus")
    parser.add_argument("--agrees", type=int, default=0, help="mutants that a whole run judges, too, of each corpus")
    parser.add_argument("--workers", type=int, default=2, help="suites at a time")
    parser.add_argument("--no-suite", dest="suite", action="store_false", help="without the yardstick")
    parser.add_argument("--table", action="store_true", help="run nothing")
    parser.add_argument("--quick", action="store_true", help="one program, three mutants: to see that the bench works")
    asked = parser.parse_args()
    if not asked.table and asked.work.resolve().is_relative_to(Path(tempfile.gettempdir()).resolve()):
        parser.error(
            f"--work: expected a folder outside of {tempfile.gettempdir()}: a sandboxed build sees nothing of it there"
        )
    if asked.quick:
        asked.programs, asked.mutants, asked.same, asked.agrees = asked.programs[:1], 3, 1, 1
    failed: list[str] = []
    if not asked.table:
        workshop = Workshop(root=asked.work.resolve())
        sys.path.append(workshop.measuring())
        for program in PROGRAMS:
            if program.name in asked.programs:
                try:
                    run_program(workshop, program, asked)
                except (GateError, RuntimeError, OSError, subprocess.SubprocessError) as error:
                    failed.append(program.name)
                    print(f"{program.name}: {error}", file=sys.stderr)
    print("\n".join(tables(read_rows(asked.out))))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
