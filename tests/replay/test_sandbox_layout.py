"""What lies inside a sandbox, as values; and how its private folders are emptied."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gate.errors import ReplayError
from gate.replay import sandbox_layout
from gate.replay.sandbox_layout import Bind, lay_out, program_places, tool_folders
from gate.replay.sandbox_scratch import Scratch


@pytest.fixture
def hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose only private folder is this one, and whose interpreter lies elsewhere."""
    folder = tmp_path.resolve() / "hidden"
    folder.mkdir()
    monkeypatch.setattr(sandbox_layout, "PRIVATE", (str(folder), str(tmp_path / "missing")))
    monkeypatch.setattr(sandbox_layout, "CLOSED", ())
    monkeypatch.setattr(sandbox_layout, "_interpreter", lambda: ())
    return folder


def test_what_is_readable_anyway_is_not_bound(hidden: Path, tmp_path: Path) -> None:
    (tmp_path / "seen").mkdir()
    laid = lay_out(writable=[], readable=[tmp_path / "seen", hidden / "missing"], network=False)
    assert (laid.private, laid.binds, laid.network) == ((str(hidden),), (), False)


def test_of_two_binds_the_inner_one_comes_later(hidden: Path) -> None:
    (hidden / "a" / "b" / "c").mkdir(parents=True)
    laid = lay_out(writable=[hidden / "a" / "b"], readable=[hidden / "a" / "b" / "c", hidden / "a"], network=False)
    assert [(bind.target, bind.writable) for bind in laid.binds] == [
        (f"{hidden}/a", False),
        (f"{hidden}/a/b", True),
        (f"{hidden}/a/b/c", False),
    ]


def test_a_link_is_shown_where_it_stands_and_where_it_leads(hidden: Path) -> None:
    (hidden / "real").mkdir()
    (hidden / "link").symlink_to("real")
    laid = lay_out(writable=[], readable=[hidden / "link"], network=False)
    assert laid.binds == tuple(
        Bind(source=f"{hidden}/real", target=f"{hidden}/{name}", writable=False) for name in ("link", "real")
    )


def test_a_bin_folder_brings_what_lies_around_it(hidden: Path, tmp_path: Path) -> None:
    for folder in ("bin", "env/bin", "plain"):
        (hidden / folder).mkdir(parents=True)
    path = (
        str(hidden / "bin"),
        str(hidden / "env/bin"),
        str(hidden / "plain"),
        str(hidden / "missing"),
        "/usr/bin",
        "bin",
        "",
    )
    assert tool_folders(path) == (hidden / "bin", hidden / "env", hidden / "plain")


def test_a_folder_in_whose_place_another_is_shown_keeps_what_is_readable_below(hidden: Path) -> None:
    (hidden / "slot" / "w0").mkdir(parents=True)
    (hidden / "slot" / "build").mkdir()
    slot = hidden / "slot"
    laid = lay_out(writable=[], readable=[slot / "build"], network=False, instead={slot: slot / "w0"})
    assert laid.binds == (
        Bind(source=f"{slot}/w0", target=str(slot), writable=True),
        Bind(source=f"{slot}/build", target=f"{slot}/build", writable=False),
    )


def test_a_program_brings_its_folder_and_those_that_links_lead_to(hidden: Path, tmp_path: Path) -> None:
    for name in ("env/bin/python", "base/bin/python3", "slot/build/run", "alone"):
        (hidden / name).parent.mkdir(parents=True, exist_ok=True)
    (hidden / "base/bin/python3").touch()
    (hidden / "env/bin/python").symlink_to("../../base/bin/python3")
    (hidden / "slot/build/run").symlink_to(hidden / "base/bin/python3")
    (hidden / "alone").touch()
    (tmp_path / "seen").symlink_to(hidden / "alone")
    places = {
        str(hidden / "env/bin/python"): (hidden / "env", hidden / "base"),
        str(hidden / "alone"): (hidden / "alone",),
        str(tmp_path / "seen"): (hidden / "alone",),
        str(hidden / "slot/build/run"): (),
        str(hidden / "missing"): (),
        "/bin/sh": (),
        "python": (),
    }
    assert {word: program_places([word], apart=hidden / "slot") for word in places} == places


