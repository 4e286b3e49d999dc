"""Whether something belongs to the program that is recorded, and to which one where there are several."""

from __future__ import annotations

import os
import sys
from typing import Any

_NOT_OURS = ("argparse", "optparse", "click", "typer", "_pytest", "unittest", "importlib", "contextlib")


class Subject:
    """What is looked for, as the file `subject` of the recording says it: lines of words that are set apart by tabs."""

    def __init__(self, path: str) -> None:
        self.root = ""
        self.starter = 0
        """The process that runs the recorded command."""
        self.packages: dict[str, str] = {}
        """Top-level module to the folder or file that it is."""
        self.names: dict[str, bool] = {}
        """Names of programs, those of the project that are not recorded with False."""
        self.targets: dict[str, tuple[str, str]] = {}
        """Name to module and function, where a console script states them."""
        self.modules: dict[str, str] = {}
        """Module that `-m` runs to the name of its program."""
        self.started = ""
        """Real path of the script that this interpreter was started for, once `process` has seen it."""
        self.scripts: dict[str, str] = {}
        """Real path of a script to the name of its program."""
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as stream:
            for line in stream:
                self._take(line.rstrip("\n").split("\t"))

    def _take(self, words: list[str]) -> None:
        if words[0] == "root":
            self.root = words[1]
        elif words[0] == "starter":
            self.starter = int(words[1])
        elif words[0] == "package":
            self.packages[words[1]] = words[2]
        elif words[0] == "name":
            self.names[words[1]] = words[2] == "1"
        elif words[0] == "target":
            self.targets[words[1]] = (words[2], words[3])
        elif words[0] == "module":
            self.modules[words[1]] = words[2]
        elif words[0] == "script":
            self.scripts[words[1]] = words[2]

    def process(self, words: list[str]) -> tuple[str, list[str]] | None:
        """Name and arguments of the program that this interpreter was started for; None where it is none of ours."""
        at = 1
        while at < len(words):
            word = words[at]
            if word in ("-X", "-W", "--check-hash-based-pycs"):
                at += 2
                continue
            if word == "-m" or (word[:1] == "-" and word[:2] != "--" and word.endswith("m") and "c" not in word):
                name = self.modules.get(words[at + 1]) if at + 1 < len(words) else None
                return (name, words[at + 2 :]) if name else None
            if word.startswith("-m"):
                name = self.modules.get(word[2:])
                return (name, words[at + 1 :]) if name else None
            if not word.startswith("-"):
                self.started = os.path.realpath(word)
                name = self.scripts.get(self.started) or self._installed(word)
                return (name, words[at + 1 :]) if name else None
            if word.startswith("-c") or word == "-":
                return None
            at += 1
        return None

    def _installed(self, word: str) -> str | None:
        """The program whose console script the word is: its name, in a folder of programs."""
        name = os.path.basename(word)
        return name if self.names.get(name) and "/" in word and not word.endswith(".py") else None

    def on_stack(self, frame: Any) -> bool:
        """Whether a function of the program is running, as far as this thread tells."""
        while frame is not None:
            if self._owns(frame):
                return True
            frame = frame.f_back
        return False

    def is_code(self, path: str) -> bool:
        """Whether a file is part of the program itself: of its modules, the script that started it, or its virtual environment.

        A project that lies in the environment (`python -m venv .`) is no part of it.
        """
        prefix = sys.prefix.rstrip("/") + "/"
        if sys.prefix != sys.base_prefix and path.startswith(prefix) and not (self.root + "/").startswith(prefix):
            return True
        return os.path.realpath(path) == self.started or any(
            path == place or path.startswith(place + "/") for place in self.packages.values()
        )

    def _owns(self, frame: Any) -> bool:
        name = frame.f_globals.get("__name__")
        if not isinstance(name, str):
            return False
        if name == "__main__":
            return os.path.realpath(frame.f_code.co_filename) in self.scripts
        parts = name.split(".")
        return parts[0] in self.packages and not any(
            part in ("test", "tests") or part.startswith("test_") for part in parts
        )

    def caller(self, frame: Any) -> tuple[Any, list[Any]]:
        """The function that called a parser, libraries of parsing passed by; and all functions of the program on the stack, inmost first.

        The function is None where it is none of the program.
        """
        while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] in _NOT_OURS:
            frame = frame.f_back
        first = frame if frame is not None and self._owns(frame) else None
        ours = []
        while frame is not None:
            if self._owns(frame):
                ours.append(frame)
            frame = frame.f_back
        return first, ours

    def program(self, prog: object, frames: list[Any]) -> str | None:
        """Which program a parser is of: by its `prog`, then by who called it, then the only one there is."""
        for word in (prog, sys.argv[0] if sys.argv else ""):
            name = os.path.basename(word) if isinstance(word, str) else ""
            if name in self.names:
                return name if self.names[name] else None
        modules = [module for frame in frames for module in _modules(frame)]
        for module in modules:
            for name, (target, _) in self.targets.items():
                if target == module and sum(other == target for other, _ in self.targets.values()) == 1:
                    return name if self.names.get(name) else None
            last = module.rpartition(".")[2]
            if last in self.names:
                return last if self.names[last] else None
        for module in modules:
            top = module.partition(".")[0]
            if top in self.names:
                return top if self.names[top] else None
        wanted = [name for name, recorded in self.names.items() if recorded]
        return wanted[0] if len(wanted) == 1 else ""

    def root_command(self, name: str) -> Any:
        """The object that the program's console script calls, where its module is loaded."""
        module, path = self.targets.get(name, ("", ""))
        found: Any = sys.modules.get(module)
        for part in path.split("."):
            found = vars(found).get(part) if isinstance(found, type(sys)) else getattr(found, part, None)
        return found


def _modules(frame: Any) -> list[str]:
    """The module of a function, before it that of the object whose method it is."""
    found = []
    if "self" in frame.f_code.co_varnames[:1]:
        found.append(str(getattr(type(frame.f_locals.get("self")), "__module__", "")))
    found.append(str(frame.f_globals.get("__name__", "")))
    return found
