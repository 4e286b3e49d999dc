"""Strict JSON for files that people write: RFC 8259 without its tolerances, every value with its place.

Refused where `json.loads` is silent: duplicate keys (it keeps the last), NaN and Infinity, numbers that overflow, a byte order
mark, lone surrogates, and nesting that would exhaust the stack.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from math import isinf
from typing import Any, NoReturn

MAX_DEPTH = 64
"""Lists and objects inside one another; more is refused."""

MAX_DIGITS = 100
"""Characters of a number; more is refused."""

JSONPath = tuple[str | int, ...]
"""The way to a value: object keys and list positions from the top. `()` is the whole document."""


class StrictJSONError(ValueError):
    """The bytes are not strict JSON. `line` and `column` count from 1, columns in characters."""

    def __init__(self, what: str, *, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {what}")
        self.what = what
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a value stands. The member of an object begins at its key."""

    line: int
    column: int
    last_line: int
    """The line on which the value ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A parsed file: what it says, and where it says it."""

    value: Any
    """dict, list, str, int, float, bool or None, as `json.loads` gives them."""
    positions: Mapping[JSONPath, Place]
    """A place for every value, by its path."""

    def line(self, path: JSONPath) -> int:
        """The line of `path`; of its nearest ancestor where `path` is not in the document (a key that is missing)."""
        while path not in self.positions:
            path = path[:-1]
        return self.positions[path].line


def parse(data: bytes) -> Document:
    """The one value that `data` holds. Raises StrictJSONError; an empty file holds no value and is refused."""
    reader = _Reader(_decode(data))
    reader.skip_blanks()
    if reader.at_end:
        reader.fail("the file is empty; expected a JSON value")
    value = reader.value((), reader.position)
    reader.skip_blanks()
    if not reader.at_end:
        reader.fail("there is more after the end of the JSON value")
    return Document(value=value, positions=reader.positions)


