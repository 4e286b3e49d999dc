"""Entries, packs and projects for the tests of the hashing room."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import strategies as st

from gate.config.load import load_project
from gate.config.model import Project
from gate.hashing.pack import Entry, Pack

NOBODY = 65534


def file(path: bytes, content: bytes = b"", *, executable: bool = False) -> Entry:
    digest = sha256(content).hexdigest()
    return Entry(path=path, kind="file", executable=executable, size=len(content), sha256=digest)


def link(path: bytes, target: bytes) -> Entry:
    return Entry(path=path, kind="link", target=target)


def folder(path: bytes) -> Entry:
    return Entry(path=path, kind="directory")


def pack(*entries: Entry) -> Pack:
    return Pack(entries=tuple(sorted(entries, key=lambda entry: entry.path)))


names = st.sampled_from([b"a", b"b", b"c", b"A", b"\xff", "é".encode(), "e\u0301".encode()]) | st.binary(
    min_size=1, max_size=4
).filter(lambda name: name not in {b".", b".."} and not {0, 47} & set(name))
contents = st.binary(max_size=1)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    path = b"/".join(draw(st.lists(names, min_size=1, max_size=3)))
    kind = draw(st.sampled_from(["file", "link", "folder"]))
    if kind == "file":
        return file(path, draw(contents), executable=draw(st.booleans()))
    return link(path, draw(names)) if kind == "link" else folder(path)


def without_nesting(drawn: list[Entry]) -> Pack:
    kept: list[Entry] = []
    for entry in drawn:
        others = [other.path for other in kept]
        if not any(entry.path.startswith(other + b"/") or other.startswith(entry.path + b"/") for other in others):
            kept.append(entry)
    return pack(*kept)


packs = st.lists(entries(), max_size=6, unique_by=lambda entry: entry.path).map(without_nesting)


def make_project(root: Path, *, fixtures: str = "fixtures", gate: str = "gate", in_toml: str | None = None) -> Project:
    """A project with one fixture and a corpus; `in_toml` is how the fixture folder is written in a TOML string."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "gate.toml").write_text(
        f'version = 1\nfolder = "{gate}"\nfixtures = "{in_toml or fixtures}"\n\n[program]\nargv = ["{{python}}"]\n'
    )
    corpus = root / gate / "corpus.jsonl"
    corpus.parent.mkdir(parents=True, exist_ok=True)
    corpus.write_text('{"id": "A"}\n{"id": "B"}\n')
    (root / fixtures).mkdir(parents=True, exist_ok=True)
    (root / fixtures / "orders.txt").write_bytes(b"x\ny\n")
    return load_project(root)


def git_environment(home: Path) -> dict[str, str]:
    """Variables under which git reads no settings but those of the repository."""
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }


@contextmanager
def unprivileged_folder() -> Iterator[Path]:
    """A folder worked in without the powers of root: root itself can read everything."""
    place = Path(tempfile.mkdtemp())
    try:
        if os.geteuid() != 0:
            yield place
            return
        os.chown(place, NOBODY, -1)
        try:
            os.seteuid(NOBODY)
        except OSError:
            pytest.skip("root may not become another user here")
        try:
            yield place
        finally:
            os.seteuid(0)
    finally:
        shutil.rmtree(place)
