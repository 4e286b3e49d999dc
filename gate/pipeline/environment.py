"""What the machine adds to a run beside the two builds: its digest tells goldens of different machines apart."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
from collections.abc import Sequence
from pathlib import Path

from gate.config.model import Program
from gate.domain import Case
from gate.hashing.framing import framed_digest
from gate.replay.build import interpreter
from gate.replay.commands import command_words
from gate.replay.environment import SYSTEM_PATH


def environment_digest(program: Program, cases: Sequence[Case]) -> str:
    """Digest of the platform and of the system's own executables that a command word of the corpus or of `program.argv` names.

    By path and content. The same for both sides: what a build brings is the build's. A word that names none counts for nothing.
    """
    machine = (platform.system(), platform.machine(), platform.libc_ver(), platform.python_version())
    words = {word for case in cases for step in case.steps for word in command_words(step)} | set(program.argv[:1])
    path = os.pathsep.join(SYSTEM_PATH)
    found = {os.path.realpath(place) for word in words if (place := shutil.which(word, path=path))}
    files = tuple((place, _content(Path(place))) for place in sorted({*found, interpreter()}))
    return framed_digest("gate-environment-1", (machine, files))


def _content(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""
