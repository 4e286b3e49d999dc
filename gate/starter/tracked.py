"""Which files of a folder git tracks: what is ignored or was never added is nobody's to copy."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from gate.errors import BuildError
from gate.replay.git import ask
from gate.starter.laying import in_git


def ignored(root: Path, places: Sequence[Path]) -> tuple[str, ...]:
    """The files in `places` below `root` that git ignores and does not track, relative to it, sorted: no commit will hold them.

    Empty outside of a work tree, and where git does not tell.
    """
    if not in_git(root.resolve()):
        return ()
    names = [str(place.relative_to(root)) for place in places]
    try:
        answer = ask(root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", *names)
    except BuildError:
        return ()
    return tuple(sorted(filter(None, map(os.fsdecode, answer.output.split(b"\0"))))) if answer.status == 0 else ()


def tracked(tree: Path) -> frozenset[str] | None:
    """The files below `tree` that git tracks, relative to it; None outside of any work tree.

    Empty where git does not tell: it is missing, or refuses the repository.
    """
    if not in_git(tree.resolve()):
        return None
    try:
        answer = ask(tree, "ls-files", "-z", "--cached")
    except BuildError:
        return frozenset()
    return frozenset(map(os.fsdecode, answer.output.split(b"\0"))) if answer.status == 0 else frozenset()
