"""Reading `gate.toml`: every fault is one error with file, line and key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec

from gate.config.complaints import complaints
from gate.config.locate import line_of
from gate.config.model import Config, Project
from gate.errors import ConfigError

_NEXT_STEP = "Mend gate.toml; docs/config.md lists every key."
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""A file of somebody else's may hold what a terminal obeys, in keys and values that are told."""
_AT = re.compile(r" - at `\$(.*)`$")
_UNKNOWN = re.compile(r"unknown field `([^`]+)`")
_PATH_PART = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")


def load_project(root: Path) -> Project:
    """The project whose `gate.toml` stands in `root`. Raises ConfigError."""
    root = root.resolve()
    file = root / "gate.toml"
    try:
        text = file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise ConfigError(
            f"{file}: expected a gate.toml, found none",
            next_step="Name the folder that holds it with --project, or write one: docs/config.md has an example.",
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: expected UTF-8, got {error}", next_step=_NEXT_STEP) from error
    return Project(root=root, config=parse_config(text, name=file.name))


def parse_config(text: str, *, name: str = "gate.toml") -> Config:
    """What the text of a `gate.toml` says. Raises ConfigError naming `name`, the line and the key."""
    try:
        tree = tomllib.loads(text)
    except RecursionError:
        raise ConfigError(f"{name}: not TOML that can be read: nested too deeply", next_step=_NEXT_STEP) from None
    except ValueError as error:  # a number of thousands of digits is one too
        raise ConfigError(f"{name}: not TOML: {error}", next_step=_NEXT_STEP) from error
    try:
        config = msgspec.convert(tree, Config)
    except msgspec.ValidationError as error:
        raise _located(text, name, str(error)) from error
    for path, complaint in complaints(config, tree):
        raise _complaint(text, name, path, complaint)
    return config


def _located(text: str, name: str, message: str) -> ConfigError:
    """A validation error of msgspec (`… - at `$.replay.timeout``) as one of ours, with its line."""
    where = _AT.search(message)
    path: tuple[str | int, ...] = ()
    if where:
        path = tuple(
            int(index) if index.isdigit() else key for key, index in _PATH_PART.findall(where[1]) if key or index
        )
        message = message[: where.start()]
    if unknown := _UNKNOWN.search(message):
        path, message = (*path, unknown[1]), "unknown key"
    return _complaint(text, name, path, message[0].lower() + message[1:])


def _complaint(text: str, name: str, path: tuple[str | int, ...], message: str) -> ConfigError:
    line = line_of(text, path)
    place = f"{name}:{line}" if line else name
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")
    shown = _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], f"{key or 'top level'}: {message}")
    return ConfigError(f"{place}: {shown}", next_step=_NEXT_STEP)
