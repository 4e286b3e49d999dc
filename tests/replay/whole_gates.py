"""A project on disk and `gate` as a process of its own, as a shell or a CI job starts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from gate import api
from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step

MAIN = "from gate.cli.main import main; main()"
RUN = ("run", "--baseline", "old", "--candidate", "new")
PLAIN = (*RUN, "--sandbox", "off")
INTERRUPTED = (130, "", "interrupted: there is no verdict\n")

Ended = tuple[int, str, str]


class Gates:
    """A project with two builds, and gates at work on it."""

    def __init__(self, root: Path, temp: Path) -> None:
        self.root = root
        self.temp = temp
        temp.mkdir()

    def project(self, old: str, new: str | None = None, *, cases: int = 2, config: str = "") -> None:
        """Two builds whose program is a shell script each; `new` None: the same text, and yet another tree."""
        for side, text in (("old", old), ("new", old if new is None else new)):
            tool = self.root / side / "bin" / "tool"
            tool.parent.mkdir(parents=True)
            tool.write_text(f"#!/bin/sh\n{text}\n")
            tool.chmod(0o755)
            (self.root / side / "side").write_text(side)
        (self.root / "gate.toml").write_text(
            'version = 1\n[program]\npath = ["bin"]\n[replay]\ntimeout = 600.0\n' + config
        )
        corpus = None
        for number in range(cases):
            step = Step(argv=(b"tool", b"%d" % number))
            corpus = with_case(corpus, Case(id=CaseId(f"case-{number}"), steps=(step,)))
        write_corpus(self.root / "gate" / "corpus.jsonl", corpus)
        api.pin(self.root)

    def start(
        self, *words: str, before: str = "", env: Mapping[str, str] | None = None, around: tuple[str, ...] = ()
    ) -> subprocess.Popen[str]:
        """A gate in a session of its own; `before`: shell lines that run first, `around`: what the shell is started with."""
        dropped = {"GATE_DEBUG", "COLUMNS", "FORCE_COLOR"}
        kept = {name: text for name, text in os.environ.items() if name not in dropped}
        return subprocess.Popen(
            [*around, "sh", "-c", f'{before}\nexec "$0" "$@"', sys.executable, "-c", MAIN, *words],
            cwd=self.root,
            env={**kept, "TMPDIR": str(self.temp), **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *words: str, before: str = "", around: tuple[str, ...] = ()) -> Ended:
        """A gate to its end: exit code, result, talk."""
        return ended(self.start(*words, before=before, around=around))

    def clean(self, *words: str) -> str:
        """What a gate says that ends in 0."""
        code, out, err = self.run(*words)
        assert code == 0, out + err
        return err

    def files(self) -> set[str]:
        """Every file that the gate keeps for this project, and every one in the temporary folder."""
        found = {path for top in (self.root / ".gate", self.temp) for path in top.rglob("*") if not path.is_dir()}
        return {path.relative_to(self.root.parent).as_posix() for path in found}

    def card(self, name: str = "latest") -> bytes:
        """The scorecard of a run."""
        return (self.root / ".gate" / name / "scorecard.json").read_bytes()


def ended(process: subprocess.Popen[str]) -> Ended:
    """How a process ended, what it gave and what it said."""
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def interrupt(process: subprocess.Popen[str], number: signal.Signals, *, group: bool = False) -> None:
    """Send a signal, as `kill` does to one process or as a terminal does to the group in front."""
    if group:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)


def asleep(process: subprocess.Popen[str], nap: str) -> None:
    """Wait until two processes of the program sleep for `nap`, while the gate runs."""
    until(lambda: len(running(nap)) >= 2 or process.poll() is not None)
    assert process.poll() is None, ended(process)


def until(condition: Callable[[], object]) -> None:
    """Wait for something that is bound to come, however busy the machine is."""
    deadline = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)


def running(word: str) -> list[int]:
    """Living processes that have the word on their command line."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in place.read_bytes().split(b"\0"):
                found.append(int(place.parent.name))
        except OSError:
            continue
    return found
