"""Drawing cases: a fresh interpreter draws, this one checks and gives ids."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import msgspec

import gate
from gate.corpus.contents import Corpus, Generator, drawn_id
from gate.corpus.exchange import DrawnCase, Reply, Request
from gate.corpus.grammar import Grammar, grammar_digest
from gate.corpus.grammar_faults import check_grammar
from gate.corpus.words import GENERATOR
from gate.domain import Case, Step
from gate.errors import CorpusError

# The package is loaded from its folder, never found on the path: a checkout would bring everything beside it along, and an
# install elsewhere could be found first. The folders of the libraries come last.
_BOOT = """
import importlib.util, sys
folder = sys.argv[1]
sys.path += [entry for entry in sys.argv[2:] if entry not in sys.path]
spec = importlib.util.spec_from_file_location("gate", folder + "/__init__.py", submodule_search_locations=[folder])
sys.modules["gate"] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from gate.corpus.drawing_process import main
main()
"""
_LIBRARIES = ("hypothesis", "msgspec", "sortedcontainers")
_INHERITED = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_MOST_CASES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What one draw brought."""

    corpus: Corpus
    """Drawn cases only, distinct, with ids made from their content; as many as asked, or as many as the grammar gives."""
    examples: int
    """How many examples were drawn in all."""
    distinct: int
    """How many of them were left when the duplicates were removed: what the cases were chosen from."""


def draw_cases(grammar: Grammar, *, seed: int, cases: int, timeout: float = 300.0) -> Draw:
    """Draw `cases` distinct cases, or as many as the grammar gives: the same bytes for the same grammar, seed and versions.

    The drawing process runs in an empty temporary folder, sees none of the caller's environment but the library path of the
    interpreter, and has `timeout` seconds. Raises CorpusError when the grammar is unusable, when the process fails or is too
    slow, and when it brings no case.
    """
    check_grammar(grammar)
    if not 1 <= cases <= _MOST_CASES:
        raise CorpusError(
            f"cannot draw: expected 1 to {_MOST_CASES} cases, got {cases}",
            next_step="Name another number with --cases.",
        )
    if abs(seed) >= 1 << 63:
        raise CorpusError(
            f"cannot draw: expected a seed of less than 2^63 in size, got {seed}",
            next_step="Name another one with --seed.",
        )
    request = Request(grammar=grammar, seed=seed, cases=cases)
    reply = _decoded(_run(msgspec.json.encode(request), timeout))
    if not reply.cases:
        raise CorpusError(
            f"nothing was drawn: expected {cases} cases, got none in {reply.examples} examples",
            next_step="Make the cases smaller: fewer steps, fewer arguments, shorter texts.",
        )
    drawn = tuple(_as_case(each) for each in reply.cases)
    corpus = Corpus(
        cases=drawn,
        covers={case.id: each.covers for case, each in zip(drawn, reply.cases, strict=True)},
        generator=Generator(
            version=GENERATOR, hypothesis=reply.hypothesis, grammar=grammar_digest(grammar), seed=seed, asked=cases
        ),
    )
    return Draw(corpus=corpus, examples=reply.examples, distinct=reply.distinct)


def _as_case(drawn: DrawnCase) -> Case:
    steps = tuple(
        Step(
            argv=tuple(word.encode("utf-8") for word in step.argv),
            stdin=None if step.stdin is None else step.stdin.encode("utf-8"),
        )
        for step in drawn.steps
    )
    return Case(id=drawn_id(steps), steps=steps, origin="drawn")


def _run(request: bytes, timeout: float) -> bytes:
    # -P and -s with an environment of our own are -I, except that PYTHONHASHSEED still counts.
    command = [sys.executable, "-P", "-s", "-c", _BOOT, str(_package_folder()), *_library_folders()]
    with tempfile.TemporaryDirectory(prefix="gate-draw-") as folder:
        try:
            done = subprocess.run(
                command,
                input=request,
                capture_output=True,
                cwd=folder,
                env=_environment(folder),
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise CorpusError(
                f"the drawing process was stopped: expected an end within {timeout:g} s",
                next_step="Ask for fewer cases, or make them smaller: fewer steps, shorter texts.",
            ) from None
    if done.returncode != 0:
        raise _broken(f"exit status {done.returncode}: {_last_line(done.stderr)}")
    return done.stdout


def _decoded(output: bytes) -> Reply:
    try:
        return msgspec.json.decode(output, type=Reply)
    except msgspec.DecodeError as error:
        raise _broken(f"{error}; its output begins {output[:60]!r}") from error


def _broken(actual: str) -> CorpusError:
    return CorpusError(
        f"the drawing process failed: expected drawn cases, got {actual}",
        next_step="See that Hypothesis can be imported by this interpreter; if it can, this is a fault of the gate: report it.",
    )


def _last_line(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "backslashreplace").strip().splitlines()
    return lines[-1] if lines else "no message"


def _package_folder() -> Path:
    return Path(next(iter(gate.__path__))).resolve()


def _library_folders() -> list[str]:
    folders: dict[str, None] = {}
    for name in _LIBRARIES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            folders[str(Path(spec.origin).resolve().parent.parent)] = None
    return list(folders)


def _environment(folder: str) -> dict[str, str]:
    fixed = {
        "HOME": folder,
        "HYPOTHESIS_NO_PLUGINS": "1",
        "LC_ALL": "C.UTF-8",
        "PATH": os.defpath,
        "PYTHONHASHSEED": "0",
        "TMPDIR": folder,
        "TZ": "UTC",
    }
    return fixed | {name: os.environ[name] for name in _INHERITED if name in os.environ}
