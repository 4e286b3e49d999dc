"""Which Python distributions stand in a built tree, by what their installers wrote down. Nothing is run."""

from __future__ import annotations

import configparser
import json
import os
import re
import stat
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

_METADATA = {".dist-info": "METADATA", ".egg-info": "PKG-INFO"}
_MOST = 1 << 20


def distributions(built: Path, *, source: Path, place: Path, own: Sequence[Path]) -> dict[str, tuple[str, ...]]:
    """Versions by normalised name of what building brought into `built`, sorted.

    Left out are what stood in the tree `source` already, and what was made of the tree itself: a distribution of the name that a tree of
    `own` gives to itself, and one that was installed from below `place`, where the build stood. A name without a version has an empty one.
    """
    names = {name for tree in own for name in _own_names(tree)}
    found: dict[str, set[str]] = {}
    for folder in _folders(built):
        if (source / folder.relative_to(built)).exists() or _is_local(folder, place):
            continue
        name, version = _name_and_version(folder)
        if name not in names:
            found.setdefault(name, set()).add(version)
    return {name: tuple(sorted(versions)) for name, versions in sorted(found.items())}


def normalised(name: str) -> str:
    """A name as indexes compare it. Source: PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _folders(built: Path) -> Iterator[Path]:
    for folder, names, _ in os.walk(built):
        for name in sorted(names):
            if Path(name).suffix in _METADATA:
                yield Path(folder, name)


def _name_and_version(folder: Path) -> tuple[str, str]:
    """From its metadata; where there is none, from the name of its folder."""
    stem, _, rest = folder.stem.partition("-")
    told = {"name": stem, "version": rest}
    for line in _text(folder / _METADATA[folder.suffix]).splitlines():
        key, colon, text = line.partition(":")
        if not colon:
            break
        if key.lower() in told:
            told[key.lower()] = text.strip()
    return normalised(told["name"]), told["version"]


def _is_local(folder: Path, place: Path) -> bool:
    with suppress(ValueError, AttributeError, TypeError):
        url = urlsplit(json.loads(_text(folder / "direct_url.json"))["url"])
        return url.scheme == "file" and Path(unquote(url.path)).is_relative_to(place)
    return False


def _own_names(tree: Path) -> Iterator[str]:
    with suppress(tomllib.TOMLDecodeError):
        told = tomllib.loads(_text(tree / "pyproject.toml"))
        tool = told.get("tool")
        for table in (told.get("project"), tool.get("poetry") if isinstance(tool, dict) else None):
            if isinstance(table, dict) and isinstance(table.get("name"), str):
                yield normalised(table["name"])
    parser = configparser.RawConfigParser()
    with suppress(configparser.Error):
        parser.read_string(_text(tree / "setup.cfg"))
        if name := parser.get("metadata", "name", fallback=""):
            yield normalised(name)


def _text(file: Path) -> str:
    """The head of a plain file; empty where there is none: a build may leave a pipe there."""
    with suppress(OSError):
        if stat.S_ISREG(file.lstat().st_mode):
            with file.open("rb") as stream:
                return stream.read(_MOST).decode("utf-8", "replace")
    return ""
