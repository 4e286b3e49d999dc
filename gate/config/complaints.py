"""What is wrong with a `gate.toml` beyond what types can say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from gate.config.model import Config, Replay, Suite, Voting
from gate.corpus.grammar_faults import grammar_faults

KeyPath = tuple[str | int, ...]
Complaint = tuple[KeyPath, str]

_LONGEST = 1e6
"""Seconds of a time limit at most."""
_LARGEST = 1 << 40
"""Bytes of a size limit at most."""


def complaints(config: Config, tree: Mapping[str, object]) -> Iterator[Complaint]:
    """Every fault with the path of its key; `tree` is the file as TOML has it. None: the configuration can be used."""
    yield from _nul_bytes(tree, ())
    yield from _limits(config)
    if config.program.runner == "trace" and not config.program.argv:
        yield ("program", "argv"), "expected the command line of the program that prints the trace, got none"
    for key, folder in (("folder", config.folder), ("fixtures", config.fixtures), ("properties", config.properties)):
        if not inside(folder):
            yield (key,), f"expected a folder below gate.toml, got {folder!r}"
        elif not folder.isprintable():
            yield (key,), f"expected a name of printable characters, got {folder!a}"
    if Path(config.properties) == Path():
        yield ("properties",), "expected a folder of its own, got the one that holds gate.toml"
    for position, folder in enumerate(config.program.path):
        if not inside(folder):
            yield ("program", "path"), f"expected folders of the build, got {folder!r} at position {position}"
    for name in config.program.env:
        if not name or "=" in name:
            yield ("program", "env"), f"expected the name of a variable, got {name!r}"
    yield from _globs(config.replay)
    yield from _voting(config.voting)
    yield from _suite(config.suite)
    yield from grammar_faults(config.grammar)


def inside(folder: str) -> bool:
    """Whether a relative path stays below where it starts."""
    path = Path(folder)
    return bool(folder) and not path.is_absolute() and ".." not in path.parts


def _voting(voting: Voting) -> Iterator[Complaint]:
    if any("{build}" in word for word in voting.python):
        yield ("voting", "python"), "expected an interpreter that the patch cannot change, got one of the build"
    for position, folder in enumerate(voting.imports):
        if not inside(folder):
            yield ("voting", "imports"), f"expected folders of the build, got {folder!r} at position {position}"
    for position, name in enumerate(voting.libraries):
        if not name.isidentifier():
            yield ("voting", "libraries"), f"expected names of top-level modules, got {name!r} at position {position}"
    for name, settings in voting.property.items():
        path: KeyPath = ("voting", "property", name)
        yield from _out_of_bounds((*path, "repeats"), settings.repeats, 2, 1000)
        yield from _out_of_bounds((*path, "timeout"), settings.timeout, 0.01, _LONGEST)


def _suite(suite: Suite) -> Iterator[Complaint]:
    if suite.command and not any("{report}" in word for word in suite.command):
        yield ("suite", "command"), "expected {report}, where the tests write their JUnit XML, in one of the words"


def _out_of_bounds(path: KeyPath, got: float | None, least: float, most: float) -> Iterator[Complaint]:
    if got is not None and (not least <= got <= most or math.isnan(got)):
        yield path, f"expected {_plain(least)} to {_plain(most)}, got {_plain(got)}"


def _limits(config: Config) -> Iterator[Complaint]:
    replay = config.replay
    bounds: tuple[tuple[KeyPath, float, float, float], ...] = (
        (("replay", "repeats"), replay.repeats, 2, 1000),
        (("replay", "confirm"), replay.confirm, 1, 1000),
        (("replay", "timeout"), replay.timeout, 0.01, _LONGEST),
        (("replay", "keep_bytes"), replay.keep_bytes, 1, _LARGEST),
        (("replay", "limit_bytes"), replay.limit_bytes, replay.keep_bytes, _LARGEST),
        (("build", "timeout"), config.build.timeout, 0.01, _LONGEST),
        (("voting", "repeats"), config.voting.repeats, 2, 1000),
        (("voting", "confirm"), config.voting.confirm, 1, 1000),
        (("voting", "repair_runs"), config.voting.repair_runs, 10, 1000),
        (("voting", "seed"), config.voting.seed, 0, 2**32 - 1),
        (("voting", "timeout"), config.voting.timeout, 0.01, _LONGEST),
        (("suite", "timeout"), config.suite.timeout, 0.01, _LONGEST),
    )
    for path, got, least, most in bounds:
        yield from _out_of_bounds(path, got, least, most)


def _plain(number: float) -> str:
    return str(int(number)) if math.isfinite(number) and number == int(number) else str(number)


def _globs(replay: Replay) -> Iterator[Complaint]:
    for key, globs in (("ignore_files", replay.ignore_files), ("ignore_content", replay.ignore_content)):
        for position, glob in enumerate(globs):
            if not glob.strip():
                yield ("replay", key), f"expected a glob, got an empty one at position {position}"


def _nul_bytes(node: object, path: KeyPath) -> Iterator[Complaint]:
    """No file name, word or variable can hold one."""
    if isinstance(node, str) and "\0" in node:
        yield path, "expected a text without NUL"
    elif isinstance(node, Mapping):
        for key, below in node.items():
            if "\0" in key:
                yield path, "expected a key without NUL"
            yield from _nul_bytes(below, (*path, key))
    elif isinstance(node, list):
        for position, below in enumerate(node):
            yield from _nul_bytes(below, (*path, position))
