"""Tells, of the words that start a program, whether that is Python, and how its entry is run by another script of that interpreter."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

_PYTHON = re.compile(r"(?:python|pypy)[\d.]*w?")
_TAKES_A_WORD = {"-W", "-X", "--check-hash-based-pycs"}
_EXEC_LINE = re.compile(rb"^'''exec' [\"']?(?P<python>/[^\"'\n]+?)[\"']? \"\$0\" \"\$@\"", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonStart:
    """A Python program."""

    interpreter: tuple[str, ...]
    """The interpreter and its own options."""
    kind: Literal["module", "script", "code"]
    target: str
    """The module, the script's path, the code."""
    words: tuple[str, ...]
    """What the program is given."""


def python_start(argv: Sequence[str], *, environment: Mapping[str, str], folder: Path) -> PythonStart | None:
    """How `argv` starts a Python program; None where it starts something else. Looks at files, runs nothing."""
    first = _found(argv[0], environment, folder)
    if _PYTHON.fullmatch(Path(argv[0]).name):
        return _of_interpreter(argv)
    if first is None:
        return None
    interpreter = _named_by(first)
    if not interpreter:
        return None
    return PythonStart(interpreter=interpreter, kind="script", target=str(first), words=tuple(argv[1:]))


def _of_interpreter(argv: Sequence[str]) -> PythonStart | None:
    at = 1
    while at < len(argv):
        word = argv[at]
        flag = re.fullmatch(r"-[A-Za-z]*?([mc])(.*)", word, re.DOTALL)
        if flag and word not in _TAKES_A_WORD and not word.startswith(("-W", "-X")):
            options = (word[: flag.start(1)],) if flag.start(1) > 1 else ()
            at += 0 if flag[2] else 1
            target = flag[2] or (argv[at] if at < len(argv) else "")
            kind: Literal["module", "code"] = "module" if flag[1] == "m" else "code"
            before = argv[: at if flag[2] else at - 1]
            return (
                PythonStart(interpreter=(*before, *options), kind=kind, target=target, words=tuple(argv[at + 1 :]))
                if target
                else None
            )
        if word in _TAKES_A_WORD:
            at += 2
        elif word.startswith("-"):
            at += 1
        else:
            return PythonStart(interpreter=tuple(argv[:at]), kind="script", target=word, words=tuple(argv[at + 1 :]))
    return None


def _found(word: str, environment: Mapping[str, str], folder: Path) -> Path | None:
    """The file that the first word names, as the system looks it up."""
    places = (
        [folder / word]
        if "/" in word
        else [Path(each, word) for each in environment.get("PATH", "").split(os.pathsep) if each]
    )
    return next((place for place in places if place.is_file()), None)


def _named_by(script: Path) -> tuple[str, ...]:
    """The Python interpreter, with its options, that the first line of a script names; empty for none."""
    try:
        with script.open("rb") as stream:
            head = stream.read(1024)
    except OSError:
        return ()
    exec_line = _EXEC_LINE.search(head)
    if exec_line and head.startswith(b"#!/bin/sh"):
        return (os.fsdecode(exec_line["python"]),)
    if not head.startswith(b"#!"):
        return ()
    words = os.fsdecode(head[2:].partition(b"\n")[0]).split()
    if words and Path(words[0]).name == "env":
        words = words[2:] if words[1:2] == ["-S"] else words[1:]
    return tuple(words) if words and _PYTHON.fullmatch(Path(words[0]).name) else ()
