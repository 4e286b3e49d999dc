"""What a vote says of honest properties."""

from __future__ import annotations

import msgspec
import pytest

from gate.voting.cast import Electorate
from gate.voting.tally import same_tests

pytestmark = pytest.mark.slow

WAVERING = """
    from pathlib import Path

    def times():
        # Runs go side by side: where its own mark ends tells a run its number, how many there are would tell two runs the same.
        with Path({file!r}).open("ab", buffering=0) as stream:
            stream.write(b"x")
            return stream.tell()

    def test_p():
        {body}
"""


@pytest.fixture
def wavering(polls):
    """Vote on a property that knows how often it ran: what no property should."""

    def vote(body, **called):
        polls.properties(test_p=WAVERING.format(file=str(polls.slot.root / "build" / "marks"), body=body))
        return polls.the(**called)

    return vote


def test_a_property_that_holds_passes(polls):
    polls.properties(
        test_echo="""
            from hypothesis import given, strategies as st

            @given(st.integers(0, 3))
            def test_echo(subject, n):
                said = subject.run("set", str(n), stdin=b"x").json()
                assert said == {"args": ["set", str(n)], "stdin": "x"}
        """
    )
    ballot = polls.the()
    assert (ballot.kind, ballot.reason) == ("pass", "passed 2 of 2")
    assert ballot.facts.seed == 1
    (test,) = ballot.facts.tests
    assert (test.id, dict(test.settings)) == (
        "test_echo",
        {
            "database": "none",
            "deadline": "none",
            "derandomize": "false",
            "max_examples": "100",
            "phases": "explicit,generate,target,shrink",
            "stateful_step_count": "50",
            "suppressed": "too_slow",
        },
    )
    assert "_hypothesis_pytestplugin" in ballot.facts.plugins


def test_a_property_that_does_not_hold_fails_with_its_falsifying_example(polls):
    polls.properties(
        test_small="""
            from hypothesis import given, strategies as st

            @given(st.integers())
            def test_small(n):
                assert n < 10, object()
        """
    )
    ballot = polls.the()
    assert (ballot.kind, ballot.reason) == ("fail", "failed 2 of 2, each time in the same way")
    (failure,) = ballot.failures
    assert (failure.test, failure.phase, failure.exception) == ("test_small", "call", "builtins.AssertionError")
    assert "n=10" in failure.example


def test_an_address_a_path_and_the_time_do_not_make_one_failure_two(wavering):
    body = "import os, datetime; raise ValueError(f'{object()} in {os.getcwd()} at {datetime.datetime.now()} pid {os.getpid()}')"
    ballot = wavering(body)
    assert ballot.kind == "fail", ballot


def test_a_property_that_passes_once_and_fails_once_is_frozen(wavering):
    ballot = wavering("assert times() == 1")
    assert (ballot.kind, ballot.reason) == ("freeze", "passed 1 of 2, failed 1")


def test_two_different_failures_are_a_freeze(wavering):
    """Reported fault 120."""
    ballot = wavering("assert not 'failure' + 'xy'[times() % 2]")
    assert (ballot.kind, ballot.reason) == ("freeze", "passed 0 of 2, failed 2 in 2 different ways")


def test_three_failures_of_ten_are_never_retried_into_a_pass(wavering):
    """Reported fault 119."""
    ballot = wavering("assert 'x' != 'yx'[times() in (2, 5, 9)]", repeats=10)
    assert ballot.kind == "freeze"
    assert ballot.reason == "passed 7 of 10, failed 3"


def test_a_test_that_changes_its_mind_within_a_run_is_frozen(polls):
    polls.properties(
        test_p="""
            from hypothesis import given, strategies as st

            seen = []

            @given(st.integers())
            def test_p(n):
                seen.append(n)
                assert len(seen) != 5
        """
    )
    ballot = polls.the()
    assert (ballot.kind, ballot.reason) == ("freeze", "passed 0 of 2, changed its mind within a run 2 times")


def test_a_slow_first_call_is_no_failure(polls):
    """Reported fault 106."""
    polls.properties(
        test_p="""
            import time
            from hypothesis import given, strategies as st

            slow = [0.6]

            @given(st.integers())
            def test_p(n):
                time.sleep(slow.pop() if slow else 0)
        """
    )
    assert polls.the().kind == "pass"


