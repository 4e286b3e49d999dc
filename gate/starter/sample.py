"""A file of a repository, as it may become a fixture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One file, as it may become a fixture."""

    path: PurePosixPath
    """Where it stands in the repository."""
    data: bytes
