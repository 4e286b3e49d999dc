"""What a sandbox hides of this machine: every place where the code of the side that is not at work may be found.

A candidate that can read the baseline can run it, and then the gate compares the baseline with itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

_SYSTEM = (
    "/bin", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/sbin", "/sys",
    "/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/sbin",
)  # fmt: skip
"""Without one of these nothing runs."""

_NEVER_IN = ("/dev", "/proc", "/sys")


def hidden_folders(places: Iterable[Path]) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The folders to hide for the folders `places` of projects and sources, and those that should be hidden and cannot.

    They are `places` themselves and the git repositories around them, with all their work trees and objects. Links resolved, sorted,
    each once; those that are not there are left out. What holds the system or the user's home cannot be hidden: programs need it.
    """
    found: set[Path] = set()
    for place in places:
        found.update((place, *_repository(place)))
    resolved = sorted({Path(os.path.realpath(folder)) for folder in found if folder.is_dir()})
    broad = tuple(folder for folder in resolved if _too_broad(folder))
    return tuple(folder for folder in resolved if folder not in broad), broad


def home_apart(hidden: Iterable[Path], named: Iterable[str]) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The user's home, to be hidden from what has a network, and what of it is shown all the same: the absolute paths among `named`.

    Nothing of it that is `hidden` already is shown. No home where there is none, or where the system lies in it.
    """
    home = Path(os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111 - of the environment, or the database
    if not home.is_dir() or any(Path(os.path.realpath(name)).is_relative_to(home) for name in _SYSTEM):
        return (), ()
    apart = [Path(os.path.realpath(folder)) for folder in hidden]
    places = [Path(text) for text in named if os.path.isabs(text) and os.path.exists(text)]  # noqa: PTH110, PTH117 - texts of any kind
    shown = [place for place in places if not any(place.resolve().is_relative_to(folder) for folder in apart)]
    return (home,), tuple(place for place in shown if place.resolve().is_relative_to(home))


def _too_broad(folder: Path) -> bool:
    needed = (*_SYSTEM, os.path.expanduser("~"))  # noqa: PTH111 - of the environment, or the database
    return any(Path(os.path.realpath(name)).is_relative_to(folder) for name in needed) or any(
        folder.is_relative_to(name) for name in _NEVER_IN
    )


def _repository(place: Path) -> Iterator[Path]:
    """The work trees and the folders of git around `place`: its own, the others of one repository, and where it borrows objects."""
    for top in (place, *place.parents):
        if (top / ".git").exists():
            own = _git_folder(top / ".git")
            common = _named_in(own / "commondir", base=own) or own
            yield from (top, own, common)
            yield from _work_tree(common)
            for listed in sorted(common.glob("worktrees/*/gitdir")):
                if (other := _named_in(listed, base=listed.parent)) is not None:
                    yield other.parent
            yield from _borrowed(common)
            return


def _git_folder(place: Path) -> Path:
    """The folder that `.git` is, or names."""
    if place.is_dir():
        return place
    with suppress(OSError, UnicodeDecodeError):
        text = place.read_text("utf-8").strip()
        if text.startswith("gitdir:"):
            return place.parent / text.removeprefix("gitdir:").strip()
    return place


def _named_in(file: Path, *, base: Path) -> Path | None:
    with suppress(OSError, UnicodeDecodeError):
        if text := file.read_text("utf-8").strip():
            return Path(os.path.realpath(base / text))
    return None


def _borrowed(common: Path) -> Iterator[Path]:
    objects = common / "objects"
    with suppress(OSError, UnicodeDecodeError):
        for line in (objects / "info" / "alternates").read_text("utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                lender = Path(os.path.realpath(objects / line.strip()))
                yield from (lender, *_work_tree(lender.parent))


def _work_tree(git: Path) -> tuple[Path, ...]:
    """The work tree that a folder of git lies in."""
    return (git.parent,) if git.name == ".git" else ()