def test_a_slow_strategy_is_no_failure(polls):
    """Reported fault 107."""
    polls.properties(
        test_p="""
            import time
            from hypothesis import given, settings, strategies as st

            @settings(max_examples=12)
            @given(st.integers().map(lambda n: time.sleep(0.15)))
            def test_p(n):
                pass
        """
    )
    assert polls.the().kind == "pass"


def test_a_failed_health_check_is_no_vote(polls):
    """Reported fault 107."""
    polls.properties(
        test_p="""
            from hypothesis import assume, given, strategies as st

            @given(st.integers())
            def test_p(n):
                assume(n == 7654321)
                assert False
        """
    )
    ballot = polls.the()
    assert ballot.kind == "void"
    assert "test_p could not be tested: hypothesis.errors." in ballot.reason


def test_no_example_is_stored_or_read(polls):
    """Reported faults 108, 109."""
    polls.properties(
        test_p="""
            import os
            from hypothesis import given, strategies as st

            @given(st.integers())
            def test_p(n):
                assert not os.path.exists(".hypothesis")
        """
    )
    assert polls.the().kind == "pass"


@pytest.mark.parametrize(
    ("decorators", "reason"),
    [
        ("@settings(derandomize=True, database=None)", "derandomize=True"),
        ("@settings(deadline=500)", "deadline=0:00:00.500000"),
        ("@settings(database=InMemoryExampleDatabase())", "a database"),
        ("@seed(5)", "@seed"),
    ],
)
def test_settings_that_contradict_the_vote_void_it(polls, decorators, reason):
    """Reported fault 110."""
    polls.properties(
        test_p=f"""
            from hypothesis import given, seed, settings, strategies as st
            from hypothesis.database import InMemoryExampleDatabase

            {decorators}
            @given(st.integers())
            def test_p(n):
                pass
        """
    )
    ballot = polls.the()
    assert ballot.kind == "void"
    assert f"test_p sets {reason}" in ballot.reason


def test_a_profile_that_the_property_loads_itself_voids_the_vote(polls):
    polls.properties(
        test_p="""
            from hypothesis import given, settings, strategies as st

            settings.load_profile("ci")

            @given(st.integers())
            def test_p(n):
                pass
        """
    )
    ballot = polls.the()
    assert ballot.kind == "void"
    assert "derandomize=True" in ballot.reason


STATEFUL = """
    from hypothesis import settings, strategies as st
    from hypothesis.stateful import RuleBasedStateMachine, rule

    class Counter(RuleBasedStateMachine):
        n = 0

        @rule(by=st.integers(1, 3))
        def add(self, by):
            self.n += by
            assert self.n < {limit}

    TestCounter = Counter.TestCase
    TestCounter.settings = settings(max_examples=20)
"""


def test_a_state_machine_votes(polls):
    polls.properties(test_good=STATEFUL.format(limit=10**6), test_bad=STATEFUL.format(limit=5))
    ballots = polls.vote()
    assert {name: ballot.kind for name, ballot in ballots.items()} == {"bad": "fail", "good": "pass"}
    assert ballots["good"].facts.tests[0].id == "TestCounter::runTest"
    assert "add(by=" in ballots["bad"].failures[0].example


def test_the_draws_are_the_same_whatever_the_environment_says(polls, monkeypatch):
    polls.properties(
        test_p="""
            from hypothesis import given, strategies as st

            seen = []

            @given(st.integers() | st.text())
            def test_p(n):
                seen.append(n)

            def test_q():
                raise ValueError(seen)
        """
    )
    plain = polls.the()
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("HYPOTHESIS_PROFILE", "ci")
    again = polls.the()
    assert plain.kind == "fail"
    assert [run.failures for run in plain.runs] == [run.failures for run in again.runs]


def test_the_draws_do_not_depend_on_the_code_under_test(in_process, polls):
    test = """
from hypothesis import given, settings, strategies as st

seen = []

@settings(max_examples=300)
@given(st.integers())
def test_a(n):
    seen.append(n)

def test_b():
    raise ValueError(seen)
"""
    one = in_process("CONSTANT = 918273645", test=test).failures
    two = in_process("CONSTANTS = [7, 55512345, 999888777, 123123123]", test=test).failures
    assert one[0].message == two[0].message


