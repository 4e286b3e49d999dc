from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.domain import Step
from gate.errors import ReplayError
from gate.replay import snapshot
from gate.replay.effects import one_line
from gate.replay.slot import Slot
from gate.replay.snapshot import Globs, look
from gate.replay.times import Times

TOLD = Times(fine=True, folder=True, mapped=True)

Replay = Callable[..., list[dict[str, bytes]]]


@pytest.fixture
def effects(replay: Replay, slot: Slot) -> Callable[..., list[dict[str, bytes]]]:
    """What steps did to files, starting from two fixtures."""

    def run(*steps: str | Step, **settings: object) -> list[dict[str, bytes]]:
        slot.template.mkdir()
        (slot.template / "kept.txt").write_bytes(b"kept\n")
        (slot.template / "sub").mkdir()
        (slot.template / "sub" / "same.txt").write_bytes(b"KEPT\n")
        found = replay(*steps, **settings)
        assert [step["status"] for step in found] == [b"0"] * len(steps), found
        return [{name: data for name, data in step.items() if name.startswith("files")} for step in found]

    return run


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("true", b""),
        ("touch kept.txt sub", b"wrote file 644 kept.txt\n"),
        ("cp kept.txt x; cat x > kept.txt; rm x", b"wrote file 644 kept.txt\n"),
        ("rm kept.txt; echo kept > kept.txt", b"wrote file 644 kept.txt\n"),
        ("echo new > new", b"created file 644 new\n"),
        ("echo new > new; chmod 600 new", b"created file 600 new\n"),
        ("echo more >> kept.txt", b"wrote file 644 kept.txt\n"),
        ("chmod +x kept.txt", b"changed file 644 -> 755 kept.txt\n"),
        ("chmod 700 sub", b"changed directory 755 -> 700 sub\n"),
        ("rm kept.txt", b"removed file kept.txt\n"),
        ("rm -r sub", b"removed directory sub\nremoved file sub/same.txt\n"),
        ("mv kept.txt moved", b"created file 644 moved\nremoved file kept.txt\n"),
        ("rm kept.txt; mkdir kept.txt", b"created directory 755 kept.txt\nremoved file kept.txt\n"),
        ("ln -s kept.txt link", b"created link link -> kept.txt\n"),
        ("mkfifo pipe", b"created fifo 644 pipe\n"),
        ("echo 1 > ~/a; echo 2 > $TMPDIR/b", b"created file 644 $TMPDIR/b\ncreated file 644 ~/a\n"),
        ("rmdir ~", b"removed directory ~\n"),
        ("echo 1 > '~'; mkdir '$TMPDIR'", b"created directory 755 ./$TMPDIR\ncreated file 644 ./~\n"),
        ("chmod 4755 kept.txt", b"changed file 644 -> 4755 kept.txt\n"),
    ],
)
def test_each_effect_is_one_line(effects: Callable[..., list[dict[str, bytes]]], line: str, files: bytes) -> None:
    (step,) = effects(line)
    assert step["files"] == files


def test_a_rewrite_with_the_same_content_is_recorded_with_what_it_holds(
    effects: Callable[..., list[dict[str, bytes]]],
) -> None:
    """Ten times in a row, however quick: whether a write is seen must not depend on the clock."""
    steps = effects(*["printf same > x"] * 10)
    assert steps[0]["files"] == b"created file 644 x\n"
    assert steps[1:] == [{"files": b"wrote file 644 x\n", "files:x": b"same"}] * 9


def test_contents_stand_beside_what_was_made_or_rewritten(effects: Callable[..., list[dict[str, bytes]]]) -> None:
    steps = effects("echo new > new; echo 2 >> kept.txt; chmod +x sub/same.txt", "chmod +x new", "echo newer > new")
    assert steps == [
        {
            "files": b"changed file 644 -> 755 sub/same.txt\ncreated file 644 new\nwrote file 644 kept.txt\n",
            "files:kept.txt": b"kept\n2\n",
            "files:new": b"new\n",
        },
        {"files": b"changed file 644 -> 755 new\n"},
        {"files": b"wrote file 755 new\n", "files:new": b"newer\n"},
    ]


def test_a_link_that_changes_its_target_is_seen(effects: Callable[..., list[dict[str, bytes]]]) -> None:
    steps = effects("ln -s aaa link", "rm link; ln -s aaa link", "rm link; ln -s bbb link", "rm link")
    assert [step["files"] for step in steps] == [
        b"created link link -> aaa\n",
        b"",
        b"changed link link -> bbb\n",
        b"removed link link\n",
    ]


def test_a_rewrite_that_keeps_size_and_times_is_seen(effects: Callable[..., list[dict[str, bytes]]]) -> None:
    """Size, inode and mtime stay, and the ctime may well be the one of a moment ago: the clock of a file system ticks."""
    steps = effects("cp -p sub/same.txt kept.txt", *["printf aaaa > x", "printf bbbb > x"] * 10)
    assert steps[0] == {"files": b"wrote file 644 kept.txt\n", "files:kept.txt": b"KEPT\n"}
    assert [step.get("files:x") for step in steps[1:]] == [b"aaaa", b"bbbb"] * 10


