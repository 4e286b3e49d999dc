"""Writing a value twice leaves the store as writing it once does."""

from hypothesis import given, settings
from hypothesis import strategies as st
from kv_steps import replies, steps

WORDS = st.text(alphabet="abc:=| ", min_size=1, max_size=4)


@settings(max_examples=15)
@given(key=WORDS, value=WORDS)
def test_a_second_equal_write_changes_nothing(subject, key, value):
    """After `set k v` any number of times, `get k` and `list` answer the same."""
    write, look = ["set", key, value], (["get", key], ["list"])
    once = replies(subject.run(stdin=steps(write, *look)))[-2:]
    twice = replies(subject.run(stdin=steps(write, write, *look)))[-2:]
    assert twice == once
