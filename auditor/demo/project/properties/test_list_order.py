"""A list names the keys in the order in which they were set.

A poor oracle, on purpose: it asks for an order that nobody promised, and it draws its keys by itself, outside of Hypothesis
and its seed. So it passes and fails on one and the same build, and the gate takes its vote away.
"""

from random import SystemRandom

from kv_steps import replies, steps


def test_keys_are_listed_as_they_were_set(subject):
    """`set` two keys; `list` names them in that order."""
    keys = SystemRandom().sample(["a", "b"], 2)
    *_, listed = replies(subject.run(stdin=steps(*(["set", key, "1"] for key in keys), ["list"])))
    assert listed["keys"] == ",".join(keys)
