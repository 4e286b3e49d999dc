"""What the readers of a program's own parser share: values, names and bounds, as plain JSON.

Runs in the interpreter of the program, which may be an old one: standard library only, Python 3.8.
"""

from __future__ import annotations

import enum
import math
import re
from typing import Any, Dict, Iterable, List, Optional, Tuple  # noqa: UP035 - Python 3.8

Shape = Dict[str, Any]  # noqa: UP006
"""A command, an option, an argument or a value, as `gate.parser.parsed` writes it in JSON."""

_LEFT_OUT = {"--help", "--version", "--install-completion", "--show-completion"}
MOST_CHOICES = 500
MOST_COMMANDS = 1000
DEEPEST = 8
_LONGEST_HELP = 1000
_LONGEST_WORD = 500

_PATH_NAME = re.compile(
    r"(?:in|out|input|output|config|log|source)?(?:file|path|dir|folder|directory|directorie)(?:name|path)?s?"
    r"|inputs?|sources?|src|script|document"
)
_INT_NAME = re.compile(r"(?:^|_)(?:u?int(?:eger)?|natural|port)(?:$|_)", re.IGNORECASE)
_FLOAT_NAME = re.compile(r"(?:^|_)float(?:$|_)", re.IGNORECASE)


class Walked:
    """What a walk through a parser brings: commands in the parser's order, and notes."""

    def __init__(self) -> None:
        self.commands: List[Shape] = []  # noqa: UP006
        self.notes: List[str] = []  # noqa: UP006
        self._visits = 0
        self.full = False
        """Whether there were more commands than are read."""

    def note(self, text: str) -> None:
        """Keep a note, once."""
        if text not in self.notes:
            self.notes.append(text)

    def room(self, words: Tuple[str, ...]) -> bool:  # noqa: UP006
        """Whether one more command, with these words, is to be read; a note where not."""
        self._visits += 1
        if len(self.commands) >= MOST_COMMANDS or self._visits > 3 * MOST_COMMANDS:
            self.full = True
            self.note(f"more than {MOST_COMMANDS} commands: the rest is not read")
        elif len(words) > DEEPEST:
            self.note(f"`{' '.join(words[:-1])}`: the commands below it are not read, at most {DEEPEST} words are")
        else:
            return True
        return False

    def note_what_stands_before(self, words: Tuple[str, ...], options: Any, arguments: Any) -> None:  # noqa: UP006
        """Note options and arguments of a command that has commands below it: they can stand before the word of such a one."""
        if words and options:
            names = ", ".join(option["names"][0] for option in options)
            self.note(
                f"`{' '.join(words)}`: {names} can stand before the word of a command below it, which is not read"
            )
        if arguments:
            names = ", ".join(argument["name"] for argument in arguments)
            self.note(f"arguments before the word of a command are not read: {names}")

    def program(self, source: str) -> Shape:
        """The whole program."""
        return {"source": source, "commands": self.commands, "notes": self.notes}


def names_path(*names: Any) -> bool:
    """Whether the name of a value (a placeholder, an option, a destination) says that a file or a folder is meant: its last word does.

    This is the one vocabulary of paths: the readers of parsers, of helps and the starter all ask here.
    """
    return any(isinstance(name, str) and _is_path(name) for name in names)


def _is_path(name: str) -> bool:
    parts = [part for part in re.split(r"[^a-z]+", name.lower().replace("(s)", "s")) if part]
    if len(parts) > 1 and parts[-1] in ("name", "names"):
        parts[-2:] = [parts[-2] + parts[-1]]
    return bool(parts) and _PATH_NAME.fullmatch(parts[-1]) is not None


def kind_of_callable(function: Any) -> str:
    """The kind of the values that a conversion takes, as far as its name tells."""
    if function is int or function is float:
        return str(function.__name__)
    name = getattr(function, "__name__", None) or type(function).__name__
    if name in ("FileType", "Path", "PosixPath", "PurePath", "open", "abspath", "realpath", "expanduser"):
        return "path"
    if _INT_NAME.search(name):
        return "int"
    if _FLOAT_NAME.search(name):
        return "float"
    return "path" if names_path(name) else "text"


def word(value: Any) -> Optional[str]:  # noqa: UP045
    """A default as a word of the command line; None where it is none."""
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    text = str(value)
    return text if len(text) <= _LONGEST_WORD and not text.startswith("==SUPPRESS==") else None


def told(text: Any) -> str:
    """Help, shortened."""
    return " ".join(text.split())[:_LONGEST_HELP] if isinstance(text, str) else ""


def bound(number: Any, step: int = 0) -> Optional[int]:  # noqa: UP045
    """A stated bound as an int inside of it: `step` 1 for a lower bound that is not itself allowed, -1 for an upper one."""
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not math.isfinite(number):
        return None
    return int(number) + step if isinstance(number, int) else math.floor(number) if step < 0 else math.ceil(number)


def value_of(
    kind: str,
    *,
    choices: Iterable[str] = (),
    default: Any = None,
    bounds: Tuple[Optional[int], Optional[int]] = (None, None),  # noqa: UP006, UP045
    metavar: Any = "",
) -> Shape:
    """What an option or an argument takes."""
    words = list(dict.fromkeys(each for each in choices if each and len(each) <= _LONGEST_WORD))[:MOST_CHOICES]
    if kind == "choice" and not words:
        kind = "text"
    return {
        "kind": kind,
        "choices": words if kind == "choice" else [],
        "default": None if kind == "choice" and word(default) not in words else word(default),
        "min": bounds[0] if kind in ("int", "float") else None,
        "max": bounds[1] if kind in ("int", "float") else None,
        "metavar": metavar[:80] if isinstance(metavar, str) else "",
    }


def left_out(names: Iterable[Any]) -> bool:
    """Whether an option ends the program's own work: help, version, the completion of a shell."""
    return not _LEFT_OUT.isdisjoint(names)


def longest_first(names: Iterable[Any]) -> List[str]:  # noqa: UP006
    """The spellings of an option, the longest first, else in their order."""
    return sorted(dict.fromkeys(str(name) for name in names), key=len, reverse=True)


def spelled(names: Iterable[Any], opposite: Iterable[Any], shared: Shape) -> List[Shape]:  # noqa: UP006
    """The option of these names, and where it has an opposite (`--x`, `--no-x`) that as another one; the two exclude each other."""
    both = [each for each in (longest_first(names), longest_first(opposite)) if each]
    label = shared.get("one_of") or (f"{both[0][0]} or not" if len(both) > 1 else None)
    return [{**shared, "names": each, "one_of": label} for each in both]


def count(program: Shape) -> int:
    """How much a parser says: options, arguments and commands."""
    commands = program["commands"]
    own = sum(len(command["options"]) + len(command["arguments"]) for command in commands)
    return own + sum(len(command["words"]) for command in commands) + (len(commands[0]["before"]) if commands else 0)
