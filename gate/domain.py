"""The words of the gate as values: case, step, record, field value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, NewType

CaseId = NewType("CaseId", str)
"""The id of a case: the first column of a trace (`seed` in older traces). Compared exactly, never by prefix."""

Origin = Literal["hand", "drawn"]

NO_WORDS = "(no words)"
"""The command of a step that adds no word to those of `program.argv`: `html2text < page`. A word that reads so is another command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command of a case, literally."""

    argv: tuple[bytes, ...]
    """No NUL bytes. No word at all is a step that starts just what `program.argv` says; without that there is nothing to start."""
    stdin: bytes | None = None
    """What the step reads on standard input; None is an empty input."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables added to the allowlisted environment."""

    @property
    def command(self) -> str:
        """The command word as a trace names it: the first word, undecodable bytes escaped; NO_WORDS where there is none.

        A word that would be taken for that, `(no words)` behind any number of backslashes, has one backslash more.
        """
        if not self.argv:
            return NO_WORDS
        word = self.argv[0].decode("utf-8", "backslashreplace")
        return f"\\{word}" if word.lstrip("\\") == NO_WORDS else word


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A short sequence of commands run in one fresh working directory."""

    id: CaseId
    steps: tuple[Step, ...]
    origin: Origin = "hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One observed value, as bytes.

    A value longer than the limit keeps its head in `data`; `size` and `sha256` then speak for the whole of it.
    """

    data: bytes
    size: int
    """Bytes seen in all; `len(data)` unless the value was cut."""
    sha256: str | None = None
    """Hex digest over all bytes seen; set exactly when `size > len(data)`."""
    overflow: bool = False
    """True when the stream was stopped at the hard limit: what came after was never seen."""

    @property
    def cut(self) -> bool:
        """Whether `data` is only the head of what was seen."""
        return self.size > len(self.data)

    @property
    def digest(self) -> str:
        """Hex SHA-256 over all bytes seen."""
        return self.sha256 if self.sha256 is not None else sha256(self.data).hexdigest()


def value(data: bytes) -> Value:
    """A value that is held whole."""
    return Value(data=data, size=len(data))


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What one step of one case did.

    Step numbers count from 1. Step 0 is the process itself where one process runs the whole case.
    `fields` keeps the order in which the fields were observed; a field that is absent was not observed at all,
    which is a value of its own.

    Fields of the exec runner: `status` (`0`, `17`, `signal SIGSEGV`, `timeout`, `overflow`, `cannot start: …`), `stdout`,
    `stderr`, `files` (one line an effect: `created file 644 NAME`, …; empty when nothing was touched), `files:NAME` (the
    content of a file that was created or written), `leftovers` (processes that outlived the step; absent when there were none).
    """

    case: CaseId
    step: int
    command: str
    fields: Mapping[str, Value]
