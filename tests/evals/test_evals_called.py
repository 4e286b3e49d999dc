"""Which function a test calls."""

import pytest

from evals.called import called


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("x = f(1)\nprint(x)", "f"),
        ("import a\nr = a.b.c(1).d(2)\nprint(len(r))", "d"),
        ("f(g(1))", "g"),
        (r"f('\d')", "f"),
        ("print(1)", None),
        ("(lambda: 1)()", None),
        ("try:", None),
        ("", None),
        ("\0", None),
    ],
)
def test_the_call_that_begins_last_is_named(code, name):
    assert called(code) == name
