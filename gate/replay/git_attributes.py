"""What the `.gitattributes` files of a commit say about some of its paths, without checking anything out."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from gate.replay.git import told


def attributes(repository: Path, commit: str, paths: Iterable[bytes]) -> frozenset[tuple[bytes, bytes, bytes]]:
    """Every (path, attribute, value) that the commit's own `.gitattributes` files set; paths need not be in the commit.

    The commit is read into an index of its own, since only newer versions of git can be asked about a tree. Rules of the
    repository's `info/attributes` count, too, the same for every commit. Raises BuildError.
    """
    given = b"".join(path + b"\0" for path in paths)
    with tempfile.TemporaryDirectory(prefix="gate-index-") as scratch:
        index = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
        told(repository, "read-tree", commit, env=index)
        said = told(repository, "check-attr", "--cached", "--all", "-z", "--stdin", env=index, given=given)
    words = said.split(b"\0")[:-1]
    return frozenset(zip(words[0::3], words[1::3], words[2::3], strict=True))
