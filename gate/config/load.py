"""Reading `gate.toml`: every fault is one error with file, line and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from gate.config.locate import line_of
from gate.config.model import Config, Project, Replay
from gate.corpus.grammar_faults import grammar_faults
from gate.errors import ConfigError

_NEXT_STEP = "Mend gate.toml; docs/config.md lists every key."
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
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: not TOML: {error}", next_step=_NEXT_STEP) from error
    try:
        config = msgspec.convert(tree, Config)
    except msgspec.ValidationError as error:
        raise _located(text, name, str(error)) from error
    for path, complaint in _complaints(config):
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
    return ConfigError(f"{place}: {key or 'top level'}: {message}", next_step=_NEXT_STEP)


def _complaints(config: Config) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """What types alone cannot say."""
    replay, program = config.replay, config.program
    bounds: tuple[tuple[str, float, float], ...] = (
        ("repeats", replay.repeats, 2),
        ("confirm", replay.confirm, 1),
        ("timeout", replay.timeout, 0.01),
        ("keep_bytes", replay.keep_bytes, 1),
        ("limit_bytes", replay.limit_bytes, replay.keep_bytes),
    )
    for key, got, least in bounds:
        if got < least:
            yield ("replay", key), f"expected at least {least:g}, got {got:g}"
    if program.runner == "trace" and not program.argv:
        yield ("program", "argv"), "expected the command line of the program that prints the trace, got none"
    for key, folder in (("folder", config.folder), ("fixtures", config.fixtures)):
        if not inside(folder):
            yield (key,), f"expected a folder below gate.toml, got {folder!r}"
    for position, folder in enumerate(program.path):
        if not inside(folder):
            yield ("program", "path"), f"expected folders of the build, got {folder!r} at position {position}"
    yield from grammar_faults(config.grammar)
    yield from _glob_complaints(replay)


def _glob_complaints(replay: Replay) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for key, globs in (("ignore_files", replay.ignore_files), ("ignore_content", replay.ignore_content)):
        for position, glob in enumerate(globs):
            if not glob.strip():
                yield ("replay", key), f"expected a glob, got an empty one at position {position}"


def inside(folder: str) -> bool:
    """Whether a relative path stays below where it starts."""
    path = Path(folder)
    return bool(folder) and not path.is_absolute() and ".." not in path.parts
