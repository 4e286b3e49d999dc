"""The person's side of a review: one key at a time from a terminal, or one line. There is no other way in."""

from __future__ import annotations

import os
import sys
import termios
import tty
from typing import Protocol

from auditor.errors import ReviewError
from auditor.suggestions.plain import fold
from gate.api import put

KEYS = {
    "a": "accept",
    "e": "edit",
    "r": "reject",
    "s": "skip",
    "d": "details",
    "f": "diff",
    "u": "undo",
    "q": "quit",
}
"""What each key does. Enter is `s`."""

_END = "\x04"


class Terminal(Protocol):
    """Where a person sits."""

    @property
    def width(self) -> int:
        """Columns, at least 20."""

    @property
    def colour(self) -> bool:
        """Whether colours are wanted."""

    def show(self, text: str) -> None:
        """Print lines that were made for a terminal."""

    def key(self, prompt: str) -> str:
        """One key of KEYS; what is no key of it is asked again. The end of input is `q`."""

    def line(self, prompt: str) -> str | None:
        """One line, stripped; None at the end of input."""


class RealTerminal:
    """Standard input and output, which are terminals. Raises ReviewError where they are not, and where CI is set."""

    def __init__(self) -> None:
        if os.environ.get("CI", "").lower() not in ("", "0", "false"):
            raise ReviewError(
                "expected a person at work, but CI is set; nothing is accepted there",
                next_step="Review in a working tree, look at each change, and commit policy.json.",
            )
        if not (sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()):
            raise ReviewError(
                "expected a terminal on standard input and standard output: only a person can accept",
                next_step="Scripts can list, show and reject: auditor suggestions --help",
            )
        self._input = sys.stdin.fileno()
        self._output = sys.stdout.fileno()

    @property
    def width(self) -> int:
        """Columns of the terminal as it is now."""
        try:
            found = os.get_terminal_size(self._output).columns
        except OSError:
            found = 0
        return max(found or 80, 20)

    @property
    def colour(self) -> bool:
        """Not where NO_COLOR is set to anything, or the terminal says that it is dumb."""
        return not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"

    def show(self, text: str) -> None:
        """Print it at once."""
        put(text)

    def key(self, prompt: str) -> str:
        """Wait for one key. What was typed before the question stood there is thrown away: nobody answers what he has not seen."""
        while True:
            self._ask(prompt)
            typed = self._raw_key()
            put(typed if typed in KEYS else "")
            if typed in ("\n", "\r"):
                return "s"
            if typed in ("", _END):
                return "q"
            if typed in KEYS:
                return typed
            known = ", ".join(f"{key} {word}" for key, word in KEYS.items())
            said = "one key at a time" if len(typed) > 1 else "no such key"
            put("\n".join(fold(f"{said}: {known}; Enter skips", self.width)))

    def line(self, prompt: str) -> str | None:
        """Wait for one line, which the terminal itself lets a person correct."""
        self._ask(prompt)
        termios.tcflush(self._input, termios.TCIFLUSH)
        typed = os.read(self._input, 65536)
        if not typed:
            put("")
            return None
        return typed.decode("utf-8", "replace").strip()

    def _ask(self, prompt: str) -> None:
        sys.stdout.write(prompt)
        sys.stdout.flush()

    def _raw_key(self) -> str:
        """What one press sends; more than one character (an arrow, a paste) is no key."""
        before = termios.tcgetattr(self._input)
        try:
            tty.setcbreak(self._input, termios.TCSAFLUSH)
            return os.read(self._input, 4096).decode("utf-8", "replace")
        finally:
            termios.tcsetattr(self._input, termios.TCSADRAIN, before)