def test_another_seed_draws_otherwise(polls):
    polls.properties(
        test_p="""
            from hypothesis import given, strategies as st

            seen = []

            @given(st.integers())
            def test_a(n):
                seen.append(n)

            def test_b():
                raise ValueError(seen)
        """
    )
    one, two = polls.the(), polls.the(seed=2)
    assert (one.kind, two.kind, two.facts.seed) == ("fail", "fail", 2)
    assert one.failures[0].message != two.failures[0].message


def test_parameters_from_a_set_are_compared_as_a_set(polls):
    """Reported fault 111."""
    polls.properties(
        test_p="""
            import pytest

            @pytest.mark.parametrize("n", {"john", "kate", "alfred", "paul"})
            def test_p(n):
                assert n
        """
    )
    ballot = polls.the()
    assert ballot.kind == "pass"
    assert [test.id for test in ballot.facts.tests] == [f"test_p[{n}]" for n in ("alfred", "john", "kate", "paul")]


def test_each_property_votes_in_its_own_process(polls):
    """Reported fault 117: what passes after another file fails alone, stably."""
    polls.properties(
        common="seen = []",
        test_a="""
            import common

            def test_a():
                common.seen.append(1)
        """,
        test_b="""
            import common

            def test_b():
                assert common.seen
        """,
    )
    assert {name: ballot.kind for name, ballot in polls.vote().items()} == {"a": "pass", "b": "fail"}


def test_a_module_that_does_not_import_is_no_vote(polls):
    """Reported fault 113."""
    polls.properties(
        common="def (:", test_p="import common\n\ndef test_p():\n    pass\n", test_q="def test_q():\n    pass\n"
    )
    ballots = polls.vote()
    assert (ballots["p"].kind, ballots["q"].kind) == ("void", "pass")
    assert ballots["p"].reason == "2 of 2 runs gave no vote: collecting failed: SyntaxError: invalid syntax"
    assert "test_p.py:1: in <module>" in ballots["p"].runs[0].detail


def test_a_class_that_pytest_does_not_collect_is_missed(polls):
    """Reported fault 114."""
    polls.properties(
        test_p="""
            class TestP:
                def __init__(self):
                    pass

                def test_m(self):
                    pass

            def test_q():
                pass
        """
    )
    ballot = polls.the()
    assert ballot.kind == "void"
    assert "tests of the property did not run: TestP::test_m" in ballot.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "import pytest\npytest.importorskip('nope_nope')\n\ndef test_p():\n    pass\n",
            "skipped while it was collected",
        ),
        (
            "import pytest\n\ndef test_p():\n    pytest.skip('no tool')\n\ndef test_q():\n    pass\n",
            "test_p came out skipped",
        ),
        ("import pytest\n\n@pytest.mark.xfail\ndef test_p():\n    assert 0\n", "test_p came out xfailed"),
        ("import pytest\n\n@pytest.mark.xfail\ndef test_p():\n    pass\n", "test_p came out xpassed"),
        ("def test_p(benchmark_of_a_plugin):\n    pass\n", "fixture 'benchmark_of_a_plugin' not found"),
        (
            "import socket\n\ndef test_p():\n    socket.create_connection(('example.org', 80))\n",
            "it needs the network (example.org)",
        ),
    ],
    ids=["importorskip", "skip", "xfail", "xpass", "no fixture", "network"],
)
def test_what_does_not_run_is_no_vote(polls, text, reason):
    """Reported faults 85, 115, 116, 127."""
    polls.properties(test_p=text)
    ballot = polls.the()
    assert ballot.kind == "void"
    assert reason in ballot.reason


def test_strict_xfail_that_passes_is_never_a_pass(polls):
    polls.properties(test_p="import pytest\n\n@pytest.mark.xfail(strict=True)\ndef test_p():\n    pass\n")
    assert polls.the().kind in ("void", "fail")


