"""The `subject` fixture: the build in processes of its own, in fresh directories made of the fixture pack.

Bytes in, a status and bytes out: no object of the code under test meets an assertion (reported fault 84).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, Union

import pytest

from .descendants import Family
from .exchange import Exchange

FIXED_TIME = 1_000_000_000
"""Modification time of every fixture, as in a replay."""

Word = Union[str, bytes, "os.PathLike[str]"]


@dataclass(frozen=True)
class Result:
    """What one command did."""

    status: int
    """The exit status; `-9` for a process that signal 9 ended."""
    stdout: bytes
    stderr: bytes
    leftovers: int = 0
    """Processes that it left running, and that were killed."""

    @property
    def text(self) -> str:
        """Standard output as UTF-8; bytes that are none are escaped."""
        return self.stdout.decode("utf-8", "backslashreplace")

    def json(self) -> Any:
        """Standard output as JSON. Raises ValueError where it is none."""
        return json.loads(self.stdout)


class LeftRunningError(AssertionError):
    """A command ended, and what it had started did not: a failure, as in a replay a difference."""


class Place:
    """A fresh working directory, home and temporary folder for some commands."""

    def __init__(
        self, root: Path, program: Mapping[str, Any], give_up: Callable[[str], NoReturn], family: Family
    ) -> None:
        self.path = root / "work"
        self.home = root / "home"
        self.tmp = root / "tmp"
        self._program = program
        self._give_up = give_up
        self._family = family

    def run(
        self, *words: Word, stdin: bytes = b"", env: Mapping[str, str] | None = None, leftovers: bool = False
    ) -> Result:
        """Run the program of `gate.toml` with `words` after its own, in `path`.

        What it started has 0.2 s to end once the program has ended, and is killed then: LeftRunningError, or a number in the result
        with `leftovers=True`. A program that cannot start, takes too long or prints too much is no result: then this run is no vote.
        """
        given = [os.fsencode(word) for word in (*self._program["argv"], *words)]
        if not given:
            raise ValueError("expected the words of a command, got none")
        variables = {"HOME": str(self.home), "TMPDIR": str(self.tmp), **self._program["env"], **(env or {})}
        self._family.before()
        try:
            process = subprocess.Popen(
                given,
                cwd=self.path,
                env=variables,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            self._give_up(f"subject: cannot start {os.fsdecode(given[0])}: {error.strerror}")
        self._family.started(process.pid)
        shown = " ".join(map(os.fsdecode, given))[:200]
        result = self._watched(process, stdin, shown)
        if result.leftovers and not leftovers:
            word = "process" if result.leftovers == 1 else "processes"
            raise LeftRunningError(f"subject: {shown} left {result.leftovers} {word} running")
        return result

    def _watched(self, process: Any, stdin: bytes, shown: str) -> Result:
        exchange = Exchange(process, stdin, self._program["limit_bytes"])
        left = 0
        try:
            fault = exchange.until(time.monotonic() + self._program["timeout"])
            if fault is None:
                left = self._family.settle(process.pid, exchange.attend)
        finally:
            process.kill()
            status = process.wait()
            self._end(process.pid)
            exchange.rest()
            exchange.close()
        if fault == "timeout":
            self._give_up(f"subject: took longer than {self._program['timeout']:g} s: {shown}")
        if fault or exchange.overflow:
            self._give_up(f"subject: printed more than {self._program['limit_bytes']} bytes: {shown}")
        return Result(status, bytes(exchange.out), bytes(exchange.err), left)

    def _end(self, pid: int) -> None:
        try:
            self._family.kill(pid)
        except TimeoutError as error:
            self._give_up(f"subject: {error}")


class Subject:
    """The build as a property reaches it. Made once a run, so that tests with `@given` may use it."""

    def __init__(self, program: dict[str, Any], void: Callable[[str], None]) -> None:
        self._program = program
        self._void = void
        self._base = Path(os.environ["TMPDIR"])
        self._family = Family()

    def __repr__(self) -> str:
        return "subject"

    @contextmanager
    def case(self) -> Iterator[Place]:
        """A fresh place, gone when the block ends. One after another they stand at the same path."""
        root = self._fresh()
        try:
            place = Place(root, self._program, self._give_up, self._family)
            _lay(Path(self._program["fixtures"]), place.path)
            place.home.mkdir()
            place.tmp.mkdir()
            yield place
        finally:
            _remove(root)

    def run(
        self, *words: Word, stdin: bytes = b"", env: Mapping[str, str] | None = None, leftovers: bool = False
    ) -> Result:
        """One command in a place of its own."""
        with self.case() as place:
            return place.run(*words, stdin=stdin, env=env, leftovers=leftovers)

    def _fresh(self) -> Path:
        number = 0
        while True:
            with suppress(FileExistsError):
                # Named as the place of a case in a replay is.
                root = self._base / f"c{sha256(b'%d' % number).hexdigest()[:10]}"
                root.mkdir()
                return root
            number += 1

    def _give_up(self, reason: str) -> NoReturn:
        self._void(reason)
        os._exit(0)  # an exception would be caught: Hypothesis would take it for a counterexample, and shrink it


def fixture(program: dict[str, Any], void: Callable[[str], None]) -> Any:
    """A plugin that has the fixture `subject`."""

    @pytest.fixture(scope="session")
    def subject() -> Subject:
        """The build, out of this process: `subject.run(*words)`, `with subject.case() as place`."""
        return Subject(program, void)

    plugin = ModuleType("gate_subject")
    plugin.subject = subject  # type: ignore[attr-defined]
    return plugin


def _lay(fixtures: Path, work: Path) -> None:
    if not fixtures.is_dir():
        work.mkdir()
        return
    shutil.copytree(fixtures, work, symlinks=True)
    for folder, _, files in os.walk(work, topdown=False):
        for name in files:
            os.utime(Path(folder, name), (FIXED_TIME, FIXED_TIME), follow_symlinks=False)
        os.utime(folder, (FIXED_TIME, FIXED_TIME))


def _remove(root: Path) -> None:
    """Remove a place, whatever modes the program gave its folders."""
    for folder, names, _ in os.walk(root):
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o700)
    shutil.rmtree(root)
