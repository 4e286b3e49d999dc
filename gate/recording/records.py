"""What a recording holds, read back. The recorded command could write there too: nothing in it is trusted or executed."""

from __future__ import annotations

import ast
import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

MOST_LINES = 20_000
MOST_BYTES = 4 << 20
"""Of one record; what is larger counts as damaged."""
MOST_RECORDS = 50_000
"""What is beyond counts as damaged."""
_MOST_CONTENT = 1 << 20
_MOST_FAULTS = 1 << 16
_LARGEST = 1 << 64

_DIGEST = re.compile(r"[0-9a-f]{64}")

How = Literal["process", "call", "shim"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One invocation of the program."""

    how: How
    """A process of Python; a call within one; any other program, seen from outside."""
    program: str
    """Its name; empty where it cannot be told which of several it is."""
    argv: tuple[str, ...]
    """The words after the program; bytes that are no UTF-8 are lone surrogates."""
    cwd: str
    place: tuple[int, int]
    """Device and inode of the working directory."""
    time: int
    pid: int
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables that the command was not started with."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Files below the directory at the start: relative name to the digest of the content, or `!` and why there is none."""
    outside: Mapping[str, str | Mapping[str, str]] = field(default_factory=dict)
    """The same for absolute words; a folder is a mapping of its own."""
    near: bool = False
    """Whether `files` is all that the directory held; otherwise what was named or opened."""
    whole: bool = True
    """False where `files` met a bound."""
    temporary: str = ""
    stdin: bytes | None = None
    note: str = ""
    """`pipe`, `terminal`, `shared`, `strange`, `large`, or nothing."""
    read: frozenset[str] = frozenset()
    """Files below the directory that the program opened to read."""
    wrote: frozenset[str] = frozenset()
    """Files below the directory that the program wrote, moved or removed."""
    ended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """All of a recording."""

    invocations: tuple[Invocation, ...]
    """In the order in which they began."""
    damaged: int
    """Records that could not be read."""
    faults: tuple[str, ...]
    """What failed in the recorder itself."""
    folder: Path

    def content(self, digest: str) -> bytes | None:
        """The content with that digest; None where it is not there, or is another one."""
        if not _DIGEST.fullmatch(digest):
            return None
        try:
            data = _read(self.folder / "contents" / digest, _MOST_CONTENT)
        except (OSError, ValueError):
            return None
        return data if sha256(data).hexdigest() == digest else None


def read_recording(folder: Path) -> Recording:
    """Everything in the folder of a recording. Raises OSError where the folder itself is gone."""
    found: list[Invocation] = []
    damaged = 0
    files = sorted((folder / "records").iterdir())
    for file in files[:MOST_RECORDS]:
        try:
            found.append(_invocation(_lines(file)))
        except (ValueError, TypeError, KeyError, SyntaxError, MemoryError, RecursionError, OSError):
            damaged += 1
    found.sort(key=lambda each: (each.time, each.pid, each.argv))
    return Recording(
        invocations=tuple(found),
        damaged=damaged + len(files[MOST_RECORDS:]),
        faults=tuple(_faults(folder / "faults")),
        folder=folder,
    )


def _read(file: Path, most: int) -> bytes:
    """The content of a regular file, `most` bytes and one at most. Raises OSError for a link, ValueError for what is no file.

    What stands there was put there by anybody: a pipe is not waited for.
    """
    handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("no file")
        return stream.read(most + 1)


def _faults(file: Path) -> Iterable[str]:
    try:
        data = _read(file, _MOST_FAULTS)
    except (OSError, ValueError):
        return
    for line in data.decode("utf-8", "replace").splitlines():
        try:
            text = ast.literal_eval(line)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(text, str):
            yield text


def _lines(file: Path) -> list[dict[str, Any]]:
    """The dictionaries of a record; a last line that was cut off by the end of its process is left out."""
    data = _read(file, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise ValueError("no record")
    rows = data.decode("utf-8", "surrogatepass").split("\n")
    lines = [ast.literal_eval(row) for row in rows[:-1][:MOST_LINES]]
    if not lines or not all(isinstance(line, dict) for line in lines):
        raise ValueError("no record")
    return lines


def _invocation(lines: list[dict[str, Any]]) -> Invocation:
    head, *rest = lines
    files = _texts(head["files"])
    for line in rest:
        if "content" in line:
            files.setdefault(_text(line["read"]), _text(line["content"]))
    read = b"".join(_bytes(line["input"]) for line in rest if "input" in line)
    stdin = head["stdin"] if head["stdin"] is not None else (read or None)
    how = head["how"]
    if how not in ("process", "call", "shim"):
        raise ValueError("no record")
    device, inode = head["place"]
    return Invocation(
        how=how,
        program=_text(head["program"]),
        argv=tuple(_word(word) for word in head["argv"]),
        cwd=_text(head["cwd"]),
        place=(_number(device), _number(inode)),
        time=_number(head["time"]),
        pid=_number(head["pid"]),
        env=_texts(head["env"]),
        files=files,
        outside={
            _text(path): _text(taken) if isinstance(taken, str) else _texts(taken)
            for path, taken in _mapping(head["outside"]).items()
        },
        near=bool(head["near"]),
        whole=bool(head["whole"]),
        temporary=_text(head["temporary"]),
        stdin=None if stdin is None else _bytes(stdin),
        note=_text(head.get("note", "")),
        read=frozenset(_text(line["read"]) for line in rest if "read" in line),
        wrote=frozenset(_text(line["wrote"]) for line in rest if "wrote" in line),
        ended=any("end" in line for line in rest),
    )


def _mapping(value: object) -> Mapping[object, object]:
    if not isinstance(value, dict):
        raise TypeError("no mapping")
    return value


def _texts(value: object) -> dict[str, str]:
    return {_text(name): _text(text) for name, text in _mapping(value).items()}


def _number(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < _LARGEST:
        raise TypeError("no number")
    return value


def _text(value: object) -> str:
    """A text that the system could have given: a lone surrogate stands for a byte."""
    _word(value).encode("utf-8", "surrogateescape")
    return _word(value)


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise TypeError("no bytes")
    return value
