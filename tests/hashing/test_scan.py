"""Reading folders: raw bytes, links as they are, and nothing passed over in silence."""

import os
import socket
import unicodedata
from pathlib import Path

import pytest
from packs import file, folder, link, pack, unprivileged_folder

from gate.errors import BuildError, FixtureError
from gate.hashing.pack import Pack, scan_pack, scan_tree

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d7a2146" * 8 + b"\nsize 12345\n"


def refusal(place: Path) -> str:
    with pytest.raises(FixtureError) as caught:
        scan_pack(place)
    return caught.value.diagnostics()


def test_a_folder_is_read_as_it_is(tmp_path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "b.txt").write_bytes(b"\r\n\xff")
    (tmp_path / "deep" / "er" / "run.sh").write_bytes(b"#!")
    (tmp_path / "deep" / "er" / "run.sh").chmod(0o755)
    (tmp_path / "inbox").mkdir()
    (tmp_path / "l").symlink_to("deep/b.txt")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff")).write_bytes(b"")
    expected = pack(
        file(b"\xff"),
        file(b"deep/b.txt", b"\r\n\xff"),
        file(b"deep/er/run.sh", b"#!", executable=True),
        folder(b"inbox"),
        link(b"l", b"deep/b.txt"),
    )
    assert (scan_pack(tmp_path), scan_tree(tmp_path)) == (expected, expected)


def test_a_missing_fixture_folder_is_an_empty_pack(tmp_path):
    assert scan_pack(tmp_path / "fixtures") == scan_pack(tmp_path) == Pack()


def test_a_missing_tree_is_no_build(tmp_path):
    with pytest.raises(BuildError, match="cannot be read: No such file"):
        scan_tree(tmp_path / "tree")


@pytest.mark.parametrize(
    "make", [Path.touch, lambda place: place.symlink_to("."), lambda place: place.symlink_to("no")]
)
def test_a_fixture_folder_that_is_a_file_or_a_link_is_refused(tmp_path, make):
    make(tmp_path / "fixtures")
    assert "expected a folder, got a file or a link" in refusal(tmp_path / "fixtures")


def test_line_endings_are_never_folded(tmp_path):
    """Fault 34."""
    (tmp_path / "in.txt").write_bytes(b"a\n")
    unix = scan_pack(tmp_path)
    (tmp_path / "in.txt").write_bytes(b"a\r\n")
    assert scan_pack(tmp_path).digest != unix.digest


