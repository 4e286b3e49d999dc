"""Finds the program among the words of a command line: Python's own, a launcher's, and the one in the first lines of a script."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gate.errors import BuildError
from gate.replay.proof_standing import Standing, is_python

SHELLS = frozenset({"bash", "dash", "env", "ksh", "sh", "zsh"})
"""Programs whose further words may be commands."""

SCRIPT_WORD = re.compile(r"[A-Za-z0-9_.+/-]+")
"""What may be a command in the script of a shell."""

ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=.*", re.DOTALL)
"""A variable that `env` sets for the command after it."""

_INLINE = re.compile(r"-[A-Za-z]{0,4}[ce]|--eval(=.*)?|--print(=.*)?", re.DOTALL)
_RELOCATABLE = re.compile(r"""'''exec'\s+"\$\(.*\)"/(?P<beside>.*)""")
_EXEC = re.compile(r"""'''exec'\s+(?P<rest>.*)""")
_SEARCHED = "EIPSs"


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonLine:
    """What Python makes of its words."""

    kind: Literal["script", "module", "code", "nothing"]
    """`nothing`: the words end, or name standard input, or only ask for help or the version."""
    word: str = ""
    """The script, the module or the code."""
    options: tuple[str, ...] = ()
    """The options before it that say where modules are looked up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One way in which Python is started."""

    python: Path
    options: tuple[str, ...] = ()
    """Those of `PythonLine`."""
    folder: str = ""
    """Where Python looks for modules first: the folder of the script; empty is the working directory."""


def read_python(words: Sequence[str]) -> PythonLine:
    """The program among the words after the interpreter; source: `python --help`, options may stand in one word (`-uBm mod`)."""
    options: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--check-hash-based-pycs":
            del rest[:1]
            continue
        if word == "-" or word.startswith("--"):
            after = rest[0] if word == "--" and rest else ""
            return PythonLine(kind="script" if after else "nothing", word=after, options=tuple(options))
        if not word.startswith("-"):
            return PythonLine(kind="script", word=word, options=tuple(options))
        if ended := _cluster(word, rest, options):
            return ended
    return PythonLine(kind="nothing", options=tuple(options))


def _cluster(word: str, rest: list[str], options: list[str]) -> PythonLine | None:
    """Read one word of short options; takes the value of its last option from `rest`. None when the program is still to come."""
    for index, letter in enumerate(word[1:], start=2):
        if letter in "hV?":
            return PythonLine(kind="nothing", options=tuple(options))
        if letter in "cmWX":
            value = word[index:] or (rest.pop(0) if rest else "")
            if letter in "WX":
                return None
            kind: Literal["code", "module"] = "code" if letter == "c" else "module"
            return PythonLine(kind=kind if value else "nothing", word=value, options=tuple(options))
        if letter in _SEARCHED:
            options.append(f"-{letter}")
    return None


def call_of(python: Path, line: PythonLine) -> Call:
    """How modules are looked up when `python` is started with that line."""
    if line.kind != "script":
        return Call(python=python, options=line.options)
    script = Path(os.path.realpath(line.word) if line.word.startswith("/") else line.word)
    # A folder with a `__main__.py`, or an archive, is itself looked up first.
    itself = script.is_dir() or script.suffix in {".pyz", ".zip"}
    return Call(python=python, options=line.options, folder=str(script if itself else script.parent))


def launched(standing: Standing, words: Sequence[str]) -> int:
    """The place of the word that a launcher outside the build starts: a Python interpreter, or else the first file.

    Raises BuildError where that file is not one of the build, where code stands in the command line, or where there is none.
    """
    name = Path(words[0]).name
    if name == "env" and len(words) > 1 and words[1].startswith("-"):
        raise _proves_nothing(standing, words[0], f"something after {words[1]}")
    shell = name in SHELLS - {"env"}
    for place, word in enumerate(words[1:], start=1):
        found = None if word.startswith("-") or ASSIGNMENT.fullmatch(word) else standing.resolve(word)
        if found is not None and is_python(found):
            return place
        if _INLINE.fullmatch(word) and not (shell and word.endswith("e")):
            raise _proves_nothing(standing, words[0], f"code after {word}")
        path = Path(word)
        if path.is_absolute() and path.exists():
            if standing.holds(path):
                return place
            if path.is_file():
                raise _proves_nothing(standing, words[0], f"{word}, outside of the build")
    raise BuildError(
        f"{standing.side}: program.argv runs {words[0]}, and none of its words is a file of the build",
        next_step="Both sides would run the same code: start program.argv with {build}/… or name a file of the build in it.",
    )


def _proves_nothing(standing: Standing, launcher: str, ran: str) -> BuildError:
    return BuildError(
        f"{standing.side}: program.argv lets {launcher} run {ran}",
        next_step="Both sides would run the same code: the first file that program.argv names must be the program, {build}/….",
    )


def script_line(standing: Standing, script: Path) -> tuple[str, ...]:
    """The command line, as its first lines tell it, of the interpreter of a script; empty where the file is none.

    Reads `#!/path/python -s`, `#!/usr/bin/env -S python3 -u`, and the two-line forms that installers write where a path is
    long or the environment may move: `'''exec' /path/python "$0" "$@"` and `'''exec' "$(dirname …)"/'python' "$0" "$@"`.
    """
    with script.open("rb") as stream:
        first, _, more = os.fsdecode(stream.read(4096)).partition("\n")
    if not first.startswith("#!"):
        return ()
    second = more.partition("\n")[0]
    words = _words(first[2:])
    if beside := _RELOCATABLE.match(second):
        name, *options = _words(beside["beside"])
        words = [str(Path(os.path.realpath(script)).parent / name), *options]
    elif long := _EXEC.match(second):
        words = _words(long["rest"])
    elif words and Path(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-S") and not ASSIGNMENT.fullmatch(word)]
        words[:1] = [str(found) for word in words[:1] if (found := standing.resolve(word))]
    return tuple(word for word in words if word not in {"$0", "$@"})


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()
