"""Names as bytes: shown safely, and held against each other as other file systems would."""

import unicodedata

import pytest
from hypothesis import given
from packs import names

from gate.hashing.names import ancestors, collision, composed, shown, spelled

NFC = "é.txt".encode()
NFD = unicodedata.normalize("NFD", "é.txt").encode()


def test_a_name_is_shown_without_what_would_move_a_terminal():
    assert shown("naïve\x1b[2K\u202e".encode() + b"\xff\n") == r"'naïve\x1b[2K\u202e\udcff\n'"


def test_a_spelling_shows_what_looks_alike():
    assert (spelled(NFC), spelled(NFD)) == (r"'\xe9.txt'", r"'e\u0301.txt'")


@given(names, names)
def test_two_names_are_never_shown_alike(left, right):
    assert (spelled(left) == spelled(right)) == (left == right)


def test_the_folders_above_a_path_are_listed_outermost_first():
    assert (list(ancestors(b"a/b/c")), list(ancestors(b"a"))) == ([b"a", b"a/b"], [])


@pytest.mark.parametrize(
    ("paths", "pair"),
    [
        ([b"a", b"b", b"ab"], None),
        ([], None),
        ([b"A.txt", b"a.txt"], (b"A.txt", b"a.txt")),
        ([b"Dir/x", b"dir/y"], (b"Dir", b"dir")),
        ([b"Dir/x", b"Dir/y"], None),
        ([NFC, NFD], (NFC, NFD)),
        ([NFC, NFD.upper()], (NFC, NFD.upper())),
        ([b"\xff", b"\xfe"], None),
        ([b"\xffA", b"\xffa"], (b"\xffA", b"\xffa")),
    ],
)
def test_names_that_are_one_file_elsewhere_collide(paths, pair):
    """Faults 45 and 49."""
    assert collision(paths) == pair


def test_unicode_forms_of_one_name_compose_to_the_same_text():
    assert composed(NFC) == composed(NFD) != composed(NFC.upper())
