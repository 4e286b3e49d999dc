"""Properties that fail each time, with other words each time: a failure, and no freeze."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow

A = "class A: pass\n"

VOLATILE = {
    "address": A + "def test_a(): assert A() == A()",
    "set of addresses": A + "def test_a(): assert {A(), A(), A()} == {A(), A()}",
    "dict of addresses": A + 'def test_a(): assert {A(): 1, "b": A()} == {"b": 2}',
    "many": A + "def test_a(): assert [A() for _ in range(60)] == [A() for _ in range(61)]",
    "more than is told": A + "def test_a(): assert 0, [A() for _ in range(4000)]",
    "id": 'def test_a():\n    x = object(); assert 0, f"id {id(x)}"',
    "epoch": "import time\ndef test_a(): assert time.time() < 3",
    "duration": "import time\ndef test_a():\n    t = time.perf_counter(); time.sleep(0.01); d = time.perf_counter() - t\n"
    '    assert d < 0.0001, f"took {d:.6f} s"',
    "datetime": "import datetime\ndef test_a(): assert datetime.datetime.now() < datetime.datetime(2000, 1, 1)",
    "pid": "import os\ndef test_a(): assert os.getpid() < 0",
    "thread": "import threading\ndef test_a(): assert threading.current_thread() is None",
    "temporary file": "import tempfile\ndef test_a():\n    with tempfile.NamedTemporaryFile() as f: assert f.name == ''",
    "weak reference": A + "import weakref\ndef test_a():\n    a = A(); assert weakref.ref(a) is None",
    "mock": "from unittest import mock\ndef test_a():\n    m = mock.Mock(); assert m.x == 3",
    "port": "import socket\ndef test_a():\n    with socket.socket() as s:\n"
    '        s.bind(("127.0.0.1", 0)); assert s.getsockname()[1] == 1',
    "connection": "import socket\ndef test_a():\n    with socket.socket() as s:\n        s.bind(('127.0.0.1', 0)); s.listen()\n"
    "        c = socket.create_connection(s.getsockname()); assert c is None",
    "in an example": A
    + "from hypothesis import given, strategies as st\n\n@given(st.builds(A), st.lists(st.integers()))\n"
    "def test_a(a, xs): assert sum(xs) < 100",
    "random": "import secrets\ndef test_a(): assert 0, secrets.token_hex(8)",
}


def test_a_stable_failure_with_volatile_words_is_a_failure(polls):
    names = {f"test_{name.replace(' ', '_')}": text for name, text in VOLATILE.items()}
    polls.properties(**names)
    ballots = polls.vote()
    assert len(ballots) == len(VOLATILE)
    assert {name: ballot.reason for name, ballot in ballots.items() if ballot.kind != "fail"} == {}
    assert ballots["random"].reason == "failed 2 of 2, each time at the same place (values differ)"


COUNTED = """
from pathlib import Path

def times():
    # Runs go side by side: where its own mark ends tells a run its number, how many there are would tell two runs the same.
    with Path({file!r}).open("ab", buffering=0) as stream:
        stream.write(b"x")
        return stream.tell()

def answer(n):
    assert n < 0, 12345 + times()
"""

DIFFERENT = {
    "another line": "def test_p():\n    if common.times() % 2:\n        assert 0\n    assert 0\n",
    "another line below": "def one(): assert 0\ndef two(): assert 0\n\ndef test_p():\n    (one if common.times() % 2 else two)()\n",
    "another type": "def test_p(): raise (ValueError if common.times() % 2 else KeyError)('x')\n",
    "another test": "N = common.times() % 2\ndef test_p(): assert N\ndef test_q(): assert not N\n",
    "another word": "def test_p(): assert 0, 'one two'.split()[common.times() % 2]\n",
    "another small number": "def test_p(): assert 0, common.times()\n",
    "another example": "from hypothesis import given, strategies as st\nN = common.times() % 2\n\n@given(st.integers())\n"
    "def test_p(n): assert n < 5000 + N\n",
}


@pytest.mark.parametrize("text", DIFFERENT.values(), ids=DIFFERENT)
def test_failures_that_differ_in_more_are_a_freeze(polls, text):
    file = str(polls.slot.root / "build" / "marks")
    polls.properties(common=COUNTED.format(file=file), test_p=f"import common\n\n{text}")
    ballot = polls.the()
    assert ballot.kind == "freeze", ballot
