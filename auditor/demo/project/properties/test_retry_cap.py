"""A push gives a busy remote at most three attempts, each of them in the log."""

from hypothesis import given, settings
from hypothesis import strategies as st
from kv_steps import replies, steps

CAP = 3


@settings(max_examples=10)
@given(refusals=st.integers(min_value=0, max_value=6))
def test_no_more_attempts_than_the_cap(subject, refusals):
    """However often the remote refuses, no more than three attempts are made."""
    with subject.case() as place:
        remote = place.path / "remote"
        remote.mkdir()
        (remote / "busy").write_text(str(refusals))
        (reply,) = replies(place.run(stdin=steps(["push", "remote"])))
        attempts = len((place.path / "push.log").read_text().splitlines())
    assert attempts <= CAP
    assert reply["attempts"] == str(attempts)
