"""A person at a real terminal: a pseudo-terminal on all three streams, keys sent only after their question stands there."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

COMMANDS = """
import sys, typer
from gate.api import conclude
def load():
    from auditor.cli import review, suggestions
    app = typer.Typer()
    app.command("review")(review.review)
    suggestions.register(app)
    return app
conclude("auditor", load)
"""
"""The commands under test, ended as the program ends its own."""

_AT_A_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
"""So that Ctrl-C reaches the program, as it does at a real terminal."""


def environment(**more: str) -> dict[str, str]:
    left_out = {"CI", "EDITOR", "VISUAL", "NO_COLOR", "COLUMNS", "FORCE_COLOR"}
    return {key: text for key, text in os.environ.items() if key not in left_out} | more


class Person:
    """Starts the program and reads what stands on the screen."""

    seated: ClassVar[list[Person]] = []
    """Everybody who was not sent home yet."""

    def __init__(self, *words: str, cwd: Path, columns: int = 100, env: Mapping[str, str] | None = None) -> None:
        self._mine, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-c", _AT_A_TERMINAL + COMMANDS, *words],
            cwd=cwd,
            env=environment(**{"TERM": "xterm", **(env or {})}),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        Person.seated.append(self)
        os.close(theirs)
        self.screen = ""
        self._read_up_to = 0

    def wait_for(self, text: str) -> None:
        """Read until `text` stands after what was waited for before."""
        while text not in self.screen[self._read_up_to :]:
            self._more(text)
        self._read_up_to = self.screen.index(text, self._read_up_to) + len(text)

    def types(self, prompt: str, answer: str) -> None:
        """Wait for the question, then for the program to sit and listen, then answer."""
        self.wait_for(prompt)
        self._until_it_listens()
        os.write(self._mine, answer.encode())

    def presses(self, key: str) -> None:
        self.types("[s]: ", key)

    def ends(self) -> int:
        """Read to the end; the exit code."""
        try:
            while True:
                self._more("the end")
        except EOFError:
            os.close(self._mine)
            return self._process.wait()

    @classmethod
    def send_home(cls) -> None:
        """End what a failed test left behind."""
        while cls.seated:
            process = cls.seated.pop()._process
            process.kill()
            process.wait()

    def _more(self, wanted: str) -> None:
        try:
            found = os.read(self._mine, 65536)
        except OSError:
            found = b""
        if not found:
            raise EOFError(f"ended before {wanted!r}: {self.screen}")
        self.screen += found.decode().replace("\r\n", "\n")

    def _until_it_listens(self) -> None:
        """What is typed before the program reads is thrown away on purpose, so wait until it sleeps in its read."""
        status = Path(f"/proc/{self._process.pid}/wchan")
        stat = Path(f"/proc/{self._process.pid}/stat")
        calm = 0
        while calm < 5 and status.exists():
            sleeping = stat.read_text().rpartition(")")[2].split()[0] == "S"
            calm = calm + 1 if sleeping else 0
            os.sched_yield() if not sleeping else _pause()


def _pause() -> None:
    import time

    time.sleep(0.02)
