"""Trees of a git repository: what a commit holds, and writing it out as a plain folder.

A plain folder rather than a linked work tree: what is built and replayed there must not reach the real repository through a
`.git` file (reported fault 18), and an interrupted run leaves nothing to prune. Files are written as git stores them: no line
ending is turned, no filter of the person's configuration or of the patch's `.gitattributes` is run, no `export-ignore` is heard.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from gate.errors import BuildError
from gate.replay.git import ask, failure, told
from gate.replay.refs import commit_of

Kind = Literal["file", "executable", "link", "submodule"]

_KINDS: dict[bytes, Kind] = {
    b"100644": "file", b"100664": "file", b"100755": "executable", b"120000": "link", b"160000": "submodule",
}  # fmt: skip
_BATCH = 500
"""Objects asked for at a time, so that what git prints stays small."""
_ODD = "Only hand-made trees have such entries: find out where the commit comes from."


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeEntry:
    """A file, symbolic link or submodule of a tree."""

    path: bytes
    """Relative to the top of the repository."""
    kind: Kind
    id: str
    """The object's id; of a submodule, the commit's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A commit's tree, written out."""

    commit: str
    """The full commit id."""
    folder: Path


def list_tree(repository: Path, commit: str) -> tuple[TreeEntry, ...]:
    """All that the tree of `commit` holds, in git's order; empty for an empty tree.

    Raises BuildError for a tree that git itself would not check out: names that leave the folder, or one name twice.
    """
    lines = told(repository, "ls-tree", "-r", "--full-tree", "-z", commit).split(b"\0")[:-1]
    entries = tuple(_entry(line) for line in lines)
    paths = {entry.path for entry in entries}
    for entry in entries:
        parts = entry.path.split(b"/")
        above = {b"/".join(parts[:depth]) for depth in range(1, len(parts))}
        if above & paths or any(part.lower() in (b"", b".", b"..", b".git") for part in parts):
            raise BuildError(
                f"commit {commit[:12]}: expected names inside the folder, found {os.fsdecode(entry.path)!r}",
                next_step=_ODD,
            )
    if len(paths) != len(entries):
        raise BuildError(f"commit {commit[:12]}: expected each name once in its tree, found one twice", next_step=_ODD)
    return entries


def _entry(line: bytes) -> TreeEntry:
    head, _, path = line.partition(b"\t")
    mode, _, name = head.split(b" ")
    if mode not in _KINDS:
        raise BuildError(f"{os.fsdecode(path)!r}: expected a file, got git's mode {mode.decode()}", next_step=_ODD)
    return TreeEntry(path=path, kind=_KINDS[mode], id=name.decode())


def refuse_submodules(ref: str, entries: Sequence[TreeEntry]) -> None:
    """Raise BuildError for a tree with a submodule: a commit id and no files, so that both sides would miss it alike."""
    for entry in entries:
        if entry.kind == "submodule":
            raise BuildError(
                f"commit {ref} has a submodule at {os.fsdecode(entry.path)}, whose files it does not hold",
                next_step="Check out both commits with their submodules, and name the two folders: --baseline, --candidate.",
            )


def write_tree(repository: Path, ref: str, *, under: Path) -> Tree:
    """Write out the tree of `ref` to `under/<commit>`, byte for byte. Raises BuildError, also for a tree with submodules."""
    commit = commit_of(repository, ref)
    entries = list_tree(repository, commit)
    refuse_submodules(commit[:12], entries)
    folder = under / commit
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for start in range(0, len(entries), _BATCH):
        _write(repository, entries[start : start + _BATCH], folder)
    return Tree(commit=commit, folder=folder)


def _write(repository: Path, entries: Sequence[TreeEntry], folder: Path) -> None:
    """Write some entries, in the order in which git gives their contents."""
    asked = "".join(f"{entry.id}\n" for entry in entries).encode()
    with tempfile.TemporaryFile() as kept:
        answer = ask(repository, "cat-file", "--batch", given=asked, kept=kept)
        if answer.status != 0:
            raise failure(repository, "cat-file", answer.complaint)
        kept.seek(0)
        for entry in entries:
            _place(folder, entry, _content(repository, kept, entry))


def _content(repository: Path, stream: IO[bytes], entry: TreeEntry) -> bytes:
    """The next object: `<id> blob <size>`, its bytes, a line feed."""
    head = stream.readline().split()
    if len(head) != 3 or head[:2] != [entry.id.encode(), b"blob"]:
        raise BuildError(
            f"{repository}: expected the content of {os.fsdecode(entry.path)!r}, and git does not have it",
            next_step="Where the clone is partial, clone without --filter: the gate fetches nothing. Otherwise: git fsck.",
        )
    content = stream.read(int(head[2]))
    stream.read(1)
    return content


def _place(folder: Path, entry: TreeEntry, content: bytes) -> None:
    path = folder / os.fsdecode(entry.path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if entry.kind == "link":
            path.symlink_to(os.fsdecode(content))
            return
        mode = 0o777 if entry.kind == "executable" else 0o666
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
            stream.write(content)
    except FileExistsError:
        raise BuildError(
            f"{os.fsdecode(entry.path)!r}: this file system takes it for another file of the same tree",
            next_step="Judge on a file system that tells letter case and unicode forms apart, or rename one of the two.",
        ) from None
