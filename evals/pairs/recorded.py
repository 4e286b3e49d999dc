"""`policy-pairs.jsonl`: what the gate flags between the two releases of each pair, and what is known of it. One line a pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec

from auditor.drafting.values import Group
from evals.errors import EvalsError
from evals.pairs.files import REPOSITORY, Label

VARIABLE = "AUDITOR_RECORDED"
NAME = "policy-pairs.jsonl"
COMMAND = "python -m evals record policy-pairs"
ABSENT = f"nothing is recorded yet: {COMMAND}"

Place = tuple[str, int, str]
"""Case, step, field, where every `files:NAME` counts as `files`."""


class Known(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What people said of one difference. Of their words nothing is kept."""

    case: str
    step: int
    field: Literal["status", "stdout", "stderr", "files"]
    label: Label


class RecordedPair(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line. Only `groups` and `intent` are for a drafter."""

    version: Literal[1] = 1
    pair: str
    source: str
    """SHA-256 of the file that told of the pair: with another one it is recorded anew."""
    intent: str
    groups: tuple[Group, ...]
    """Everything that is flagged, as `auditor draft policy` groups it. None: nothing differs."""
    known: tuple[Known, ...]

    @property
    def labels(self) -> Mapping[Place, frozenset[Label]]:
        """By place: several differences of one place may have labels of their own."""
        found: dict[Place, frozenset[Label]] = {}
        for one in self.known:
            place = (one.case, one.step, one.field)
            found[place] = found.get(place, frozenset()) | {one.label}
        return found


def place_of(environ: Mapping[str, str]) -> Path:
    """Where the recording is: in the folder that `AUDITOR_RECORDED` names, else in `.evals/recorded` of the checkout."""
    named = environ.get(VARIABLE)
    return (Path(named) if named else REPOSITORY / ".evals" / "recorded") / NAME


def lacks(environ: Mapping[str, str]) -> str:
    """Why nothing can be read; empty where it can. What a variable names is not skipped in silence: to read it will be an error."""
    return "" if environ.get(VARIABLE) or place_of(environ).is_file() else ABSENT


def read(file: Path) -> tuple[tuple[RecordedPair, ...], str]:
    """The pairs in their order, at least one, and the SHA-256 of the file. Raises EvalsError with the line that is none."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise EvalsError(
            f"{file.name}: expected a recording of pairs, found none", next_step=f"Make it: {COMMAND}"
        ) from error
    found = tuple(_line(line, f"{file.name}:{number}") for number, line in enumerate(data.splitlines(), start=1))
    if not found:
        raise EvalsError(f"{file.name}: the file holds no pair", next_step=_AGAIN)
    twice = [name for name, times in Counter(one.pair for one in found).items() if times > 1]
    if twice:
        raise EvalsError(f"{file.name}: expected each pair once, got {twice[0][:60]!a} twice", next_step=_AGAIN)
    return found, sha256(data).hexdigest()


def render(pairs: Iterable[RecordedPair]) -> bytes:
    """The file's bytes: the pairs by name, so that the order in which they were recorded is not seen."""
    held = sorted(pairs, key=lambda one: one.pair)
    return b"".join(msgspec.json.encode(one) + b"\n" for one in held)


def _line(line: bytes, where: str) -> RecordedPair:
    try:
        pair = msgspec.json.decode(line, type=RecordedPair)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise EvalsError(f"{where}: expected a recorded pair, got {error}", next_step=_AGAIN) from error
    if len({group.id for group in pair.groups}) < len(pair.groups):
        raise EvalsError(f"{where}: expected each group once, got one twice", next_step=_AGAIN)
    if not all(group.changes and group.places for group in pair.groups):
        raise EvalsError(f"{where}: expected groups with changes and places, got one without", next_step=_AGAIN)
    return pair


_AGAIN = f"Take the line out, or the file away, and record again: {COMMAND}"
