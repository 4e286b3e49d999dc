"""The failures of a run whole, beside its scorecard, which shows heads and no traceback. For people, never for a verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from gate.errors import ReplayError
from gate.files import write_atomically
from gate.pipeline.left import RecordedFailure
from gate.voting.ballots import Ballot

FAILURES = "failures.jsonl"

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")


class _Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    property: str
    failures: tuple[RecordedFailure, ...]


def write_failures(folder: Path, ballots: Iterable[Ballot]) -> None:
    """Keep the failures of each ballot that has some, one JSON line a property, in the folder of the run."""
    lines = [
        msgspec.json.encode(
            _Line(
                property=ballot.property,
                failures=tuple(
                    RecordedFailure(
                        test=_sound(failure.test),
                        exception=_sound(failure.exception),
                        message=_sound(failure.message),
                        example=_sound(failure.example),
                        trace=_sound(failure.trace),
                    )
                    for failure in ballot.failures
                ),
            )
        )
        for ballot in ballots
        if ballot.failures
    ]
    write_atomically(folder / FAILURES, b"".join(line + b"\n" for line in lines))


def read_failures(folder: Path) -> dict[str, tuple[RecordedFailure, ...]]:
    """By property; none where the run kept none. Raises ReplayError for a damaged file."""
    file = folder / FAILURES
    try:
        rows = [msgspec.json.decode(line, type=_Line) for line in file.read_bytes().splitlines()]
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ReplayError(f"{file}: not a gate's file: {error}", next_step="Run `gate run` again.") from error
    return {row.property: row.failures for row in rows}


def _sound(text: str) -> str:
    """Text that can be written as UTF-8 (what a test told may hold lone surrogates), without addresses, which no two runs share."""
    return _ADDRESS.sub("0x…", text.encode("utf-8", "backslashreplace").decode("utf-8"))
