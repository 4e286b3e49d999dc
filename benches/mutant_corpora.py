"""The corpora of the mutation bench, each made in a project of its own by the commands that a new user would type.

    init     gate init, gate corpus draw, thin, freeze, gate pin
    record   gate init, gate record around the project's own suite, freeze, gate pin: nothing is drawn
    both     gate init, draw, record, thin, freeze, pin

The project is a copy of the tree as it was released. The hand edits of a program (`Program.edits`) follow `gate init`, and count.
`hand` is a corpus that somebody else made: the project stands in the bench's folder already.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mutant_programs import Program, Workshop, suite_environment, suite_words
from rows import Row

from gate.config.load import load_project
from gate.corpus.format import read_corpus

CORPORA = ("init", "record", "both")
Command = tuple[str, tuple[str, ...]]
"""What it is called in the table, and its words after `gate`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corner:
    """One program with one corpus."""

    workshop: Workshop
    program: Program
    corpus: str

    @property
    def folder(self) -> Path:
        """What the bench keeps about it."""
        return self.workshop.home(self.program) / self.corpus

    @property
    def project(self) -> Path:
        """The project: the tree with `gate.toml` and what belongs to it."""
        return self.folder / "project"

    @property
    def tree(self) -> Path:
        """The baseline."""
        return self.workshop.tree(self.program)


def make(corner: Corner) -> Row:
    """Make the corpus, and say how long each command took. What was made before is made anew. A command that fails ends it."""
    shutil.rmtree(corner.folder, ignore_errors=True)
    shutil.copytree(corner.tree, corner.project, symlinks=True)
    steps: list[tuple[str, float, int]] = []
    said = ""
    for name, words in commands(corner):
        began = time.monotonic()
        done = call(corner, words)
        steps.append((name, round(time.monotonic() - began, 1), done.returncode))
        drawn_at_least = name == "record" and corner.corpus == "both"  # a person goes on with what was drawn
        if done.returncode != 0 and not drawn_at_least:
            said = (done.stdout + done.stderr)[-2000:]
            break
        if name == "init":
            edit(corner)
    return {
        "steps": steps,
        "seconds": round(sum(step[1] for step in steps), 1),
        "edits": [edit.why for edit in corner.program.edits],
        "cases": _cases(corner),
        "exit": steps[-1][2],
        "said": said,
    }


def commands(corner: Corner) -> Iterator[Command]:
    """The commands, in order. `thin` where this gate has it."""
    baseline = ("--baseline", str(corner.tree))
    suite = suite_words(corner.program, corner.workshop.suite_python(corner.program))
    yield "init", ("init",)
    if corner.corpus != "record":
        yield "draw", ("corpus", "draw")
    if corner.corpus != "init":
        yield "record", ("record", "--", *suite)
    if corner.corpus != "record" and call(corner, ("corpus", "thin", "--help")).returncode == 0:
        yield "thin", ("corpus", "thin", *baseline)
    yield "freeze", ("corpus", "freeze", *baseline)
    yield "pin", ("pin",)
    yield "run", ("run", *baseline, "--against-itself")


def call(corner: Corner, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command of the gate in the project. Dependencies that a build fetches are those that the suite runs with (PIP_CONSTRAINT)."""
    python = corner.workshop.suite_python(corner.program)
    constraints = corner.workshop.home(corner.program) / "constraints.txt"
    constraints.write_text("\n".join(corner.program.requirements) + "\n")
    records = words[0] == "record"
    env = suite_environment(corner.program, corner.project, python) if records else os.environ
    return subprocess.run(
        [Path(sys.executable).with_name("gate"), *words],
        cwd=corner.project,
        env={**env, "PIP_CONSTRAINT": str(constraints)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def edit(corner: Corner) -> None:
    """Make the program's hand edits. Raises RuntimeError where `gate init` writes something else by now."""
    file = corner.project / "gate.toml"
    text = file.read_text("utf-8")
    for wanted in corner.program.edits:
        if text.count(wanted.old) != 1:
            raise RuntimeError(f"{corner.program.name}: expected {wanted.old!r} once in gate.toml ({wanted.why})")
        text = text.replace(wanted.old, wanted.new)
    file.write_text(text, "utf-8")


def _cases(corner: Corner) -> dict[str, int]:
    file = load_project(corner.project).corpus_file if (corner.project / "gate.toml").exists() else None
    if file is None or not file.exists():
        return {}
    origins = [case.origin for case in read_corpus(file).cases]
    return {origin: origins.count(origin) for origin in ("hand", "drawn") if origin in origins}