def test_a_hidden_folder_is_empty_but_for_what_is_named_below_it(hidden: Path, tmp_path: Path) -> None:
    seen = tmp_path.resolve() / "seen"
    for name in ("project/old", "project/slot", "project/env/kept", "project/tools"):
        (seen / name).mkdir(parents=True)
    (hidden / "inner").mkdir()
    laid = lay_out(
        writable=[seen / "project/slot"],
        readable=[seen / "project/env", seen / "project/old"],
        network=False,
        hidden=[seen / "project", seen / "project/old", seen / "project/env/kept", hidden / "inner", seen / "missing"],
    )
    assert laid.binds == (
        Bind(source=None, target=f"{seen}/project", writable=False),
        Bind(source=f"{seen}/project/env", target=f"{seen}/project/env", writable=False),
        Bind(source=f"{seen}/project/slot", target=f"{seen}/project/slot", writable=True),
        Bind(source=None, target=f"{seen}/project/env/kept", writable=False),
    )


def test_tools_in_a_hidden_folder_are_seen_but_not_those_of_a_source_tree(hidden: Path, tmp_path: Path) -> None:
    seen = tmp_path.resolve() / "seen"
    for name in ("bin", "env/bin", "old/bin"):
        (seen / name).mkdir(parents=True)
        (seen / name / "tool").touch()
    masks = (seen, seen / "old")
    folders = [str(seen / name) for name in ("bin", "env/bin", "old/bin", "old")]
    assert tool_folders(folders) == ()
    assert tool_folders(folders, hidden=masks) == (seen / "env",)
    words = [f"{folder}/tool" for folder in folders]
    assert program_places(words, apart=tmp_path / "slot", hidden=masks) == (seen / "env",)


@pytest.mark.skipif(os.getuid() == 0, reason="root reads everything")
def test_a_folder_of_a_path_that_may_not_be_read_is_passed_over(hidden: Path) -> None:
    (hidden / "shut" / "bin").mkdir(parents=True)
    (hidden / "shut").chmod(0)
    try:
        assert tool_folders([str(hidden / "shut" / "bin")]) == ()
        assert lay_out(writable=[], readable=[hidden / "shut" / "bin"], network=False).binds == ()
    finally:
        (hidden / "shut").chmod(0o700)


def test_scratch_keeps_what_stood_there_and_removes_the_rest(tmp_path: Path) -> None:
    """However deep the way to what is shown, and whatever was done to the modes."""
    root = tmp_path / "private"
    (root / "way" / "to" / "shown").mkdir(parents=True)
    (root / "way" / "to" / "shown" / "file").touch()
    before = sorted(root.rglob("*"))
    scratch = Scratch((os.fsencode(root), os.fsencode(tmp_path / "missing")))
    (root / "way" / "new").write_text("1")
    (root / "way" / "to" / "deep" / "er").mkdir(parents=True)
    (root / "link").symlink_to("/")
    (root / "way" / "to" / "deep").chmod(0)
    mode = root.stat().st_mode
    root.chmod(0o500)
    scratch.clear()
    assert sorted(root.rglob("*")) == before
    assert root.stat().st_mode == mode
    scratch.clear()


def test_scratch_that_cannot_be_emptied_is_no_clean_start(tmp_path: Path) -> None:
    root = tmp_path / "private"
    (root / "way").mkdir(parents=True)
    scratch = Scratch((os.fsencode(root),))
    (root / "way").rename(root / "elsewhere")
    with pytest.raises(ReplayError, match="what a case left in the sandbox's private folders cannot be removed"):
        scratch.clear()
