"""The folder that the demo project is copied into. Nothing that a person put there is overwritten or deleted unasked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Literal

from auditor.errors import DemoError

SHIPPED = Path(__file__).parent / "project"
MARKER = ".auditor-demo"
_MARKER_TEXT = b"A copy of the demo project of the agent-patch auditor. `auditor demo` may write here.\n"

UNREVIEWED = "unreviewed"
"""The folder in a demo that holds the same project before anybody reviewed the patch: its policy allows nothing."""

_COPIED = (
    "INTENT.md",
    "fixtures/README.txt",
    "gate/corpus.jsonl",
    "properties/kv_steps.py",
    "properties/test_retry_cap.py",
)
"""Shipped once, and standing in `unreviewed` as well."""

State = Literal["free", "pristine", "edited", "foreign"]


def shipped_files() -> dict[str, bytes]:
    """Every file of the demo project by its relative path with forward slashes, in path order.

    Compiled files and hidden ones, which tools leave in a checkout, are left out.
    """
    found = ((path.relative_to(SHIPPED), path) for path in sorted(SHIPPED.rglob("*")) if path.is_file())
    return {name.as_posix(): path.read_bytes() for name, path in found if not any(map(_is_litter, name.parts))}


def demo_files() -> dict[str, bytes]:
    """Every file of a demo as it is set up: the shipped ones, and those of them that stand in `unreviewed` as well."""
    shipped = shipped_files()
    return {**shipped, **{f"{UNREVIEWED}/{name}": shipped[name] for name in _COPIED}}


def state_of(folder: Path, files: Mapping[str, bytes]) -> State:
    """What stands at `folder`.

    `free`: nothing, or an empty folder. `pristine`: a demo that holds all of `files` (others beside them do not count).
    `edited`: a demo in which one of them differs or is gone. `foreign`: anything else, a plain file among it.
    """
    if not folder.exists() and not folder.is_symlink():
        return "free"
    if not folder.is_dir():
        return "foreign"
    if not any(folder.iterdir()):
        return "free"
    if not (folder / MARKER).is_file():
        return "foreign"
    return "pristine" if all(_holds(folder / name, data) for name, data in files.items()) else "edited"


def set_up(into: Path, *, force: bool = False) -> Path:
    """Make a folder hold the demo project as shipped, and give its absolute path.

    A free folder is filled and a pristine demo used again. An edited demo is left alone and the next numbered name
    (`into-2`, `into-3`, …) that is free or pristine is taken; with `force` the shipped files are put back in place instead.
    Files beside the shipped ones are never touched. Raises DemoError when `into` holds something else.
    """
    into = into.absolute()
    files = demo_files()
    state = state_of(into, files)
    if state == "foreign":
        raise DemoError(
            f"{into}: expected an empty folder or a former demo, found something else",
            next_step="Name another folder: auditor demo --into DIR",
        )
    folder = into
    if state == "edited" and not force:
        folder = next(name for name in _numbered(into) if state_of(name, files) in {"free", "pristine"})
    _fill(folder, files)
    return folder


def _is_litter(part: str) -> bool:
    return part == "__pycache__" or part.startswith(".")


def _numbered(folder: Path) -> Iterator[Path]:
    return (folder.with_name(f"{folder.name}-{number}") for number in count(2))


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and not path.is_symlink() and path.read_bytes() == data


def _fill(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_bytes(_MARKER_TEXT)  # first, so that an interrupted copy is known as ours
    for name, data in files.items():
        path = folder / name
        if _holds(path, data):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(data)
        path.chmod(0o644)
