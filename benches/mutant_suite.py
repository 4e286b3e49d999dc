"""The yardstick: a program's own suite, run on a mutated copy of its tree."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from mutant_judge import Mutant
from mutant_lines import Lines, hook_environment, lay_hook, read_lines
from mutant_programs import Program, Workshop, suite_environment, suite_words
from rows import Row

SECONDS = 180.0
"""A suite that takes longer on a mutant has caught it; unmutated the slowest takes some twenty."""


@contextmanager
def mutated(workshop: Workshop, program: Program, mutant: Mutant | None) -> Iterator[Path]:
    """A copy of the released tree with the mutant in it, gone afterwards; without a mutant, a plain copy."""
    with tempfile.TemporaryDirectory(prefix="mutant-", ignore_cleanup_errors=True) as name:
        tree = Path(name).resolve() / "tree"
        shutil.copytree(workshop.tree(program), tree, symlinks=True)
        if mutant is not None:
            (tree / program.root / mutant.file).write_bytes(mutant.source.encode())
        yield tree


def judge_by_suite(workshop: Workshop, program: Program, mutant: Mutant) -> Row:
    """Whether the suite fails on the mutant; it stops at the first failure."""
    began = time.monotonic()
    python = workshop.suite_python(program)
    with mutated(workshop, program, mutant) as tree:
        status = run((*suite_words(program, python), "-x"), tree, suite_environment(program, tree, python), SECONDS)
    return {"caught": status != 0, "status": status, **mutant.told, "seconds": round(time.monotonic() - began, 1)}


def imports(workshop: Workshop, program: Program, mutant: Mutant) -> bool:
    """Whether the module that the command line starts can be imported."""
    python = workshop.suite_python(program)
    words = (str(python), "-c", f"import {program.entry}")
    with mutated(workshop, program, mutant) as tree:
        return run(words, tree, suite_environment(program, tree, python), 20.0) == 0


def imported(workshop: Workshop, program: Program) -> frozenset[str]:
    """The package's files that importing the command line loads, from the folder that holds the package on."""
    python, tree = workshop.suite_python(program), workshop.tree(program)
    code = f"import sys, {program.entry}; print(*(getattr(m, '__file__', '') or '' for m in list(sys.modules.values())), sep='\\n')"
    done = subprocess.run(
        [python, "-c", code], env=suite_environment(program, tree, python), capture_output=True, text=True, check=True
    )
    root = (tree / program.root).resolve()
    files = [Path(line) for line in done.stdout.splitlines() if line]
    return frozenset(file.relative_to(root).as_posix() for file in files if file.is_relative_to(root / program.package))


def suite_lines(workshop: Workshop, program: Program, data: Path) -> Lines:
    """The lines that the suite runs. Raises RuntimeError where it does not pass on the released tree."""
    shutil.rmtree(data, ignore_errors=True)
    python = workshop.suite_python(program)
    hook = (lay_hook(workshop.root / "hook"), workshop.measuring())
    with mutated(workshop, program, None) as tree:
        env = {**suite_environment(program, tree, python, *hook), **hook_environment(data, program.package, "suite")}
        if (status := run(suite_words(program, python), tree, env, 2 * SECONDS)) != 0:
            raise RuntimeError(f"{program.name}: its own suite ends with {status} on the released tree")
    return read_lines(data / "suite", program.package)[0]


def run(words: Sequence[str], tree: Path, env: Mapping[str, str], seconds: float) -> int | None:
    """The exit status; None: it took longer than that, and is gone with all of its process group."""
    process = subprocess.Popen(
        words,
        cwd=tree,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
