"""Whether a draft still speaks of what stands now. One whose inputs have changed can be read and rejected, never accepted."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from auditor.suggestions.model import AnySuggestion, Input
from auditor.suggestions.plain import plain

ABSENT = "absent"
MAX_BYTES = 16 * 1024 * 1024
"""A larger file is no input that a draft was made from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What stands now, as the gate tells it: digests as `digest_of` writes them."""

    scorecard: str
    deltas: str
    policies: tuple[str, ...]
    """Those that count as the run's: the one that it was judged by, and what acceptances made of it. The one that stands is among them."""


def digest_of(data: bytes | None) -> str:
    """How an input is known again: `sha256:` and 64 hexadecimal digits over its bytes; `absent` where there is no file."""
    return ABSENT if data is None else f"sha256:{sha256(data).hexdigest()}"


def digest_of_file(path: Path) -> str:
    """`digest_of` a plain file; anything else that stands there is `absent` too."""
    return digest_of(_bytes_of(path))


def changed_inputs(suggestion: AnySuggestion, now: Standing, project_root: Path) -> tuple[str, ...]:
    """A sentence for each input that is no longer what the draft was made from. Empty: it stands.

    A policy that only acceptances have changed since counts as the same. A policy draft without one of the three inputs that the gate can
    tell is not known to stand. Any other input is read again where it has a path.
    """
    watched = {"scorecard": (now.scorecard,), "deltas": (now.deltas,), "policy": now.policies}
    held = {given.name for given in suggestion.provenance.inputs}
    said = [
        f"{name}: not among the inputs of the draft"
        for name in watched
        if suggestion.kind == "policy" and name not in held
    ]
    for given in suggestion.provenance.inputs:
        fresh = given.digest in watched[given.name] if given.name in watched else _as_it_was(given, project_root)
        if not fresh:
            said.append(f"{plain(given.name)}: changed since the draft was made")
    return tuple(said)


def text_as_it_was(given: Input, project_root: Path) -> str | None:
    """The text of an input that can be read again and has not changed; None for any other, and for one that is no UTF-8."""
    path = _place(given, project_root)
    data = None if path is None else _bytes_of(path)
    try:
        return None if data is None or digest_of(data) != given.digest else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _as_it_was(given: Input, project_root: Path) -> bool:
    """Whether the file at its path, inside the project, has the same bytes. Without a path there is nothing to look at."""
    if given.path is None:
        return True
    path = _place(given, project_root)
    return path is not None and digest_of_file(path) == given.digest


def _place(given: Input, project_root: Path) -> Path | None:
    """Where an input can be read again; None outside of the project, for what is no path, and without one."""
    root = project_root.resolve()
    try:
        path = None if given.path is None else (root / given.path).resolve()
    except (OSError, ValueError, RuntimeError):  # a null byte, a loop of links
        return None
    return path if path is not None and path.is_relative_to(root) else None


def _bytes_of(path: Path) -> bytes | None:
    """The bytes of a plain file of at most MAX_BYTES; None for anything else."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
            return data if len(data) <= MAX_BYTES else None
    except OSError:
        return None