def test_a_subtest_that_fails_is_a_failure(polls):
    polls.properties(
        test_p="""
            import unittest

            def test_p(subtests):
                for n in range(3):
                    with subtests.test(n=n):
                        assert n != 1

            class TestU(unittest.TestCase):
                def test_m(self):
                    with self.subTest(n=1):
                        self.assertEqual(1, 2)
        """
    )
    ballot = polls.the()
    assert ballot.kind == "fail"
    assert {failure.test for failure in ballot.failures} == {"test_p", "TestU::test_m"}


def test_a_fixture_that_fails_at_its_end_is_a_failure(polls):
    polls.properties(
        test_p="""
            import pytest

            @pytest.fixture
            def clean():
                yield
                assert 0, "something stayed"

            def test_p(clean):
                pass
        """
    )
    ballot = polls.the()
    assert (ballot.kind, ballot.failures[0].phase) == ("fail", "teardown")


def test_a_runner_without_pytest_is_named(polls, tmp_path):
    import subprocess
    import sys

    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    polls.settings["python"] = [str(tmp_path / "bare" / "bin" / "python")]
    polls.properties(test_p="def test_p():\n    pass\n")
    ballot = polls.the()
    assert ballot.kind == "void"
    assert f"cannot vote: pytest is not installed in {tmp_path / 'bare'}" in ballot.reason


def test_a_runner_that_does_not_exist_is_no_failure(polls):
    polls.settings["python"] = ["no-such-python"]
    polls.properties(test_p="def test_p():\n    pass\n")
    ballot = polls.the()
    assert ballot.kind == "void"
    assert "cannot start" in ballot.reason


def test_collecting_alone_runs_nothing_and_names_the_tests(polls, tmp_path):
    polls.properties(
        test_p="""
            import pytest
            from code_under_test import NUMBERS

            @pytest.mark.parametrize("n", NUMBERS)
            def test_p(n):
                raise SystemExit(3)
        """
    )
    polls.settings["imports"] = ["."]
    polls.build(code_under_test="NUMBERS = [1, 2]")
    old = polls.run(collect_only=True)
    polls.build(code_under_test="NUMBERS = [1]")
    new = polls.run(collect_only=True)
    assert (old.outcome, [test.id for test in old.facts.tests]) == ("pass", ["test_p[1]", "test_p[2]"])
    assert same_tests(old, old) is None
    assert same_tests(old, new) == "the patch changes which tests there are: it drops test_p[2]"
    assert same_tests(new, old) == "the patch changes which tests there are: it adds test_p[2]"


def test_time_limits_and_repeats_are_per_property(polls):
    polls.properties(test_a="def test_a():\n    pass\n", test_b="def test_b():\n    pass\n")
    polls.settings["property"] = {"b": {"timeout": 7.0, "repeats": 3}}
    electorate = polls.electorate()
    shown = [(round_.recipe.timeout, [case.id for case in round_.cases]) for round_ in electorate.rounds()]
    assert shown == [(7.0, ["vote:b:1", "vote:b:2", "vote:b:3"]), (60.0, ["vote:a:1", "vote:a:2"])]


def test_a_missing_record_voids(polls):
    polls.properties(test_a="def test_a():\n    pass\n")
    electorate = polls.electorate()
    (ballot,) = electorate.ballots(polls.cast(electorate)[1:])
    assert (ballot.kind, ballot.reason) == ("void", "expected 2 runs, got 1")


def test_every_run_has_a_nonce_of_its_own(polls):
    polls.properties(test_a="def test_a():\n    pass\n")
    electorate: Electorate = polls.electorate(repeats=5)
    assert len({msgspec.json.decode(order.spec)["nonce"] for _, order in electorate.orders}) == 5


def test_a_message_may_hold_what_stands_for_a_path_and_the_path_itself(polls):
    r"""A replay puts `\` before a literal `<WORK>`, which is no JSON; and a path of the run that is cut short is no longer known as one."""
    polls.properties(
        test_a="""
        import os

        def test_a():
            assert "no" == '\\\\<WORK>' + os.getcwd() + '"<BUILD>' + "x" * 300 + os.environ["HOME"]
        """
    )
    ballot = polls.the()
    assert (ballot.kind, ballot.reason) == ("fail", "failed 2 of 2, each time in the same way")
    assert "<WORK><WORK>" in ballot.failures[0].message
    assert "<HOME>" in ballot.failures[0].message
