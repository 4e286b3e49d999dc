"""Lines in words: what the pieces of two lines always are, and how they read."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gate.diff.words import MAX_WORDS, Piece, word_pieces

LINES = st.lists(
    st.sampled_from([b"took", b"12", b" ", b"  ", b"ms", b".", b"\xc3\xa9", b"\xff", b"\\", b"\n", b"x_1"]), max_size=20
).map(b"".join)


def shown(old, new):
    return [
        piece.old.decode() if piece.equal else (piece.old.decode(), piece.new.decode())
        for piece in word_pieces(old, new)
    ]


@given(LINES | st.binary(max_size=30), LINES | st.binary(max_size=30))
def test_the_old_words_are_the_old_line_and_the_new_words_the_new_one(old, new):
    pieces = word_pieces(old, new)
    assert b"".join(piece.old for piece in pieces) == old
    assert b"".join(piece.new for piece in pieces) == new


@given(LINES, LINES)
def test_equal_and_changed_pieces_take_turns_and_none_is_empty(old, new):
    pieces = word_pieces(old, new)
    assert all(piece.old or piece.new for piece in pieces)
    assert all(one.equal != other.equal for one, other in pairwise(pieces))


@given(LINES)
def test_a_line_is_equal_to_itself_in_one_piece(line):
    assert word_pieces(line, line) == ((Piece(old=line, new=line),) if line else ())


@given(LINES, LINES)
def test_two_lines_that_differ_have_a_piece_that_does(old, new):
    assert (old == new) == all(piece.equal for piece in word_pieces(old, new))


@given(st.text(max_size=12), st.text(max_size=12))
def test_no_character_is_cut(old, new):
    for piece in word_pieces(old.encode(), new.encode()):
        piece.old.decode()
        piece.new.decode()


def test_one_word_of_a_line_is_marked():
    assert shown(b"took 12 ms, all well", b"took 15 ms, all well") == ["took ", ("12", "15"), " ms, all well"]


def test_a_blank_between_two_changed_words_belongs_to_the_change():
    assert shown(b"file not found.", b"nothing was found.") == [("file not", "nothing was"), " found."]


def test_a_word_that_was_added_has_an_empty_old_side():
    assert shown(b"a b", b"a very b") == ["a ", ("", "very "), "b"]


def test_what_is_too_long_to_align_is_one_change(no_hang):
    old, new = b"a " * 500_000 + b"end", b"b " * 500_000 + b"end"
    assert [(len(piece.old), piece.equal) for piece in word_pieces(old, new)] == [(999_999, False), (4, True)]
    assert MAX_WORDS < 500_000
