"""The token that a push is made with is written to no log and told by no reply."""

from hypothesis import given, settings
from hypothesis import strategies as st
from kv_steps import steps


@settings(max_examples=10)
@given(token=st.text(alphabet="0123456789abcdef", min_size=16, max_size=24), refusals=st.integers(0, 3))
def test_the_token_stays_out_of_the_log(subject, token, refusals):
    """Neither `push.log` nor what is printed holds the token, however the push ends."""
    with subject.case() as place:
        remote = place.path / "remote"
        remote.mkdir()
        (remote / "busy").write_text(str(refusals))
        result = place.run(stdin=steps(["set", "a", "1"], ["push", "remote"]), env={"KV_TOKEN": token})
        log = (place.path / "push.log").read_bytes()
    assert token.encode() not in log + result.stdout + result.stderr
