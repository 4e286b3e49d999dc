"""Where a key stands in a TOML file: the line of a path, for error messages."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TABLE = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")

Path = tuple[str | int, ...]


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))


def key_lines(text: str) -> dict[Path, int]:
    """The line (from 1) of every table header and every key that begins a line, by its path.

    An array of tables counts its entries from 0. Keys inside inline tables and multi-line values are not listed: `line_of` falls
    back to the nearest key that is. The text must be valid TOML.
    """
    lines: dict[Path, int] = {}
    entries: dict[tuple[str, ...], int] = {}
    table: Path = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _TABLE.match(line):
            names = _parts(header[2])
            if header[1] == "[[":
                entries[names] = entries.get(names, -1) + 1
            table = _with_entries(names, entries)
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, *_parts(key[1])), number)
    return lines


def _with_entries(names: tuple[str, ...], entries: dict[tuple[str, ...], int]) -> Path:
    path: Path = ()
    for depth, name in enumerate(names, start=1):
        path = (*path, name)
        if (entry := entries.get(names[:depth])) is not None:
            path = (*path, entry)
    return path


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """The line of the key at `path`, or of the nearest enclosing key that begins a line; None when there is none."""
    lines = key_lines(text)
    for depth in range(len(path), 0, -1):
        if (line := lines.get(tuple(path[:depth]))) is not None:
            return line
    return None
