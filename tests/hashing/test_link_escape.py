"""Where links lead, worked out from their texts (fault 26)."""

import os
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.hashing.links import escapes


@pytest.mark.parametrize(
    ("path", "target", "out"),
    [
        (b"l", b"a", False),
        (b"l", b"..", True),
        (b"l", b"/etc", True),
        (b"d/l", b"..", False),
        (b"d/l", b"../..", True),
        (b"d/l", b"../../d/x", True),
        (b"d/l", b".././/x/../y", False),
        (b"l", b"missing/../../x", True),
        (b"l", b"l", False),
        (b"l", b"l/x", False),
        (b"l", b"...", False),
    ],
)
def test_a_link_escapes_if_its_way_ever_leaves_the_folder(path, target, out):
    assert escapes(path, {path: target}) is out


def test_a_link_that_leaves_through_another_link_escapes():
    """Lexically `x/y/up/../..` is `x`; `up` leads to the folder itself, so that the kernel goes out of it."""
    links = {b"x/y/up": b"../..", b"l": b"x/y/up/../.."}
    assert (escapes(b"l", links), escapes(b"x/y/up", links)) == (True, False)


def test_links_that_lead_in_circles_escape_nowhere():
    """Fault 41."""
    links = {b"a": b"b/x", b"b": b"a/y", b"c": b"c/../c"}
    assert [escapes(path, links) for path in links] == [False, False, False]


texts = st.lists(st.sampled_from(["..", ".", "a", "b", "d"]), min_size=1, max_size=4).map("/".join)


@settings(max_examples=100)
@given(st.dictionaries(st.sampled_from(["a", "b", "d/a", "d/b", "d/d/a"]), texts, max_size=5))
def test_no_link_that_the_kernel_follows_out_of_the_folder_is_missed(tmp_path_factory, drawn):
    root = tmp_path_factory.mktemp("out") / "in"
    (root / "d" / "d" / "d").mkdir(parents=True)
    for path, text in drawn.items():
        (root / path).symlink_to(text)
    links = {path.encode(): text.encode() for path, text in drawn.items()}
    for path in drawn:
        with suppress(OSError):  # a loop or a dangling link: the kernel goes nowhere
            real = os.path.realpath(root / path, strict=True)
            assert real == str(root) or real.startswith(f"{root}/") or escapes(path.encode(), links)
