"""The form of `auditor.toml`: text in, values out, every fault with its line and key."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from auditor.drafting.redact_patterns import compile_patterns
from auditor.errors import RedactionError, SettingsError
from auditor.project_file import NotReadError, read_project_file

_NEXT_STEP = "Mend auditor.toml; docs/models.md lists every key."
_AT = re.compile(r" - at `\$(.*)`$")
_UNKNOWN = re.compile(r"unknown field `([^`]+)`")
_PART = re.compile(r"\.([^.\[\]]+)")
_TABLE = re.compile(r"\s*\[([^\[\]]+)\]")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_NAME = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_MOST = 1_000_000_000
MOST_BYTES = 1_000_000
"""Of the file."""


class Model(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[model]`."""

    base_url: str = ""
    name: str = ""
    timeout: float = 60
    max_output_tokens: int = 4000
    attempts: int = 3
    structure: Literal["auto", "json_schema", "json_object", "plain"] = "auto"
    limit: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    temperature: float = 0


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[budget]`: what one command may use, checked before each request. The file can only lower what stands here: see `lowered`."""

    requests: int = 20
    tokens: int = 200_000
    """Of questions and answers together."""
    cost: float | None = None
    """In the currency of the prices. None: no limit of its own."""
    seconds: float = 300


class Price(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[prices."MODEL"]`: what a million tokens cost, in a currency of the user's choice."""

    prompt: float
    answer: float


class Redact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[redact]`."""

    patterns: tuple[str, ...] = ()


def lowered(said: Limits) -> Limits:
    """The limits that count: of each the lower of what the file says and the default. A patch can edit the file."""
    cap = Limits()
    return Limits(
        requests=min(said.requests, cap.requests),
        tokens=min(said.tokens, cap.tokens),
        cost=said.cost,
        seconds=min(said.seconds, cap.seconds),
    )


class _Tables(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    model: Model = Model()
    budget: Limits = Limits()
    prices: dict[str, Price] = {}
    redact: Redact = Redact()


class File(msgspec.Struct, frozen=True, kw_only=True):
    """What the file says, and where."""

    model: Model
    budget: Limits
    prices: dict[str, Price]
    """By the name of the model."""
    redact: Redact
    lines: dict[tuple[str, ...], int]

    def line(self, *path: str) -> int:
        """The line of a key, or of the nearest table round it; 1 where the file names neither."""
        return _line(self.lines, path)


def read_file(path: Path) -> File:
    """The file at `path`; where there is none, the defaults. Raises SettingsError naming file, line and key."""
    try:
        data = read_project_file(path, path.parent, most=MOST_BYTES)
    except FileNotFoundError:
        data = b""
    except NotReadError as error:
        raise SettingsError(f"{path}: expected a file, got: {error}", next_step=_NEXT_STEP) from None
    return parse_file(data, name=path.name)


def parse_file(data: bytes, *, name: str = "auditor.toml") -> File:
    """What the bytes of the file say. Raises SettingsError naming `name`, the line and the key."""
    text = _text(data, name)
    try:
        tree = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{name}: not TOML: {error}", next_step=_NEXT_STEP) from error
    lines = _lines(text)
    try:
        tables = msgspec.convert(tree, _Tables)
    except msgspec.ValidationError as error:
        path, message = _located(str(error))
        raise _fault(name, lines, path, message) from error
    for path, message in _complaints(tables):
        raise _fault(name, lines, path, message)
    _check_patterns(tables.redact.patterns, name, text, _line(lines, ("redact", "patterns")))
    return File(model=tables.model, budget=tables.budget, prices=tables.prices, redact=tables.redact, lines=lines)


def _text(data: bytes, name: str) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise SettingsError(f"{name}:{line}: expected UTF-8, got {error.reason}", next_step=_NEXT_STEP) from error
    if "\r" in text:
        line = text[: text.index("\r")].count("\n") + 1
        raise SettingsError(f"{name}:{line}: expected LF line ends, got a CR", next_step=_NEXT_STEP)
    return text


def _lines(text: str) -> dict[tuple[str, ...], int]:
    """The line of every table and of every key that begins a line, by its path."""
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _TABLE.match(line):
            table = _names(header[1])
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, *_names(key[1])), number)
    return lines


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(name.strip("\"'") for name in _NAME.findall(dotted))


def _line(lines: dict[tuple[str, ...], int], path: tuple[str, ...]) -> int:
    known = (lines[path[:depth]] for depth in range(len(path), 0, -1) if path[:depth] in lines)
    return next(known, 1)


def _located(message: str) -> tuple[tuple[str, ...], str]:
    """The path and the words of an error of msgspec (`… - at `$.model.timeout``)."""
    where = _AT.search(message)
    path = tuple(_PART.findall(where[1])) if where else ()
    message = message[: where.start()] if where else message
    if unknown := _UNKNOWN.search(message):
        return (*path, unknown[1]), "unknown key"
    return path, message[0].lower() + message[1:]


def _complaints(tables: _Tables) -> Iterator[tuple[tuple[str, ...], str]]:
    model, budget = tables.model, tables.budget
    amounts: dict[tuple[str, ...], tuple[float, float, float]] = {
        ("model", "timeout"): (model.timeout, 0.1, 3600),
        ("model", "max_output_tokens"): (model.max_output_tokens, 1, _MOST),
        ("model", "attempts"): (model.attempts, 1, 10),
        ("model", "temperature"): (model.temperature, 0, 2),
        ("budget", "requests"): (budget.requests, 0, _MOST),
        ("budget", "tokens"): (budget.tokens, 0, _MOST),
        ("budget", "seconds"): (budget.seconds, 0, 86_400),
        ("budget", "cost"): (budget.cost or 0, 0, _MOST),
    }
    for model_name, price in tables.prices.items():
        amounts["prices", model_name, "prompt"] = (price.prompt, 0, _MOST)
        amounts["prices", model_name, "answer"] = (price.answer, 0, _MOST)
    for path, (amount, least, most) in amounts.items():
        if not (math.isfinite(amount) and least <= amount <= most):
            yield path, f"expected {least:g} to {most:g}, got {amount:g}"


def _check_patterns(patterns: tuple[str, ...], name: str, text: str, first: int) -> None:
    """Raises SettingsError for a pattern that cannot be used, with the line where it stands, else that of the list."""
    try:
        compile_patterns(patterns)
    except RedactionError as error:
        line = first if error.pattern is None else _line_of(error.pattern, text, first)
        raise SettingsError(f"{name}:{line}: redact.patterns: {error.what}", next_step=error.next_step) from error


def _line_of(pattern: str, text: str, first: int) -> int:
    """The last line from `first` on that holds the pattern as it is, or with its backslashes doubled: of two alike, the second."""
    spelled = {pattern, pattern.replace("\\", "\\\\")} - {""}
    lines = enumerate(text.split("\n")[first - 1 :], start=first)
    return max((number for number, line in lines if any(one in line for one in spelled)), default=first)


def _fault(name: str, lines: dict[tuple[str, ...], int], path: tuple[str, ...], message: str) -> SettingsError:
    key = ".".join(path) or "top level"
    return SettingsError(f"{name}:{_line(lines, path)}: {key}: {message}", next_step=_NEXT_STEP)
