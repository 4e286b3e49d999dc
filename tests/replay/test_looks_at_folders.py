from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from gate.replay import times
from gate.replay.effects import Effects, Watching
from gate.replay.redact import Redactor, Vocabulary
from gate.replay.snapshot import Globs, Snapshot, look
from gate.replay.times import Times, times_of

TOLD = Times(fine=True, folder=True, mapped=True)


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The folders that looks list, by name."""
    names: list[bytes] = []
    listing = Snapshot.listing

    def noted(seen: Snapshot, folder: bytes) -> list[bytes]:
        names.append(folder.rpartition(b"/")[2])
        return listing(seen, folder)

    monkeypatch.setattr(Snapshot, "listing", noted)
    return names


def tree(folder: Path) -> tuple[tuple[bytes, bytes], ...]:
    """A folder of two files and an empty folder, old enough to be trusted."""
    (folder / "work" / "sub").mkdir(parents=True)
    (folder / "work" / "file").write_text("a")
    (folder / "work" / "sub" / "file").write_text("a")
    (folder / "home").mkdir()
    time.sleep(0.05)
    return ((b".", os.fsencode(folder / "work")), (b"~", os.fsencode(folder / "home")))


def test_a_folder_of_the_same_times_is_not_listed_again_and_its_files_are_seen(
    tmp_path: Path, listed: list[bytes]
) -> None:
    roots = tree(tmp_path)
    first = look(roots, Globs(()), TOLD)
    assert sorted(listed) == [b"home", b"sub", b"work"]
    listed.clear()
    (tmp_path / "work" / "sub" / "file").write_text("other")
    second = look(roots, Globs(()), TOLD, first)
    assert listed == []
    assert {name for name in first.marks if first.marks[name] != second.marks[name]} == {b"sub/file"}
    (tmp_path / "work" / "sub" / "new").touch()
    third = look(roots, Globs(()), TOLD, second)
    assert listed == [b"sub"]
    assert third.marks.keys() - second.marks.keys() == {b"sub/new"}


def test_a_folder_that_changed_a_moment_ago_is_listed_again(tmp_path: Path) -> None:
    """However quick the changes: a name is never missed, nor one that is gone still seen."""
    roots = tree(tmp_path)
    seen = look(roots, Globs(()), TOLD)
    for number in range(200):
        file = tmp_path / "work" / "sub" / f"{number}"
        file.touch()
        seen = look(roots, Globs(()), TOLD, seen)
        assert f"sub/{number}".encode() in seen.marks
        file.unlink()
        seen = look(roots, Globs(()), TOLD, seen)
        assert f"sub/{number}".encode() not in seen.marks


def test_what_is_left_out_stays_left_out_in_a_folder_that_is_not_listed_again(tmp_path: Path) -> None:
    roots = tree(tmp_path)
    first = look(roots, Globs(("sub/*",)), TOLD)
    assert look(roots, Globs(("sub/*",)), TOLD, first).marks == first.marks
    assert sorted(first.marks) == [b".", b"file", b"sub", b"~"]


@pytest.mark.parametrize(("folder_times", "again"), [(True, []), (False, [b"home", b"sub", b"work"])])
def test_where_the_times_of_folders_tell_nothing_all_are_listed(
    tmp_path: Path, listed: list[bytes], folder_times: bool, again: list[bytes]
) -> None:
    effects = Effects(
        Watching(
            roots=tree(tmp_path),
            globs=Globs(()),
            keep=100,
            original=lambda _name: "",
            redactor=Redactor(Vocabulary((b"/gate/project/s0",)), b"c0123456789"),
            times=Times(fine=True, folder=folder_times, mapped=True),
        )
    )
    listed.clear()
    assert {name: held.data for name, held in effects.since().items()} == {"files": b""}
    assert sorted(listed) == again


def test_a_file_system_whose_folders_keep_their_times_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = os.fsencode(tmp_path)
    assert times_of(folder).folder is True
    lstat = os.lstat

    class Still:
        def __init__(self, status: os.stat_result) -> None:
            self.st_mtime_ns = 0
            self.st_mode = status.st_mode

    monkeypatch.setattr(times.os, "lstat", lambda path: Still(lstat(path)))
    assert times_of(folder).folder is False
    assert list(tmp_path.iterdir()) == []
