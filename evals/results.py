"""`results.jsonl`: the head of a run, then one line for each scored answer. The same run gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from evals.errors import EvalsError
from evals.run import FORMAT
from evals.values import Head, Row

NAME = "results.jsonl"
_AGAIN = "Make it again: python -m evals run"


def render(head: Head, rows: Sequence[Row]) -> bytes:
    """The file's bytes."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (head, *rows))


def read(path: Path) -> tuple[Head, tuple[Row, ...]]:
    """The head and the rows of a file, or of the folder of a run. Raises EvalsError with the line that cannot be read."""
    file = path / NAME if path.is_dir() else path
    if not file.is_file():
        raise EvalsError(f"{file}: expected the results of a run, found nothing", next_step=_AGAIN)
    lines: list[Head | Row] = []
    for number, line in enumerate(file.read_bytes().splitlines(), start=1):
        try:
            lines.append(msgspec.json.decode(line, type=Head | Row))
        except msgspec.MsgspecError as error:
            raise EvalsError(f"{file}:{number}: expected a line of results, got {error}", next_step=_AGAIN) from error
    if not lines or not isinstance(lines[0], Head):
        raise EvalsError(f"{file}:1: expected the head of a run", next_step=_AGAIN)
    if lines[0].format != FORMAT:
        raise EvalsError(f"{file}:1: format: expected {FORMAT}, got {lines[0].format}", next_step=_AGAIN)
    rows = tuple(line for line in lines[1:] if isinstance(line, Row))
    if len(rows) != len(lines) - 1:
        raise EvalsError(f"{file}: expected one head, got several", next_step=_AGAIN)
    if not rows:
        raise EvalsError(f"{file}: the run scored nothing", next_step=_AGAIN)
    return lines[0], rows
