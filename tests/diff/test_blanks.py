"""What changed of the blanks of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.diff.blanks import blanks


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"a\n\n\nb\n", b"a\nb\n", ["2 blank lines fewer"]),
        (b"a\nb\n", b"a\n\nb\n", ["1 blank line more"]),
        (b"a\n\nb\nc\n", b"a\nb\n\nc\n", ["blank lines moved"]),
        (b"a\nb\n", b"  a\nb\n", ["indentation of 1 line"]),
        (b"a b\nc d\n", b"a  b\nc\td\n", ["spacing of 2 lines"]),
        (b"a \nb\n", b"a\nb\n", ["line end of 1 line"]),
        (b" \nb\n", b"\nb\n", ["line end of 1 line"]),
        (b"a b\nc\n", b"a\nb\nc\n", ["line breaks, of 3 lines"]),
        (b"md", b"md\n", ["1 blank line more"]),
        (
            b"a\n\nb c\n",
            b" a\nb  c \n",
            ["1 blank line fewer", "indentation of 1 line", "spacing of 1 line", "line end of 1 line"],
        ),
        (b"a\n", b"a\n", []),
    ],
)
def test_each_sort_of_change_is_told_with_its_lines(old, new, words):
    assert [each.words for each in blanks(old, new)] == words


@given(st.lists(st.sampled_from(["a", "b", " ", "\t", "\n"]), max_size=12), st.data())
def test_texts_that_differ_in_blanks_alone_have_a_sort(parts, data):
    old = "".join(parts).encode()
    words = [part for part in parts if part.strip()]
    gaps = st.text(" \t\n", max_size=3)
    new = "".join(data.draw(gaps) + word for word in words) + data.draw(gaps)
    assert bool(blanks(old, new.encode())) == (old != new.encode())
