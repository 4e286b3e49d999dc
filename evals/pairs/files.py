"""Real programs in two released versions: the files that tell of them, which others wrote and which are no part of this repository."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import msgspec

from evals.errors import EvalsError

VARIABLE = "AUDITOR_PAIRS"
REPOSITORY = Path(__file__).resolve().parents[2]
CHANNEL_TO_FIELD = {"exit": "status", "stdout": "stdout", "stderr": "stderr", "files": "files"}

Label = Literal["intended", "collateral", "unclear"]


class _Step(msgspec.Struct, frozen=True, kw_only=True):
    argv: list[str]
    stdin: str | None = None
    env: dict[str, str] | None = None


class _Session(msgspec.Struct, frozen=True, kw_only=True):
    seed: str
    steps: list[_Step]


class _Delta(msgspec.Struct, frozen=True, kw_only=True):
    seed: str
    step: int
    channel: Literal["exit", "stdout", "stderr", "files"]
    label: Label


class _Told(msgspec.Struct, frozen=True, kw_only=True):
    """The form that is held to; a file may say more."""

    package: str
    old: str
    new: str
    constraints: list[str]
    python: str
    program: list[str]
    fixtures: dict[str, str]
    fixtures_b64: dict[str, str] | None = None
    extra: list[str] | None = None
    sessions: list[_Session]
    known_deltas: list[_Delta]
    intent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One pair, read."""

    name: str
    told: Mapping[str, Any] = field(repr=False)
    """As the file says it, held to its form."""
    digest: str = ""
    """SHA-256 of the file."""

    @property
    def known(self) -> frozenset[tuple[str, int, str]]:
        """(case, step, field) of every delta that is known."""
        return frozenset(
            (delta["seed"], delta["step"], CHANNEL_TO_FIELD[delta["channel"]]) for delta in self.told["known_deltas"]
        )


def pair_files(folder: Path | None = None) -> list[Path]:
    """The pairs' files, sorted by name: of `folder`, else of the one that `AUDITOR_PAIRS` names, else of the one beside the checkout.

    Empty where there are none. Raises EvalsError for a folder that is named and not there.
    """
    named = folder or (Path(told) if (told := os.environ.get(VARIABLE)) else None)
    if named is not None and not named.is_dir():
        raise EvalsError(
            f"pairs: expected a folder, got {str(named)[:80]!a}",
            next_step=f"Name the folder of the pairs: --pairs DIR, or {VARIABLE}.",
        )
    return sorted((named or REPOSITORY.parent / "shared" / "pairs" / "cases").glob("*.json"))


def read_pair(file: Path) -> Pair:
    """The pair in a file. Raises EvalsError naming the file and the place where it is none."""
    try:
        data = file.read_bytes()
        told = msgspec.json.decode(data, type=dict[str, Any])
        msgspec.convert(told, type=_Told)
    except (OSError, UnicodeDecodeError, msgspec.MsgspecError) as error:
        raise EvalsError(
            f"{file.name}: expected a pair of versions, got {error}", next_step="docs/evals.md says what it holds."
        ) from error
    return Pair(name=file.stem, told=told, digest=sha256(data).hexdigest())
