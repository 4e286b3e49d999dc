"""The framing tells every two sequences of values apart."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.hashing.framing import Framed, frame, framed_digest

scalars = st.binary() | st.text() | st.integers() | st.booleans() | st.none()
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=8)


def unframe(data: bytes) -> tuple[Framed, bytes]:
    tag, length, rest = data[:1], int.from_bytes(data[1:9], "big"), data[9:]
    if tag == b"t":
        members = []
        for _ in range(length):
            member, rest = unframe(rest)
            members.append(member)
        return tuple(members), rest
    payload, rest = rest[:length], rest[length:]
    readers: dict[bytes, Callable[[bytes], Framed]] = {b"b": bytes, b"s": bytes.decode, b"?": b"\x01".__eq__, b"i": int}
    return readers[tag](payload) if tag != b"n" else None, rest


@given(values, st.binary(max_size=3))
def test_a_framed_value_can_be_read_back_whatever_follows(value, after):
    read, rest = unframe(frame(value) + after)
    assert (repr(read), rest) == (repr(value), after)


@given(st.lists(values, max_size=4), st.lists(values, max_size=4))
def test_two_sequences_have_one_digest_only_if_they_are_equal(left, right):
    same = framed_digest("r-1", left) == framed_digest("r-1", right)
    assert same == (repr(left) == repr(right))


def test_types_that_python_takes_for_equal_are_told_apart():
    assert len({frame(value) for value in (1, True, "1", b"1", (1,), ((1,),))}) == 6


def test_moving_a_delimiter_between_components_changes_the_digest():
    """Fault 37."""
    assert framed_digest("r-1", ("a", "b|c", "d")) != framed_digest("r-1", ("a|b", "c", "d"))


def test_the_recipe_is_part_of_the_digest_and_of_what_is_hashed():
    """Fault 37: digests of two recipes are never equal, not even without their names."""
    old, new = framed_digest("r-1", ()), framed_digest("r-2", ())
    assert (old.split(":")[:2], new.split(":")[:2]) == (["r-1", "sha256"], ["r-2", "sha256"])
    assert old.split(":")[2] != new.split(":")[2]


def test_a_value_that_cannot_be_framed_is_refused():
    with pytest.raises(TypeError, match="cannot frame a float"):
        frame(1.0)  # type: ignore[arg-type]
