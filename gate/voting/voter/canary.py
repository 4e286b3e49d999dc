"""Tests that must fail, one for each way in which pytest runs a property. A vote in which one of them passes is void.

They run last, after the code under test had its chance to patch the runner (reported fault 81).
"""

from __future__ import annotations

import unittest

from hypothesis import given
from hypothesis import strategies as st


def test_function() -> None:
    """Fails."""
    assert sum((1, 1)) == 3


@given(st.integers())
def test_hypothesis(number: int) -> None:
    """Fails."""
    assert number != number  # noqa: PLR0124 - false for every integer


class TestCase(unittest.TestCase):
    """Fails."""

    def test_method(self) -> None:
        """Fails."""
        self.assertEqual(sum((1, 1)), 3)  # noqa: PT009 - this way of failing is what is tried
