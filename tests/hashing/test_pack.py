"""A pack as a value: what may be in it, and its digest."""

import unicodedata
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from packs import file, folder, link, pack, packs

from gate.errors import FixtureError
from gate.hashing.pack import Entry, Pack, require_portable


def test_an_empty_pack_has_a_digest_that_names_its_recipe():
    recipe = b"s" + (11).to_bytes(8, "big") + b"gate-pack-1"
    assert Pack().digest == f"gate-pack-1:sha256:{sha256(recipe).hexdigest()}"


def test_the_recipe_is_what_pins_were_written_with():
    """Fault 37: whoever changes this digest changes the recipe, and so its name."""
    whole = pack(file(b"a", b"b"), file(b"x/run", b"#!", executable=True), link(b"l", b"a"), folder(b"x/inbox"))
    assert whole.digest == "gate-pack-1:sha256:c2a61cc157f8de1bccd42635cc5ed63f88ea00e5208e3b7ea67f40238b48a633"


def test_name_and_content_never_run_together():
    """Fault 36."""
    digests = {
        pack(file(b"a", b"a")).digest,
        pack(file(b"aa")).digest,
        pack(file(b"testFhello-world")).digest,
        pack(file(b"test", b"hello-world")).digest,
        pack(file(b"test", b"world")).digest,
    }
    assert len(digests) == 5


def test_kinds_with_one_text_are_told_apart():
    texts = (file(b"a", b"b"), file(b"a", b"b", executable=True), link(b"a", b"b"), folder(b"a"), file(b"a"))
    assert len({pack(entry).digest for entry in texts}) == 5


@given(packs, packs)
def test_two_packs_have_one_digest_only_if_they_are_equal(left, right):
    assert (left.digest == right.digest) == (left == right)


@pytest.mark.parametrize("path", [b"", b"/a", b"a/", b"a//b", b".", b"..", b"a/../b", b"a/.", b"a\0b"])
def test_a_path_that_is_not_inside_the_folder_makes_no_entry(path):
    with pytest.raises(ValueError, match="not a path inside a folder"):
        folder(path)


@pytest.mark.parametrize(
    "wrong",
    [
        {"sha256": "00"},
        {"sha256": ""},
        {"size": -1},
        {"target": b"x"},
        {"kind": "link"},
        {"kind": "directory"},
        {"kind": "link", "size": 0, "sha256": "", "target": b""},
        {"kind": "link", "size": 0, "sha256": "", "target": b"a\0"},
        {"kind": "link", "size": 0, "sha256": "", "target": b"a", "executable": True},
        {"kind": "directory", "size": 0, "sha256": "", "target": b"a"},
    ],
)
def test_fields_that_do_not_fit_the_kind_make_no_entry(wrong):
    with pytest.raises(ValueError, match="fields do not fit"):
        replace(file(b"a", b"x"), **wrong)


@pytest.mark.parametrize(
    ("entries", "fault"),
    [
        ((file(b"b"), file(b"a")), "not sorted or not unique at 'a'"),
        ((file(b"a"), folder(b"a")), "not sorted or not unique at 'a'"),
        ((link(b"a", b"b"), file(b"a/x/y")), "'a/x/y' lies under 'a'"),
        ((folder(b"a"), file(b"a-b"), file(b"a/x")), "'a/x' lies under 'a'"),
    ],
)
def test_entries_that_are_no_folder_make_no_pack(entries: tuple[Entry, ...], fault):
    with pytest.raises(ValueError, match=fault):
        Pack(entries=entries)


NFD = unicodedata.normalize("NFD", "é")


@pytest.mark.parametrize(
    ("entries", "fault"),
    [
        (
            [link(b"l", b"/etc/passwd")],
            "fixture 'l': expected a link inside the fixtures, but '/etc/passwd' is absolute",
        ),
        (
            [link(b"d/l", b"../../x")],
            "fixture 'd/l': expected a link inside the fixtures, but '../../x' leads out of the fixtures",
        ),
        (
            [file(b"A.txt"), file(b"a.txt")],
            "fixtures 'A.txt' and 'a.txt' differ only in letter case: they are one file on some systems",
        ),
        (
            [file("é".encode()), file(NFD.encode())],
            r"fixtures 'e\u0301' and '\xe9' differ only in unicode form: they are one file on some systems",
        ),
    ],
)
def test_a_pack_that_is_not_the_same_everywhere_is_refused(entries, fault):
    """Faults 26, 45 and 49."""
    with pytest.raises(FixtureError) as caught:
        require_portable(pack(*entries))
    assert caught.value.what == fault
