"""A program whose steps flip by chance, and one run of the gate on two builds of it: what flaky.py and changed.py share.

The program is native (`cc`, where there is none a shell script) and draws from the kernel's randomness, so that no pinned seed makes
it steady. It appends one byte to a file each time it starts: what a tool spawns is counted in the same way, whichever tool it is.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from gate.config.load import load_project
from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step
from gate.hashing.judge import pin_project
from gate.pipeline.audit import Audit, Trees, audit
from gate.pipeline.events import silence

SOURCE = r"""
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    unsigned drawn;
    int count = open(COUNT, O_WRONLY | O_APPEND | O_CREAT, 0666), random = open("/dev/urandom", O_RDONLY);
    if (argc != 2 || write(count, "x", 1) != 1 || read(random, &drawn, sizeof drawn) != sizeof drawn) return 99;
    int percent = strcmp(argv[1], STEADY) == 0 ? 0 : *ALONE && strcmp(argv[1], ALONE) != 0 ? 0 : PERCENT;
    const char *word = drawn % 100 < percent ? "miss" : "hit";
    printf("%s %s\n", argv[1], strcmp(argv[1], MOVED) == 0 ? "moved" : word);
    return strcmp(argv[1], FAILING) == 0 ? 3 : 0;
}
"""

SCRIPT = """\
#!/bin/sh
printf x >> '{count}'
percent={percent} word=hit status=0
[ "$1" = '{steady}' ] && percent=0
[ -n '{alone}' ] && [ "$1" != '{alone}' ] && percent=0
[ $(($(od -An -N4 -tu4 /dev/urandom) % 100)) -lt $percent ] && word=miss
[ "$1" = '{moved}' ] && word=moved
[ "$1" = '{failing}' ] && status=3
echo "$1 $word"
exit $status
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flipping:
    """What one build of the program does. A label that is empty is none."""

    percent: int = 0
    """How often a step says `miss` instead of `hit`, in each run anew."""
    steady: str = ""
    """The label of the one step that never flips."""
    alone: str = ""
    """The label of the one step that flips at all."""
    moved: str = ""
    """The label of the step that says `moved`, always."""
    failing: str = ""
    """The label of the step that ends in 3, always."""


def labels(steps: int) -> list[str]:
    """The words of the steps: `step label-000` and so on."""
    return [f"label-{number:03d}" for number in range(steps)]


def make_tree(tree: Path, does: Flipping, *, count: Path, note: str) -> Path:
    """A build with the program at `bin/step`. `note` makes the tree another one while the program stays the same."""
    program = tree / "bin" / "step"
    program.parent.mkdir(parents=True)
    (tree / "NOTES").write_text(note)
    words = {"steady": does.steady, "alone": does.alone, "moved": does.moved, "failing": does.failing}
    if compiler := shutil.which("cc"):
        source = tree / "step.c"
        source.write_text(SOURCE)
        texts = [f'-D{name.upper()}="{text}"' for name, text in {**words, "count": count}.items()]
        subprocess.run([compiler, "-O1", "-w", f"-DPERCENT={does.percent}", *texts, "-o", program, source], check=True)
    else:
        program.write_text(SCRIPT.format(percent=does.percent, count=count, **words))
        program.chmod(0o755)
    return tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Two builds and the steps that both are put through."""

    old: Path
    new: Path
    steps: int
    count: Path
    """Grows by one byte with each start of the program."""

    def spawns(self, work: Callable[[], object]) -> int:
        """How often the program starts while `work` runs."""
        before = self._started()
        work()
        return self._started() - before

    def _started(self) -> int:
        return self.count.stat().st_size if self.count.exists() else 0


def make_work(folder: Path, old: Flipping, new: Flipping, *, steps: int) -> Work:
    """Both builds below `folder`, which is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    count = folder / "count"
    return Work(
        old=make_tree(folder / "old", old, count=count, note="before the patch\n"),
        new=make_tree(folder / "new", new, count=count, note="with the patch\n"),
        steps=steps,
        count=count,
    )


class Gate:
    """The gate on such work. Each run starts from nothing: no golden is kept from the one before."""

    name = "gate"

    def __init__(self, work: Work, folder: Path, *, case_steps: int = 1) -> None:
        self._work, self._root = work, folder / "project"
        self._root.mkdir(parents=True)
        (self._root / "gate.toml").write_text('version = 1\n[program]\npath = ["bin"]\n')
        words = [Step(argv=(b"step", label.encode())) for label in labels(work.steps)]
        corpus = None
        for first in range(0, work.steps, case_steps):
            case = Case(id=CaseId(f"case-{first:03d}"), steps=tuple(words[first : first + case_steps]))
            corpus = with_case(corpus, case)
        assert corpus is not None
        write_corpus(self._root / "gate" / "corpus.jsonl", corpus)
        pin_project(load_project(self._root))

    def run(self) -> Audit:
        """One run, A/B. Raises GateError where it ends without a verdict."""
        shutil.rmtree(self._root / ".gate", ignore_errors=True)
        trees = Trees(baseline=self._work.old, candidate=self._work.new)
        return audit(load_project(self._root), trees, workers=1, today=date(2026, 1, 1), listen=silence)

    def judge(self) -> int:
        """The exit code of one run."""
        return self.run().scorecard.exit_code
