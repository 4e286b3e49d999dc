"""What the machine adds to a run beside the two builds: its digest tells goldens of different machines apart."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Sequence
from pathlib import Path

from gate.hashing.framing import framed_digest
from gate.replay.build import interpreter


def environment_digest(outside: Sequence[str]) -> str:
    """Digest of the platform and of every executable outside the build that steps use: path and content.

    A path that cannot be read counts as absent.
    """
    machine = (platform.system(), platform.machine(), platform.libc_ver(), platform.python_version())
    files = tuple((path, _content(Path(path))) for path in sorted({*outside, interpreter()}))
    return framed_digest("gate-environment-1", (machine, files))


def _content(path: Path) -> str:
    try:
        with open(os.path.realpath(path), "rb") as stream:  # noqa: PTH123 - links are followed on purpose
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""
