from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from gate.errors import FixtureError
from gate.hashing.pack import Entry, Pack, scan_pack
from gate.replay.fixtures import lay_template
from gate.replay.place import FIXED_TIME, Place, Template, remove
from gate.replay.slot import Slot

Replay = Callable[..., list[dict[str, bytes]]]


@pytest.fixture
def pack_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "fixtures"
    (folder / "sub" / "deep").mkdir(parents=True)
    (folder / "plain.txt").write_bytes(b"plain\n")
    (folder / "run.sh").write_bytes(b"#!/bin/sh\necho ran\n")
    (folder / "run.sh").chmod(0o700)
    (folder / "sub" / "large").write_bytes(bytes(range(256)) * 1024)
    (folder / "sub" / "link").symlink_to("../plain.txt")
    return folder


def test_every_case_starts_from_the_pinned_pack(replay: Replay, slot: Slot, pack_dir: Path) -> None:
    lay_template(pack_dir, scan_pack(pack_dir), slot)
    line = "find . | LC_ALL=C sort | xargs stat -c '%n %F %a %Y' && ./run.sh && sha256sum < sub/large"
    (step,) = replay(line)
    at = FIXED_TIME
    assert step["stdout"].decode() == (
        f". directory 755 {at}\n./plain.txt regular file 644 {at}\n./run.sh regular file 755 {at}\n./sub directory 755 {at}\n"
        f"./sub/deep directory 755 {at}\n./sub/large regular file 644 {at}\n./sub/link symbolic link 777 {at}\n"
        f"ran\n{sha256(bytes(range(256)) * 1024).hexdigest()}  -\n"
    )
    assert step["files"] == b""


def test_a_laid_template_has_the_digest_of_the_pack(slot: Slot, pack_dir: Path) -> None:
    pack = scan_pack(pack_dir)
    lay_template(pack_dir, pack, slot)
    assert scan_pack(slot.template) == pack
    lay_template(pack_dir, Pack(), slot)
    assert scan_pack(slot.template) == Pack()


def test_an_empty_folder_that_no_clone_kept_is_made(slot: Slot, pack_dir: Path) -> None:
    """Reported fault 46."""
    pack = scan_pack(pack_dir)
    (pack_dir / "sub" / "deep").rmdir()
    lay_template(pack_dir, pack, slot)
    assert (slot.template / "sub" / "deep").is_dir()


def test_a_file_that_nobody_pinned_stays_outside(slot: Slot, pack_dir: Path) -> None:
    """Reported fault 47."""
    pack = scan_pack(pack_dir)
    (pack_dir / "tmp.cache").write_text("left over")
    lay_template(pack_dir, pack, slot)
    assert not (slot.template / "tmp.cache").exists()


def test_a_fixture_that_changed_since_it_was_pinned_is_refused(slot: Slot, pack_dir: Path) -> None:
    pack = scan_pack(pack_dir)
    (pack_dir / "plain.txt").write_bytes(b"other\n")
    with pytest.raises(FixtureError, match="fixture 'plain.txt': expected what is pinned"):
        lay_template(pack_dir, pack, slot)
    (pack_dir / "plain.txt").unlink()
    with pytest.raises(FixtureError, match=r"plain.txt': expected the pinned file, cannot open it: No such file"):
        lay_template(pack_dir, pack, slot)
    (pack_dir / "plain.txt").symlink_to("run.sh")
    with pytest.raises(FixtureError, match=r"plain.txt': expected the pinned file, cannot open it"):
        lay_template(pack_dir, pack, slot)


@pytest.mark.parametrize("target", [b"/etc/passwd", b"../../outside"])
def test_a_link_that_leads_out_is_refused(slot: Slot, pack_dir: Path, target: bytes) -> None:
    """Reported fault 26."""
    pack = Pack(entries=(Entry(path=b"p", kind="link", target=target),))
    with pytest.raises(FixtureError, match="expected a link inside the fixtures"):
        lay_template(pack_dir, pack, slot)


def test_a_template_hands_out_the_same_digests_large_files_included(slot: Slot, pack_dir: Path) -> None:
    pack = scan_pack(pack_dir)
    lay_template(pack_dir, pack, slot)
    template = Template(os.fsencode(slot.template))
    files = [entry for entry in pack.entries if entry.kind == "file"]
    assert [template.digest(entry.path) for entry in files] == [entry.sha256 for entry in files]


def test_laying_a_place_again_leaves_nothing_of_before(tmp_path: Path) -> None:
    place = Place(root=os.fsencode(tmp_path / "c0"))
    template = Template(os.fsencode(tmp_path / "no template"))
    template.lay(place)
    (tmp_path / "c0" / "work" / "left").touch()
    template.lay(place)
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")) == [
        "c0",
        "c0/home",
        "c0/tmp",
        "c0/work",
    ]


def test_removing_does_not_follow_links_and_forgives_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kept").touch()
    (tmp_path / "gone").mkdir()
    (tmp_path / "gone" / "link").symlink_to("../outside")
    remove(os.fsencode(tmp_path / "gone"))
    remove(os.fsencode(tmp_path / "gone"))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["kept", "outside"]
