"""The recording of seeded faults: what the gate saw of each, and what each experiment that it offers showed."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec

from auditor.drafting.values import Experiment, Failure
from evals.errors import EvalsError
from evals.faults.values import Seen

NAME = "hypotheses.jsonl"
RECORDED = Path(__file__).resolve().parents[1] / "data" / NAME
_AGAIN = "Record it again: python -m evals record hypotheses"


class Recorded(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line: one fault as it was recorded. What is right is not in it; the table of faults says so."""

    fault: str
    digest: str
    """Of the fault as the table had it: another one is another recording."""
    python: str
    """`3.11`: tracebacks and messages are those of this version."""
    source: str
    """SHA-256 of the program without the fault."""
    failure: Failure
    experiments: tuple[Experiment, ...]
    seen: tuple[Seen, ...]
    """One for each experiment, in their order."""


def read_recorded(path: Path) -> tuple[tuple[Recorded, ...], str]:
    """What a recording holds, and its SHA-256. Raises EvalsError with the line that is none, for a fault twice, and for no line."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise EvalsError(f"{path.name}: expected a recording, got: {error.strerror}", next_step=_AGAIN) from error
    found = tuple(
        _line(line, f"{path.name}:{number}") for number, line in enumerate(data.splitlines(keepends=True), start=1)
    )
    if not found:
        raise EvalsError(f"{path.name}: expected recorded faults, got none", next_step=_AGAIN)
    names = [one.fault for one in found]
    if len(set(names)) < len(names):
        raise EvalsError(f"{path.name}: expected each fault once, got one twice", next_step=_AGAIN)
    return found, sha256(data).hexdigest()


def _line(line: bytes, where: str) -> Recorded:
    try:
        found = msgspec.json.decode(line, type=Recorded)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise EvalsError(f"{where}: expected a recorded fault, got {error}", next_step=_AGAIN) from error
    if [one.experiment for one in found.seen] != [one.id for one in found.experiments]:
        raise EvalsError(f"{where}: expected what each experiment showed, got another list", next_step=_AGAIN)
    return found


def render(recorded: Recorded) -> bytes:
    """A fault as its line."""
    return msgspec.json.encode(recorded) + b"\n"