def test_what_changed_in_the_present_tick_counts_as_fresh(tmp_path: Path) -> None:
    """The law behind the test above: a mark that a later change could repeat is never trusted."""
    untrusted = 0
    for number in range(200):
        file = tmp_path / f"f{number}"
        file.write_bytes(b"a")
        seen = look([(b".", os.fsencode(tmp_path))], Globs(()), TOLD)
        name = file.name.encode()
        file.write_bytes(b"b")
        later = look([(b".", os.fsencode(tmp_path))], Globs(()), TOLD)
        assert name in seen.fresh or seen.marks[name] != later.marks[name]
        untrusted += name in seen.fresh
    assert untrusted > 0


def test_links_are_recorded_and_never_followed(effects: Callable[..., list[dict[str, bytes]]], tmp_path: Path) -> None:
    """Reported fault 26: nothing outside is read into a record by itself."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    steps = effects(f"ln -s {outside} p; ls p", "rm -r sub; ln -s p/secret sub")
    assert steps == [
        {"files": f"created link p -> {outside}\n".encode()},
        {"files": b"created link sub -> p/secret\nremoved directory sub\nremoved file sub/same.txt\n"},
    ]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"two\nlines", "two\\nlines"),
        (b"back\\slash", "back\\\\slash"),
        (b"caf\xc3\xa9", "café"),
        (b"\xff\xfe", "\\xff\\xfe"),
        (b"esc\x1b[0m", "esc\\x1b[0m"),
        (b"a -> b", "a -\\x3e b"),
        ("\u2028".encode(), "\\u2028"),
        (b"\xc2\x85", "\\u0085"),
    ],
)
def test_a_name_is_one_line(effects: Callable[..., list[dict[str, bytes]]], name: bytes, shown: str) -> None:
    (step,) = effects(Step(argv=(b"touch", name)))
    assert step == {"files": f"created file 644 {shown}\n".encode(), f"files:{shown}": b""}


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_two_names_never_look_the_same(one: bytes, other: bytes) -> None:
    assert (one_line(one) == one_line(other)) == (one == other)
    assert len(one_line(one).splitlines()) <= 1


def test_what_is_ignored_is_left_out(effects: Callable[..., list[dict[str, bytes]]]) -> None:
    line = "mkdir -p a/cache a/b ~/.cache/x; touch a/cache/1 a/b/t.log t.log a/b/keep ~/.cache/x/y kept.log.txt"
    (step,) = effects(line, ignore=("a/cache", "**/*.log", "~/.cache/**"))
    assert step["files"] == (
        b"created directory 755 a\ncreated directory 755 a/b\ncreated directory 755 ~/.cache\n"
        b"created file 644 a/b/keep\ncreated file 644 kept.log.txt\n"
    )


@pytest.mark.parametrize(
    ("pattern", "path", "covered"),
    [
        ("*.pyc", b"a.pyc", True),
        ("*.pyc", b"a/a.pyc", False),
        ("**/*.pyc", b"a/b/a.pyc", True),
        ("**/*.pyc", b"a.pyc", True),
        ("a/**", b"a/b/c", True),
        ("a/**", b"ab", False),
        ("?.txt", b"a.txt", True),
        ("?.txt", b"/.txt", False),
        ("[a].txt", b"a.txt", False),
        ("caf\u00e9*", "café au lait".encode(), True),
    ],
)
def test_a_glob_covers_whole_paths(pattern: str, path: bytes, covered: bool) -> None:
    assert Globs((pattern,)).cover(path) is covered


def test_what_a_step_shut_is_seen_and_shut_again(
    effects: Callable[..., list[dict[str, bytes]]], tmp_path: Path
) -> None:
    (tmp_path / "shut").touch(mode=0)
    if os.access(tmp_path / "shut", os.R_OK):
        pytest.skip("this user reads everything")
    steps = effects("mkdir d; echo 1 > d/f; chmod 000 d/f d", "chmod 700 d; ls -l d | grep -c -- ----------")
    assert steps[0] == {"files": b"created directory 000 d\ncreated file 000 d/f\n", "files:d/f": b"1\n"}
    assert steps[1] == {"files": b"changed directory 000 -> 700 d\n"}


def test_more_names_than_a_record_can_hold_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "MAX_ENTRIES", 3)
    for name in "abc":
        (tmp_path / name).touch()
    with pytest.raises(ReplayError, match="left more than 3 files"):
        look([(b".", os.fsencode(tmp_path))], Globs(()), TOLD)


@pytest.mark.slow
def test_a_deep_tree_is_seen_and_removed(replay: Replay, slot: Slot) -> None:
    code = "import os\nfor n in range(1200): os.mkdir('d'); os.chdir('d')"
    (step,) = replay(Step(argv=(os.fsencode(sys.executable), b"-S", b"-c", code.encode())), keep_bytes=1 << 23)
    assert step["files"].count(b"\n") == 1200
    assert list(slot.root.glob("c*")) == []
