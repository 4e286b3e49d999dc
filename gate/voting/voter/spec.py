"""What the voter is told on standard input. `gate.voting.order` writes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Spec:
    """One run of one property."""

    nonce: str
    voter: str
    """The folder of the voter's own files."""
    properties: str
    """The folder of the property files, as laid."""
    file: str
    """The property's file name in it."""
    seed: int
    collect_only: bool
    imports: list[str]
    """Folders of the build that modules may come from, absolute."""
    libraries: list[str]
    program: dict[str, Any]
    """How the `subject` fixture starts the build: argv, env, fixtures, timeout, limit_bytes."""
