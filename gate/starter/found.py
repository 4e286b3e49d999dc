"""What can be run in a repository, and which of it `gate init` takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.diff.escape import escaped_name
from gate.errors import ConfigError
from gate.starter.manifest import Manifest

LAYOUTS = ("", "src")
"""Folders of a tree in which its packages stand."""

_SCRIPT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}")
_TARGET = re.compile(r"(?P<module>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?::(?P<function>[A-Za-z_][\w.]*))?", re.ASCII)
_NOT_PROGRAMS = frozenset({"test", "tests", "testing", "doc", "docs", "example", "examples", "benchmarks", "scripts"})
_HOW = "Name it: gate init --program 'WORDS', a file of the tree and words before it, e.g. 'node cli.js'."


@dataclass(frozen=True, slots=True, kw_only=True)
class Runnable:
    """Something that can be run."""

    name: str
    """As a person types it."""
    module: str = ""
    """The module that its script names, or the package with a `__main__`; empty for a command of files."""
    function: str = ""
    """What the script calls; empty for a package with a `__main__`."""
    script: bool = False
    """Whether an installation makes a program of that name."""
    words: tuple[str, ...] = ()
    """A command as it was given; empty for what was found."""


def runnables(root: Path, manifest: Manifest) -> tuple[tuple[Runnable, ...], tuple[str, ...]]:
    """The console scripts in the order of their files, then packages with a `__main__` that no script starts; and what was left out.

    A script whose name is none of a program (`../x`), or whose target is none of Python, is left out and told.
    """
    found, notes = [], []
    for name, target in manifest.scripts:
        read = _TARGET.fullmatch(target)
        if not _SCRIPT.fullmatch(name) or read is None:
            told = f"console script {escaped_name(name)} = {escaped_name(target)}"
            notes.append(f"{told}: expected a program's name and module:function; it was left out")
            continue
        found.append(Runnable(name=name, module=read["module"], function=read["function"] or "", script=True))
    covered = {each.module.partition(".")[0] for each in found}
    found += [Runnable(name=name, module=name) for name in _mains(root) if name not in covered]
    return tuple(found), tuple(notes)


def _mains(root: Path) -> Iterator[str]:
    for layout in LAYOUTS:
        folder = root / layout
        for main in sorted(folder.glob("*/__main__.py")) if folder.is_dir() else ():
            name = main.parent.name
            if (
                name.isidentifier()
                and name not in _NOT_PROGRAMS
                and not main.parent.is_symlink()
                and not main.is_symlink()
            ):
                yield name


def chosen(found: Sequence[Runnable], manifest: Manifest, *, script: str | None, folder: str) -> Runnable:
    """The one that is named `script`; without a name the one named like the project or its folder, else the first.

    Raises ConfigError where there is none, with how to name one.
    """
    if script is not None:
        named = next((each for each in found if each.name == script), None)
        if named is None and manifest.computed and _SCRIPT.fullmatch(script):
            return Runnable(name=script, script=True)
        if named is None:
            known = ", ".join(each.name for each in found) or "none"
            raise ConfigError(f"--script: expected one of what was found ({known}), got {script!a}", next_step=_HOW)
        return named
    if not found:
        raise ConfigError(
            "nothing to run was found: expected a console script in pyproject.toml, setup.cfg or setup.py, or a package with "
            "__main__.py, found neither",
            next_step=manifest.notes[0] if manifest.computed else _HOW,
        )
    for wanted in (_plain(manifest.name), _plain(folder)):
        for each in found:
            if wanted and _plain(each.name) == wanted:
                return each
    return found[0]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def given(root: Path, words: Sequence[str]) -> Runnable:
    """The command that a person gave. Raises ConfigError where no word of it is a file of the tree, or is outside of it."""
    if not words or any(not word or "\0" in word for word in words):
        raise ConfigError("--program: expected the words of a command, got none", next_step=_HOW)
    if words[0] in {"python", "python3", "{python}"} and len(words) > 2 and words[1] == "-m":
        return Runnable(name=words[2], module=words[2], words=tuple(words))
    file = next((word for word in words if is_file_of(root, word)), None)
    if file is None:
        raise ConfigError(
            f"--program: expected a file of the tree among the words, got {' '.join(map(escaped_name, words))}",
            next_step="Name it as seen from the project's folder; both sides must run a file of their own build.",
        )
    return Runnable(name=Path(file).stem or file, words=tuple(words))


def is_file_of(root: Path, word: str) -> bool:
    """Whether `word` is the path of a file in `root`; one that a link leads out of it is none, but for programs of an environment."""
    path = Path(word)
    return not path.is_absolute() and ".." not in path.parts and (root / path).is_file()
