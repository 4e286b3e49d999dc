"""The table of exit codes, and their precedence."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.exit_codes import ExitCode, combine


def test_the_table_of_exit_codes():
    assert {int(code): code.name for code in ExitCode} == {0: "CLEAN", 1: "STOP", 2: "INVALID", 3: "ABSTAIN"}
    assert all(code.sentence for code in ExitCode)


def test_an_empty_run_is_invalid():
    assert combine([]) is ExitCode.INVALID


@pytest.mark.parametrize("order", list(permutations(ExitCode)))
def test_precedence_is_2_1_3_0_in_any_order(order):
    present = list(order)
    for strongest in (ExitCode.INVALID, ExitCode.STOP, ExitCode.ABSTAIN, ExitCode.CLEAN):
        assert combine(present) is strongest
        present.remove(strongest)


@given(st.lists(st.sampled_from(ExitCode), min_size=1), st.sampled_from(ExitCode))
def test_adding_a_verdict_never_makes_a_run_clean(codes, more):
    if combine(codes) is not ExitCode.CLEAN:
        assert combine([*codes, more]) is not ExitCode.CLEAN
