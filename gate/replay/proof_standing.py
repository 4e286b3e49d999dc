"""A side at the replay path, and what lies inside its build."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gate.replay.build import SideName
from gate.replay.sandbox import NO_SANDBOX, Sandbox

_PYTHON = re.compile(r"(?:python|pypy)w?[0-9.]*[dt]?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A side as it stands at the replay path, ready to prove itself."""

    side: SideName
    build: Path
    """The replay path; the side's build stands there."""
    sources: tuple[Path, ...]
    """The trees both sides were copied from: nothing may be run from there."""
    environment: Mapping[str, str]
    """The environment of its steps."""
    sandbox: Sandbox = NO_SANDBOX
    """What is put around the interpreters that are asked: they start code of the build."""
    work: Path | None = None
    """What a case's working directory holds at first: the fixtures, alike on both sides. None, or no folder, is an empty one."""

    def holds(self, path: Path) -> bool:
        """Whether the file itself, links followed, lies in the build."""
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self.build))

    def runs(self, path: Path) -> bool:
        """Whether the executable belongs to the build: held by it, or the interpreter of a virtual environment of the build.

        Such an interpreter is mostly a link that leads out; what it loads is asked of it.
        """
        if self.holds(path):
            return True
        environment = path.is_relative_to(self.build) and (path.parent.parent / "pyvenv.cfg").is_file()
        return environment and _PYTHON.fullmatch(path.name) is not None

    def resolve(self, word: str) -> Path | None:
        """The executable that a command word starts. A relative path is one of the working directory: no program of the build."""
        if "/" in word and not word.startswith("/"):
            return None
        found = shutil.which(word, path=self.environment["PATH"])
        return Path(found) if found else None


def is_python(path: Path) -> bool:
    """Whether an executable is a Python interpreter, by its name or the name of the file that it is a link to."""
    names = (path.name, Path(os.path.realpath(path)).name)
    return any(_PYTHON.fullmatch(name) for name in names)
