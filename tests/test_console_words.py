"""Small things that both programs say and do at a terminal."""

from __future__ import annotations

import sys

import pytest

from gate import console


@pytest.mark.parametrize(
    ("environ", "terminal", "wanted"),
    [
        ({"TERM": "xterm"}, True, True),
        ({}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, False),
        ({"TERM": "xterm"}, False, False),
    ],
)
def test_colours_are_for_terminals_that_know_them(monkeypatch, environ, terminal, wanted):
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, text in environ.items():
        monkeypatch.setenv(name, text)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert console.in_colour() is wanted


def test_the_innermost_command_says_what_is_true_after_ctrl_c():
    stands = "what was decided stands"
    with pytest.raises(KeyboardInterrupt, match=f"^{stands}$"), console.judging(), console.judging(interrupted=stands):
        raise KeyboardInterrupt


def test_without_a_word_of_its_own_a_command_gives_no_verdict_after_ctrl_c():
    with pytest.raises(KeyboardInterrupt, match="^there is no verdict$"), console.judging():
        raise KeyboardInterrupt