def test_touching_changes_nothing_and_one_byte_does(tmp_path):
    """Fault 38."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "included").write_bytes(b"1")
    before = scan_pack(tmp_path)
    os.utime(tmp_path / "a" / "included", (0, 0))
    os.utime(tmp_path / "a", (0, 0))
    touched = scan_pack(tmp_path)
    (tmp_path / "a" / "included").write_bytes(b"2")
    assert (touched, scan_pack(tmp_path).digest == before.digest) == (before, False)


def test_only_the_executable_bit_of_the_owner_counts(tmp_path):
    """Faults 39 and 40."""
    place = tmp_path / "run.sh"
    place.touch()
    digests = []
    for mode in (0o644, 0o664, 0o600, 0o655, 0o755, 0o775, 0o700):
        place.chmod(mode)
        digests.append(scan_pack(tmp_path).digest)
    assert [digest == digests[0] for digest in digests] == [True] * 4 + [False] * 3
    assert len(set(digests[4:])) == 1


def test_looping_links_are_hashed_as_text_and_never_followed(tmp_path, no_hang):
    """Fault 41."""
    (tmp_path / "d" / "e").mkdir(parents=True)
    (tmp_path / "d" / "e" / "up").symlink_to("../..")
    (tmp_path / "self").symlink_to("self")
    found = scan_pack(tmp_path)
    assert found == pack(link(b"d/e/up", b"../.."), link(b"self", b"self"))


def test_the_text_of_a_dangling_link_is_hashed(tmp_path):
    """Fault 42."""
    (tmp_path / "l").symlink_to("missing")
    one = scan_pack(tmp_path)
    (tmp_path / "l").unlink()
    (tmp_path / "l").symlink_to("other-missing")
    assert one == pack(link(b"l", b"missing"))
    assert scan_pack(tmp_path).digest != one.digest


def test_a_change_behind_a_link_is_not_the_link_s(tmp_path):
    """Fault 42."""
    (tmp_path / "tree").mkdir()
    (tmp_path / "out").write_text("1")
    (tmp_path / "tree" / "l").symlink_to("../out")
    before = scan_tree(tmp_path / "tree")
    (tmp_path / "out").write_text("2")
    assert scan_tree(tmp_path / "tree") == before


@pytest.mark.parametrize(("text", "how"), [("/etc/passwd", "is absolute"), ("../..", "leads out of the fixtures")])
def test_a_fixture_link_that_leaves_the_folder_is_refused_and_a_build_s_is_not(tmp_path, text, how):
    """Faults 26 and 41."""
    (tmp_path / "e").mkdir()
    (tmp_path / "e" / "link").symlink_to(text)
    assert refusal(tmp_path) == (
        f"fixture 'e/link': expected a link inside the fixtures, but '{text}' {how}\n"
        "Put what it points to among the fixtures, or remove the link."
    )
    assert scan_tree(tmp_path) == pack(link(b"e/link", text.encode()))


def test_an_empty_folder_is_an_entry_until_something_is_in_it(tmp_path):
    """Fault 46."""
    (tmp_path / "a" / "inbox").mkdir(parents=True)
    assert scan_pack(tmp_path) == pack(folder(b"a/inbox"))
    (tmp_path / "a" / "inbox" / "f").touch()
    assert scan_pack(tmp_path) == pack(file(b"a/inbox/f"))


def test_a_git_lfs_pointer_is_no_fixture_and_may_be_in_a_build(tmp_path):
    """Fault 48."""
    (tmp_path / "big.csv").write_bytes(POINTER)
    assert refusal(tmp_path) == (
        "fixture 'big.csv': expected the data, got a git-lfs pointer to it\nFetch the data: run git lfs pull"
    )
    assert scan_tree(tmp_path) == pack(file(b"big.csv", POINTER))


def test_a_file_that_speaks_of_git_lfs_further_down_is_data(tmp_path):
    (tmp_path / "notes").write_bytes(b"# " + POINTER)
    assert scan_pack(tmp_path) == pack(file(b"notes", b"# " + POINTER))


def test_names_that_differ_in_case_or_unicode_form_are_refused_in_fixtures_alone(tmp_path):
    """Faults 45 and 49."""
    (tmp_path / "A.txt").touch()
    (tmp_path / "a.txt").touch()
    if len(list(tmp_path.iterdir())) < 2:
        pytest.skip("this file system knows no case")
    assert refusal(tmp_path).startswith("fixtures 'A.txt' and 'a.txt' differ only in letter case")
    (tmp_path / "A.txt").unlink()
    (tmp_path / "é").touch()
    (tmp_path / unicodedata.normalize("NFD", "é")).touch()
    assert refusal(tmp_path).startswith(r"fixtures 'e\u0301' and '\xe9' differ only in unicode form")
    assert len(scan_tree(tmp_path).entries) == 3


def test_an_unreadable_file_is_named_and_never_taken_for_empty():
    """Fault 50."""
    with unprivileged_folder() as place:
        (place / "secret").write_text("x")
        (place / "secret").chmod(0)
        with pytest.raises(FixtureError, match=r"^fixture 'secret': cannot be read: Permission denied$"):
            scan_pack(place)
        with pytest.raises(BuildError, match=r"^file 'secret' of the build: cannot be read: Permission denied$"):
            scan_tree(place)


def test_an_unreadable_folder_is_named_and_never_taken_for_empty():
    """Fault 50."""
    with unprivileged_folder() as place:
        (place / "vault" / "fixtures").mkdir(parents=True)
        (place / "vault").chmod(0)
        try:
            with pytest.raises(FixtureError, match="'vault/': cannot be read: Permission denied"):
                scan_pack(place)
            with pytest.raises(FixtureError, match="vault/fixtures': cannot be read: Permission denied"):
                scan_pack(place / "vault" / "fixtures")
        finally:
            (place / "vault").chmod(0o700)


@pytest.mark.parametrize("scan", [scan_pack, scan_tree])
def test_a_fifo_and_a_socket_are_refused_without_waiting(tmp_path, monkeypatch, scan):
    """Fault 50."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f").mkdir()
    (tmp_path / "s").mkdir()
    os.mkfifo("f/pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s/door")
        for place, name in (("f", "pipe"), ("s", "door")):
            with pytest.raises((FixtureError, BuildError), match=f"'{name}'.* is a special file"):
                scan(tmp_path / place)


def test_a_file_that_became_a_fifo_after_it_was_listed_is_refused(tmp_path, monkeypatch):
    """Fault 50: the listing is old by the time a file is opened, and the open must not wait for a writer."""
    (tmp_path / "pipe").touch()
    really_open = os.open

    def open_after_the_swap(place: bytes, flags: int) -> int:
        os.remove(place)  # noqa: PTH107
        os.mkfifo(place)
        return really_open(place, flags)

    monkeypatch.setattr(os, "open", open_after_the_swap)
    assert refusal(tmp_path).startswith("fixture 'pipe': is a special file")


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path, monkeypatch):
    (tmp_path / "log").write_text("1")
    really_stat = os.fstat

    def stat_then_grow(handle: int) -> os.stat_result:
        status = really_stat(handle)
        (tmp_path / "log").write_text("12")
        return status

    monkeypatch.setattr(os, "fstat", stat_then_grow)
    assert refusal(tmp_path).startswith("fixture 'log': changed while it was read")


def test_what_the_caller_leaves_out_is_left_out_at_the_top_alone(tmp_path):
    for name in (".git", ".gate", "a/.git"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "x").touch()
    (tmp_path / "cache").symlink_to("a")
    assert scan_tree(tmp_path) == pack(file(b"a/.git/x"), link(b"cache", b"a"))
    assert scan_tree(tmp_path, skip=frozenset({b".git", b"a", b"cache"})) == pack(file(b".gate/x"))


def test_a_file_longer_than_one_read_is_hashed_whole(tmp_path):
    content = b"ab" * (1 << 18)
    (tmp_path / "big").write_bytes(content)
    assert scan_pack(tmp_path) == pack(file(b"big", content))


@pytest.mark.slow
def test_a_tree_of_thousands_of_files_is_read_whole(tmp_path):
    for number in range(5000):
        place = tmp_path / f"{number % 50}" / f"{number}.py"
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"x = {number}\n")
    assert len(scan_tree(tmp_path).entries) == 5000
