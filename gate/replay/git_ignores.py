"""What the `.gitignore` files of a commit say about some of its paths, without checking it out."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from gate.replay.git import ask, failure, told
from gate.replay.git_tree import TreeEntry


def ignored(repository: Path, entries: Sequence[TreeEntry], paths: Iterable[bytes]) -> frozenset[bytes]:
    """Which of `paths` the `.gitignore` files among a commit's `entries` ignore; paths need not be in the commit.

    Letter case does not count, as on some file systems. Rules that are not committed (`info/exclude`, a person's own) take no part.
    They are laid out in an empty repository, since git cannot be asked about a tree. Raises BuildError.
    """
    files = [entry for entry in entries if _is_rules(entry)]
    given = b"".join(b"./" + path + b"\0" for path in paths)  # so that none is taken for a pattern
    if not files or not given:
        return frozenset()
    with tempfile.TemporaryDirectory(prefix="gate-ignores-") as scratch:
        top = Path(scratch)
        told(top, "init", "--quiet", "--template=")
        for entry in files:
            file = top / os.fsdecode(entry.path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(told(repository, "cat-file", "blob", entry.id))
        settings = ("-c", "core.excludesFile=/dev/null", "-c", "core.ignoreCase=true")
        answer = ask(top, *settings, "check-ignore", "--no-index", "-z", "--stdin", given=given)
    if answer.status not in (0, 1):
        raise failure(repository, "check-ignore", answer.complaint)
    return frozenset(path.removeprefix(b"./") for path in answer.output.split(b"\0")[:-1])


def _is_rules(entry: TreeEntry) -> bool:
    """Whether git reads ignore rules from it: it follows no link there."""
    return entry.kind in {"file", "executable"} and entry.path.rpartition(b"/")[2].lower() == b".gitignore"
