"""Where the values of a JSON text stand, for messages. The text has been found to be JSON before."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

JSONPath = tuple[str | int, ...]
"""The way to a value from the top: keys and positions. `()` is the whole text."""

MOST_VALUES = 100_000
MOST_DEPTH = 32
"""More of either is no text that this program wrote; reading on would only cost time."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class TooMuchError(Exception):
    """A text of more values than MOST_VALUES, or deeper than MOST_DEPTH."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """The line of each value, from 1; a member of an object stands where its key does."""

    places: dict[JSONPath, int]
    repeated: tuple[tuple[str, int], ...]
    """Each key that its object has already, and its line."""

    def line(self, path: JSONPath) -> int:
        """The line of `path`, or of its nearest ancestor."""
        while path not in self.places and path:
            path = path[:-1]
        return self.places.get(path, 1)


def lines_of(text: str) -> Lines:
    """The lines of all values of `text`. Raises TooMuchError."""
    places: dict[JSONPath, int] = {}
    repeated: list[tuple[str, int]] = []
    path: list[str | int | None] = []
    line, seen = 1, 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        line += text.count("\n", seen, match.start())
        seen = match.start()
        if token in ("}", "]"):
            path.pop()
        elif token == ",":
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
        elif token != ":":
            is_key = bool(path) and path[-1] is None
            if is_key:
                path[-1] = json.loads(token)
            here = tuple(part for part in path if part is not None)
            if is_key and here in places:
                repeated.append((str(path[-1]), line))
            places.setdefault(here, line)
            if len(places) > MOST_VALUES or len(path) > MOST_DEPTH:
                raise TooMuchError(line)
            if token in ("{", "["):
                path.append(None if token == "{" else 0)
    return Lines(places=places, repeated=tuple(repeated))
