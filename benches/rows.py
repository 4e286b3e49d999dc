"""Results as JSON Lines, one a run, so that a long bench can be stopped, gone on with, and read meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]
Job = tuple[Row, Callable[[], Row]]
"""What names a run among all, and what runs it and says how it ended."""


def read_rows(file: Path) -> list[Row]:
    """The rows so far; none where there is no such file."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def fill(file: Path, jobs: Iterable[Job]) -> None:
    """Run every job that has no row yet, and write its row as soon as it has ended."""
    rows = read_rows(file)
    for name, run in jobs:
        if any(name.items() <= row.items() for row in rows):
            continue
        row = {**name, **run()}
        with file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row) + "\n")
