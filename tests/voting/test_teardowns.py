"""What fails at the end of a property fails the property, whatever scope it ends with; never one of the gate's own tests."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow

ENDS = {
    "session": '@pytest.fixture(scope="session")\ndef held():\n    yield\n    assert 0, "left"\n\ndef test_p(held): pass\n',
    "package": '@pytest.fixture(scope="package")\ndef held():\n    yield\n    assert 0, "left"\n\ndef test_p(held): pass\n',
    "module": '@pytest.fixture(scope="module")\ndef held():\n    yield\n    assert 0, "left"\n\ndef test_p(held): pass\n',
    "class": '@pytest.fixture(scope="class")\ndef held():\n    yield\n    assert 0, "left"\n\ndef test_p(held): pass\n',
    "autouse": '@pytest.fixture(scope="session", autouse=True)\ndef held():\n    yield\n    assert 0, "left"\n\ndef test_p(): pass\n',
    "teardown_module": 'def teardown_module():\n    assert 0, "left"\n\ndef test_p(): pass\n',
    "teardown_class": 'class TestP:\n    def teardown_class(cls):\n        assert 0, "left"\n    def test_p(self): pass\n',
    "tearDownModule": 'import unittest\n\ndef tearDownModule():\n    assert 0, "left"\n\n'
    "class TestP(unittest.TestCase):\n    def test_p(self): pass\n",
    "addCleanup": "import unittest\n\nclass TestP(unittest.TestCase):\n    def test_p(self):\n        self.addCleanup(self.fail, 'left')\n",
}


@pytest.mark.parametrize("text", ENDS.values(), ids=ENDS)
def test_a_failure_at_the_end_is_the_last_tests(polls, text):
    polls.properties(test_p=f"import pytest\n\n\ndef test_a(): pass\n\n{text}")
    ballot = polls.the()
    assert (ballot.kind, len(ballot.failures)) == ("fail", 1), ballot
    assert "left" in ballot.failures[0].message
    assert ballot.failures[0].test.endswith("test_p")


def test_what_the_session_holds_is_ended_once(polls):
    polls.properties(
        test_p="""
            import pytest

            ended = []

            @pytest.fixture(scope="session")
            def held(subject):
                yield subject
                ended.append(1)
                assert ended == [1]

            def test_a(held): pass

            def test_b(held):
                assert ended == []
        """
    )
    assert polls.the().kind == "pass"


def test_a_failure_around_one_of_the_gates_own_tests_is_no_vote(polls):
    polls.properties(
        test_p="""
            import pytest

            @pytest.fixture(scope="session", autouse=True)
            def held(request):
                yield
                node = request.node
                real = type(node._setupstate).setup

                def setup(self, item):
                    real(self, item)
                    self.addfinalizer(lambda: pytest.fail("later"), item)

                type(node._setupstate).setup = setup

            def test_a(): pass
        """
    )
    ballot = polls.the()
    assert ballot.kind == "void"
    assert "the teardown of one of the gate's own tests failed: later" in ballot.reason


def test_a_fixture_that_is_unknown_and_one_without_a_name_have_their_messages(polls):
    polls.properties(
        test_p="def test_p(benchmark): pass\n",
        test_q="def test_q(request):\n    request.getfixturevalue('gone')\n",
        test_r="""
            import pytest

            def test_r(request):
                raise pytest.FixtureLookupError(None, request, "no params in this request")
        """,
    )
    ballots = polls.vote()
    assert {name: ballot.kind for name, ballot in ballots.items()} == dict.fromkeys("pqr", "void")
    assert "fixture 'gone' not found" in ballots["q"].reason
    assert ballots["r"].reason.endswith("a fixture could not be looked up: no params in this request")