def _decode(data: bytes) -> str:
    if data.startswith(b"\xef\xbb\xbf"):
        raise StrictJSONError("the file begins with a byte order mark; save it as UTF-8 without one", line=1, column=1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise StrictJSONError(f"byte 0x{data[error.start]:02x} is not UTF-8", line=line, column=column) from error


_BLANKS = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NUMBERLIKE = re.compile(r"[-+.0-9A-Za-z_]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_CONFLICT = re.compile(r"<{7}|={7}|>{7}")
_WORDS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HINTS = {
    "'": "strings take double quotes",
    "/": "JSON has no comments",
    "#": "JSON has no comments",
}


class _Reader:
    """One pass over the text. Nesting is bounded, so recursion is."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._depth = 0
        self.position = 0
        self.positions: dict[JSONPath, Place] = {}

    @property
    def at_end(self) -> bool:
        return self.position >= len(self._text)

    def fail(self, what: str, position: int | None = None) -> NoReturn:
        line, column = self._locate(self.position if position is None else position)
        raise StrictJSONError(what, line=line, column=column)

    def skip_blanks(self) -> None:
        self.position = self._match(_BLANKS).end()

    def value(self, path: JSONPath, start: int) -> Any:
        """Read one value; `start` is where its place begins."""
        found: Any
        if self._peek() == "{":
            found = self._members(path)
        elif self._peek() == "[":
            found = self._elements(path)
        elif self._peek() == '"':
            found = self._string()
        else:
            found = self._scalar()
        line, column = self._locate(start)
        self.positions[path] = Place(line=line, column=column, last_line=self._locate(self.position - 1)[0])
        return found

    def _locate(self, position: int) -> tuple[int, int]:
        line = bisect_right(self._starts, position)
        return line, position - self._starts[line - 1] + 1

    def _peek(self) -> str:
        return self._text[self.position : self.position + 1]

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = pattern.match(self._text, self.position)
        assert match is not None, "only patterns that match the empty string come here"
        return match

    def _unexpected(self, expected: str) -> NoReturn:
        found = self._peek()
        if _CONFLICT.match(self._text, self.position):
            self.fail("a merge conflict was left in the file")
        shown = ascii(found) if found else "the end of the file"
        hint = f" ({_HINTS[found]})" if found in _HINTS else ""
        self.fail(f"expected {expected}, found {shown}{hint}")

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.fail(f"more than {MAX_DEPTH} lists and objects inside one another")
        self.position += 1
        self.skip_blanks()

    def _leave(self) -> None:
        self._depth -= 1
        self.position += 1

    def _members(self, path: JSONPath) -> dict[str, Any]:
        self._enter()
        members: dict[str, Any] = {}
        while self._peek() != "}" or members:
            start = self.position
            if self._peek() != '"':
                self._unexpected("a key in double quotes")
            key = self._string()
            if key in members:
                first = self.positions[(*path, key)].line
                self.fail(f"duplicate key {key!a}: line {first} has it already", start)
            self.skip_blanks()
            if self._peek() != ":":
                self._unexpected("':' after a key")
            self.position += 1
            self.skip_blanks()
            members[key] = self.value((*path, key), start)
            if self._closed("}"):
                break
        self._leave()
        return members

    def _elements(self, path: JSONPath) -> list[Any]:
        self._enter()
        elements: list[Any] = []
        while self._peek() != "]" or elements:
            elements.append(self.value((*path, len(elements)), self.position))
            if self._closed("]"):
                break
        self._leave()
        return elements

    def _closed(self, bracket: str) -> bool:
        """After a value: whether the bracket closes here; otherwise a comma was read and another value must follow."""
        self.skip_blanks()
        if self._peek() == bracket:
            return True
        if self._peek() != ",":
            self._unexpected(f"',' or '{bracket}'")
        comma = self.position
        self.position += 1
        self.skip_blanks()
        if self._peek() == bracket:
            self.fail(f"a comma before '{bracket}'; JSON has no trailing commas", comma)
        return False

    def _string(self) -> str:
        start = self.position
        self.position += 1
        parts: list[str] = []
        while True:
            plain = self._match(_PLAIN)
            parts.append(plain.group())
            self.position = plain.end()
            if self.at_end:
                self.fail("this string is never closed", start)
            if self._peek() == '"':
                self.position += 1
                break
            if self._peek() != "\\":
                self.fail(f"control character {self._peek()!a} in a string; write it as an escape")
            parts.append(self._escape())
        return "".join(parts)

    def _escape(self) -> str:
        letter = self._text[self.position + 1 : self.position + 2]
        if letter != "u":
            if letter not in _ESCAPES:
                self.fail(f"unknown escape {self._text[self.position : self.position + 2]!a} in a string")
            self.position += 2
            return _ESCAPES[letter]
        start = self.position
        unit = self._unit()
        if 0xD800 <= unit < 0xDC00 and self._text.startswith("\\u", self.position):
            low = self._unit()
            if 0xDC00 <= low < 0xE000:
                return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
        if 0xD800 <= unit < 0xE000:
            self.fail(f"lone surrogate \\u{unit:04x}; it stands for no character", start)
        return chr(unit)

    def _unit(self) -> int:
        digits = _HEX.match(self._text, self.position + 2)
        if digits is None:
            self.fail("\\u takes four hexadecimal digits")
        self.position = digits.end()
        return int(digits.group(), 16)

    def _scalar(self) -> bool | int | float | None:
        start, word = self.position, self._match(_NUMBERLIKE).group()
        if word in _WORDS:
            self.position += len(word)
            return _WORDS[word]
        number = _NUMBER.fullmatch(word)
        if number is None:
            if word:
                self.fail(f"expected a JSON value, found {word[:40]!a}")
            self._unexpected("a JSON value")
        if len(word) > MAX_DIGITS:
            self.fail(f"a number of {len(word)} characters; at most {MAX_DIGITS} are read")
        self.position += len(word)
        if number.group(1) is None and number.group(2) is None:
            return int(word)
        real = float(word)
        if isinf(real):
            self.fail(f"the number {word} is too large", start)
        return real
